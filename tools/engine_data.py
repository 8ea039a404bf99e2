"""What the engine of the pages needs beside its WebAssembly: levels, weights, networks and opening books."""

import gzip
import json
import runpy
import tomllib
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1] / "src" / "hnefi"
LEVELS = PACKAGE / "engine" / "levels.toml"
MEASURE = PACKAGE / "measure.py"


def weights_files() -> list[dict[str, Any]]:
    """Returns the contents of all files of weights."""
    paths = sorted((PACKAGE / "weights").glob("*.json"))
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    for file in files.values():
        # A file that names another has its weights.
        if isinstance(file["weights"], str):
            file["weights"] = files[file["weights"]]["weights"]
    return list(files.values())


def write_networks(folder: Path) -> None:
    """Writes the network of each file of weights as a file of its own, and a module with their addresses."""
    paths: dict[str, Path] = {}
    addresses = []
    for file in weights_files():
        if network := (file["weights"] or {}).get("network"):
            path = paths.setdefault(network, folder / f"{file['variant']}.network")
            path.write_text(network, encoding="utf-8")
            addresses.append(f"{json.dumps(file['rules'])}: network{list(paths).index(network)}")
    files = [json.dumps(str(path)) for path in paths.values()]
    imports = [f"import network{number} from {file};" for number, file in enumerate(files)]
    module = "\n".join([*imports, f"export default {{ {', '.join(addresses)} }};", ""])
    (folder / "networks.ts").write_text(module, encoding="utf-8")


def write_books(folder: Path) -> None:
    """Writes each opening book as a file of its own, and a module with their addresses by rules.

    What its scores mean is added to the file.
    """
    meanings = {
        file["rules"]: {key: file[key] for key in ("scale", "offset", "margin")} for file in weights_files()
    }
    imports, addresses = [], []
    for number, source in enumerate(sorted((PACKAGE / "books").glob("*.json"))):
        book = json.loads(source.read_text(encoding="utf-8"))
        if meaning := meanings.get(book["rules"]):
            book["calibration"] = meaning
        path = folder / f"{source.stem}.book"
        path.write_text(json.dumps(book, separators=(",", ":")), encoding="utf-8")
        imports.append(f"import book{number} from {json.dumps(str(path))};")
        addresses.append(f"{json.dumps(book['rules'])}: book{number}")
    module = "\n".join([*imports, f"export default {{ {', '.join(addresses)} }};", ""])
    (folder / "books.ts").write_text(module, encoding="utf-8")


def write_compressed(folder: Path) -> None:
    """Compresses the files that classic scripts have in them with gzip; networks do not become smaller."""
    for path in [*folder.glob("*.wasm"), *folder.glob("*.book")]:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    books = (folder / "books.ts").read_text(encoding="utf-8").replace('.book"', '.book.gz"')
    (folder / "compressed_books.ts").write_text(books, encoding="utf-8")


def levels_and_weights() -> dict[str, object]:
    """Returns the levels of the engine, and the files of weights by the hash of their rules."""
    fitted = {file["rules"]: calibrated(file) for file in weights_files()}
    return {"levels": tomllib.loads(LEVELS.read_text(encoding="utf-8"))["level"], "fitted": fitted}


def calibrated(file: dict[str, Any]) -> dict[str, object]:
    """Returns what the browser needs of a file of weights."""
    # The package cannot be imported before its core is compiled; this module of it needs no other.
    spread = runpy.run_path(str(MEASURE))["calibration_spread"]
    held_out = file.get("calibration", {}).get("held_out", ())
    kept = ("without_limit", "scale", "offset", "margin", "mistake_odds")
    terms = file["weights"] and {key: file["weights"][key] for key in ("terms", "squares")}
    facts = {key: file[key] for key in kept if key in file}
    return {**facts, "weights": terms, "spread": spread(held_out)}
