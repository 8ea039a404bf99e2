"""How do I analyse without blocking an event loop, and stop when I know enough?"""

import asyncio

from hnefi import Engine, Game, Limit, variant


async def analyse(engine: Engine, game: Game) -> str:
    """Returns the best move of a search that ends at depth 5, or after two seconds."""
    stream = engine.analyse_async(game, Limit(time_ms=2_000), lines=1)
    best = None
    async for analysis in stream:
        best = analysis.best
        if analysis.depth >= 5:
            stream.stop()
    return f"depth {analysis.depth}: {best.move if best else 'over'}"


async def main() -> None:
    """Analyses two games at the same time, each with an engine of its own."""
    brandub, ard_ri = (variant(name).new_game() for name in ("brandub-globe", "ard-ri-globe"))
    with Engine(table_mib=8) as one, Engine(table_mib=8) as two:
        found = await asyncio.gather(analyse(one, brandub), analyse(two, ard_ri))
    print(*found, sep="\n")


asyncio.run(main())
