"""The form that enters the key of a school or club."""
