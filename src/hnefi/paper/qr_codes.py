"""QR codes: texts as squares of dark and light modules."""

from hnefi.paper.typesetting import PrintError


def qr_code(text: str) -> tuple[int, str]:
    """Returns a text as a QR code: its side in modules, and an SVG path of the dark ones.

    Raises:
        PrintError: `missing_extra`, if the package `segno` is not installed.

    >>> qr_code("a")[0]
    29
    """
    try:
        import segno
    except ModuleNotFoundError:
        raise PrintError.of_facts("missing_extra", package="segno", extra="print") from None

    code = segno.make(text, error="m", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=4)]
    parts = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end]:
                end += 1
            if end > x:
                parts.append(f"M{x} {y}h{end - x}v1H{x}z")
            x = end + 1
    return len(rows), "".join(parts)


def qr_svg(text: str) -> str:
    """Returns a text as a QR code in SVG, with its quiet zone, black on white.

    Raises:
        PrintError: `missing_extra`.
    """
    size, path = qr_code(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    )
