"""Formats SVG elements."""

from html import escape as escape_all


def number(value: float) -> str:
    """Formats a number in the shortest way, to a tenth of a unit.

    >>> number(45.0), number(-0.04), number(12.25)
    ('45', '0', '12.2')
    """
    shortest = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if shortest == "-0" else shortest


def escape(text: str) -> str:
    """Escapes a text for an element.

    >>> escape('a < "b"')
    'a &lt; "b"'
    """
    return escape_all(text, quote=False)


def quoted(text: str) -> str:
    """Formats a text as the value of an attribute.

    >>> quoted('a "b"')
    '"a &quot;b&quot;"'
    """
    return f'"{escape(text).replace(chr(34), "&quot;")}"'


def element(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """Formats one element. An underscore in an attribute's name becomes a hyphen; None omits the attribute.

    >>> element("g", stroke_width=2.0, fill=None)
    '<g stroke-width="2"/>'
    """
    given = ((key, value) for key, value in attributes.items() if value is not None)
    written = "".join(
        f" {key.replace('_', '-')}={quoted(value if isinstance(value, str) else number(value))}"
        for key, value in given
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def path(d: str, **attributes: str | float | None) -> str:
    """Formats a path."""
    return element("path", d=d, **attributes)


def circle(x: float, y: float, r: float, **attributes: str | float | None) -> str:
    """Formats a circle."""
    return element("circle", cx=x, cy=y, r=r, **attributes)


def rectangle(x: float, y: float, width: float, height: float, **attributes: str | float | None) -> str:
    """Formats a rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def text_element(x: float, y: float, words: str, **attributes: str | float | None) -> str:
    """Formats a text, centred on `x`."""
    return element("text", escape(words), x=x, y=y, **attributes)
