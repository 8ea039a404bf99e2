"""A small example for each rule: a position and a move with another effect under another value.

Examples are searched for with the core, for any rules; the search is deterministic. `SILENT` names the rules
that no single move shows.

>>> from hnefi import variant
>>> from hnefi.examples import example, example_text
>>> shown = example(variant("brandub-globe"), "throne_stop")
>>> shown.value, shown.other
('none', 'attackers')
>>> example_text(shown, "en").split(" With ")[0]
'The attacker may not move from d3 to d4. d4 is the throne: the attackers may not stop there.'
"""

from hnefi.examples.alternatives import SILENT
from hnefi.examples.explanation import example_text
from hnefi.examples.model import Effect, Example
from hnefi.examples.search import example

__all__ = ["SILENT", "Effect", "Example", "example", "example_text"]
