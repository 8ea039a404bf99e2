"""How do I make a booklet of the rules of a game, as PDF?

It needs the extra `print`: pip install 'hnefi[print]'
"""

from pathlib import Path

from hnefi import booklet, variant

tablut = variant("tablut-kouvia")
for lang in ("en", "fr"):
    Path(f"{tablut.id}-{lang}.pdf").write_bytes(booklet(tablut, lang, format="a5", including=["sources"]))
    print(f"{tablut.name(lang)}: {tablut.id}-{lang}.pdf")
