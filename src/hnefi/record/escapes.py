"""Quoted text in records: header values between quotes, comments between braces.

A backslash escapes: `\\\\`, `\\"`, `\\{`, `\\}`, `\\[` mean the character itself, `\\n` a line break,
`\\u2028` a character by its number, in four hexadecimal digits. Inside a comment a line break reads as one
blank, together with the blanks around it; a line break after a backslash is one.
"""

import re

_INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.)|$)", re.DOTALL)
_PLAIN = {"\\": "\\", '"': '"', "{": "{", "}": "}", "[": "[", "n": "\n"}
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
    if "\n" not in text:
        return _resolve(text, 0)
    pieces: list[str] = []
    offset = 0
    lines = text.split("\n")
    for index, line in enumerate(lines):
        last = index == len(lines) - 1
        is_hard_break = not last and _ends_in_escape(line)
        kept = line[:-1] if is_hard_break else line
        follows_soft_break = bool(pieces) and pieces[-1] == " "
        stripped = kept.lstrip(" \t") if follows_soft_break else kept
        start = offset + len(kept) - len(stripped)
        if not is_hard_break and not last:
            stripped = stripped.rstrip(" \t")
        pieces.append(_resolve(stripped, start))
        pieces.append("" if last else "\n" if is_hard_break else " ")
        offset += len(line) + 1
    return "".join(pieces)


def encodable(text: str) -> str:
    """Returns a text that can be encoded: lone surrogates become question marks.

    >>> encodable("d4\\ud800")
    'd4?'
    """
    return text.encode(errors="replace").decode()


def _ends_in_escape(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _resolve(text: str, offset: int) -> str:
    """Resolves the escapes of one line that begins at `offset`."""

    def character(match: re.Match[str]) -> str:
        number, plain = match.groups()
        if number is not None:
            return chr(int(number, 16))
        if plain in _PLAIN:
            return _PLAIN[plain]
        raise BadEscape(offset + match.start(), match.group())

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _spell_invisible(text: str) -> str:
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
