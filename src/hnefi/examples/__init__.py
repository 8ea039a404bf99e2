"""A small example for each rule: a position and a move that come out otherwise under another value.

They are found by the rules themselves, for any rules, and the same each time. `SILENT` names the rules that
no single move shows.

>>> from hnefi import variant
>>> from hnefi.examples import example, example_text
>>> shown = example(variant("brandub-globe"), "throne_stop")
>>> shown.value, shown.other
('none', 'attackers')
>>> example_text(shown, "en").split(" With ")[0]
'The attacker may not go from d3 to d4. Stopping on the throne (d4) is forbidden to the attackers.'
"""

from hnefi.examples.finding import example
from hnefi.examples.model import Effect, Example
from hnefi.examples.others import SILENT
from hnefi.examples.telling import example_text

__all__ = ["SILENT", "Effect", "Example", "example", "example_text"]
