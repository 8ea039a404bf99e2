"""Quoted text in records: header values between quotes, comments between braces.

A backslash escapes: `\\\\`, `\\"`, `\\{`, `\\}`, `\\[` mean the character itself, `\\n` a line break,
`\\u2028` a character by its number, in four hexadecimal digits. Inside a comment a line break reads as one
blank, together with the blanks around it; a line break after a backslash is one.
"""

import re

_INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# A backslash with what it escapes, or line breaks with the blanks around them.
_SPECIAL = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.)|$)|(?<![ \t])[ \t]*(?:\n[ \t]*)+", re.DOTALL)
_PLAIN = {"\\": "\\", '"': '"', "{": "{", "}": "}", "[": "[", "n": "\n", "\n": "\n"}
# A comment may be broken at a single blank, unless the next line would look like a header.
_BREAK = re.compile(r"(?<=[^\s\\]) (?=[^\s\[])")


class BadEscape(ValueError):
    """A backslash that begins no escape sequence."""

    def __init__(self, offset: int, found: str) -> None:
        super().__init__(found)
        self.offset = offset
        self.found = found


def quote(value: str) -> str:
    """Formats a header value between quotes, on one line.

    >>> quote('the "raven"')
    '"the \\\\"raven\\\\""'
    """
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{_spell_invisible(escaped)}"'


def comment_units(comment: str) -> list[str]:
    """Formats a comment between braces, as units between which a line may be broken.

    >>> comment_units("a raven")
    ['{a', 'raven}']
    """
    escaped = comment.replace("\\", "\\\\").replace("}", "\\}").replace("\n[", "\n\\[").replace("\n", "\\\n")
    return _BREAK.split(f"{{{_spell_invisible(escaped)}}}")


def unquote(text: str) -> str:
    """Parses the text between quotes or braces.

    Raises:
        BadEscape: If a backslash begins no escape; its offset counts in `text`.

    >>> unquote('a \\\\"raven\\\\"')
    'a "raven"'
    """
    return _SPECIAL.sub(_meaning, text)


def encodable(text: str) -> str:
    """Returns a text that can be encoded: lone surrogates become question marks.

    >>> encodable("d4\\ud800")
    'd4?'
    """
    return text.encode(errors="replace").decode()


def _meaning(found: re.Match[str]) -> str:
    number, plain = found.groups()
    if number is not None:
        return chr(int(number, 16))
    if plain in _PLAIN:
        return _PLAIN[plain]
    if found[0].startswith("\\"):
        raise BadEscape(found.start(), found[0])
    return " " * found[0].count("\n")


def _spell_invisible(text: str) -> str:
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
