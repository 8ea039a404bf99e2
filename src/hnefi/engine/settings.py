"""Options of the engine program (UGI `setoption`), with their bounds, and the engine they configure."""

from hnefi._core import Rules
from hnefi.engine.levels import levels
from hnefi.engine.native import MOST_TABLE_MIB, MOST_THREADS, Engine
from hnefi.engine.ugi import Option, whole_number
from hnefi.errors import shorten
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant

_MAX_LINES = 500


class Settings:
    """The current options, and the engine that they configure.

    Attributes:
        level: 1 to 10; 0 for full strength.
        seed: The seed of the moves at levels; random if empty.
        lines: How many lines to report.
    """

    def __init__(self, found: Variant, *, threads: int = 1, table_mib: int = 64, level: int = 0) -> None:
        self.level = level
        self.seed = ""
        self.lines = 1
        self._variant = found
        self._custom_rules: Rules | None = None
        self._threads = threads
        self._table_mib = table_mib
        self._proves = True
        self._engine: Engine | None = None

    @property
    def rules(self) -> Rules:
        """The rules that are set."""
        return self._custom_rules or self._variant.rules

    @property
    def variant_id(self) -> str:
        """The id of the variant, `custom` if rules are set."""
        return "custom" if self._custom_rules else self._variant.id

    @property
    def engine(self) -> Engine:
        """The engine, created on first use."""
        if self._engine is None:
            self._engine = Engine(threads=self._threads, table_mib=self._table_mib, proves=self._proves)
        return self._engine

    def close(self) -> None:
        """Closes the engine."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def options(self) -> tuple[Option, ...]:
        """Returns the options with their defaults."""
        return (
            Option("Threads", "spin", "1", least=1, most=MOST_THREADS),
            Option("Hash", "spin", "64", least=1, most=MOST_TABLE_MIB),
            Option("MultiPV", "spin", "1", least=1, most=_MAX_LINES),
            Option("Level", "spin", "0", least=0, most=len(levels())),
            Option("Seed", "string"),
            Option("Proofs", "check", "true"),
            Option("Variant", "combo", self._variant.id, choices=variant_ids()),
            Option("Switches", "string"),
            Option("Rules", "string"),
        )

    def set(self, name: str, value: str) -> bool:
        """Sets an option; returns whether the rules changed.

        Raises:
            ValueError: If there is no such option, or the value is invalid.
            VariantError: If there is no such variant, or the rules are invalid.
        """
        option = next((one for one in self.options() if one.name.lower() == name.lower()), None)
        if option is None:
            raise ValueError(f"setoption {shorten(name, 40)}: no such option")
        value = "" if value == "<empty>" else value
        if option.kind == "spin":
            self._set_number(option, value)
        elif option.name == "Seed":
            self.seed = value
        elif option.name == "Proofs":
            if value.lower() not in ("true", "false"):
                raise ValueError(f"setoption: {shorten(value, 40)}, expected true or false")
            self._proves = value.lower() == "true"
            self.close()
        else:
            self._set_rules(option.name, value)
            return True
        return False

    def _set_number(self, option: Option, value: str) -> None:
        number = whole_number(value)
        least, most = option.least or 0, option.most or 0
        if number is None or not least <= number <= most:
            raise ValueError(f"setoption {option.name}: {shorten(value, 40)}, expected {least} to {most}")
        if option.name == "MultiPV":
            self.lines = number
        elif option.name == "Level":
            self.level = number
        else:
            if option.name == "Threads":
                self._threads = number
            else:
                self._table_mib = number
            self.close()

    def _set_rules(self, name: str, value: str) -> None:
        if name == "Variant":
            self._variant, self._custom_rules = variant(value), None
        elif name == "Switches":
            from hnefi.record.headers import parse_switches

            switches = parse_switches(value) if value else {}
            if switches is None:
                raise ValueError(f"setoption Switches: {shorten(value)}, expected key=value …")
            plain = variant(self._variant.id) if self._variant.id in variant_ids() else self._variant
            self._variant, self._custom_rules = plain.with_switches(switches) if switches else plain, None
        else:
            self._custom_rules = Rules(value) if value else None
