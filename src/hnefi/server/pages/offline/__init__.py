"""The page that browsers show without a connection, and the bundles of pages that they keep."""
