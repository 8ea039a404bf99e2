"""How do I make a booklet of the rules of a game, as PDF?

It needs the extra `print`: pip install 'hnefi[print]'
"""

from pathlib import Path

from hnefi import booklet, variant

brandub = variant("brandub-globe")
for lang in ("en", "fr"):
    Path(f"{brandub.id}-{lang}.pdf").write_bytes(booklet(brandub, lang, format="a5", including=["sources"]))
    print(f"{brandub.name(lang)}: {brandub.id}-{lang}.pdf")
