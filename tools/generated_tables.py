"""Replaces a generated table within a page of the documentation."""


def with_table(page: str, begin: str, end: str, table: str) -> str:
    """Returns a page whose text between two marks is a table."""
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return before + begin + table + end + after
