"""The pages as static files, for hosts without a server of Hnefi."""
