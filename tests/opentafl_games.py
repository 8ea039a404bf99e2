"""A game as OpenTafl writes it, and how the tests read one."""

import io

from hnefi import variant
from hnefi.errors import RecordError
from hnefi.formats import RawGame, ReadOptions, find_format
from hnefi.record import Node, variant_headers

BRANDUB = variant("brandub-globe")
BERSERK = variant("berserk-11")
BERSERK_HEADERS = (*variant_headers(BERSERK), ("Result", "*"))
FORM = find_format("otg")
RULES = "[rules:dim:7 name:Our_Game surf:n ks:c cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]"
GAME = f"""[date:2015.05.04]
[event:Spring fair]
[result:-1]
[attackers:Ana]
[defenders:Bran]
[termination:Black resigns]
[time-control:3600 3i]
{RULES}
[start-comment:Two lines.

The second one.]
[puzzle-mode:loose]
[puzzle-start:2b]

1. d2-e2 c4-c5
[3590 A usual opening.|3580 Two in a row.]

1b.1.1a. ..... c4-c6
[Another answer.]

1b.1.2a. f4-f5 c6-a6 \n[|It ends here.]

2. f4-f5 c5-a5
[|(hint: look at a4)]

2a.1.1a. f4-f6 c5-a5
[Instead.|]

2a.1.1a.1.1a. ..... c5-b5
[Inside the side line.]

2a.2.1a. f4-f3
[]

3. d6-a6xa5 d5-a5xa6
[|]
"""


def read(text: str | bytes, *, lenient: bool = False) -> list[RawGame | RecordError]:
    raw = text.encode() if isinstance(text, str) else text
    return list(FORM.read(io.BytesIO(raw), ReadOptions(lenient=lenient)))


def raw(text: str, *, lenient: bool = False) -> RawGame:
    (found,) = read(text, lenient=lenient)
    assert isinstance(found, RawGame), found
    return found


def plain(nodes: tuple[Node, ...]) -> list[str]:
    return [f"{node.move.from_square.name}{node.move.to_square.name}" for node in nodes if node.move]
