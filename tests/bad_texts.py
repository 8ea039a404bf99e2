"""Bad texts for fuzzing: texts of a corpus with mutations, and noise."""

import random
import re

AWKWARD = (
    "\x00\x07\x1b\n\r\t\x85\u00a0\u0301\u0660\u2028\u200b\u202e\ufeff\ud800\U0001f451"
    "é×–—''\"\\{}[]()<>*!@/|#;:=,.-+"
)
NUMBERS = (
    *("-1", "0", "00", "1", "1.5", "1e9", "18", "19", "20"),
    *("999999", "1000000", "4294967296", "9" * 40, "NaN"),
)


def mutated(rng: random.Random, corpus: list[str]) -> str:
    """Returns a text of the corpus with one to six mutations; in five percent of the cases noise."""
    if rng.random() < 0.05:
        return noise(rng, rng.choice([0, 1, 10, 200]))
    text = rng.choice(corpus)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        text = changed(rng, text, corpus)
    return text


def noise(rng: random.Random, length: int) -> str:
    """Returns random characters, awkward ones with a higher probability."""
    plain = "atTKd0123456789/-x "
    return "".join(
        rng.choice(rng.choice([plain, AWKWARD, chr(rng.randrange(0x11000))])) for _ in range(length)
    )


def changed(rng: random.Random, text: str, corpus: list[str]) -> str:
    """Changes a text in one place."""
    begin = rng.randrange(len(text) + 1)
    end = min(len(text), begin + rng.choice([0, 1, 1, 2, 5, 20, 200]))
    kind = rng.randrange(11)
    if kind == 0:
        return text[:begin] + text[end:]
    if kind == 1:
        return text[:begin] + noise(rng, rng.choice([1, 1, 2, 8])) + text[end:]
    if kind == 2:
        return text[:end] + text[begin:end] * rng.choice([1, 2, 50, 2000]) + text[end:]
    if kind == 3:
        other = rng.choice(corpus)
        place = rng.randrange(len(other) + 1)
        return text[:begin] + other[place : place + rng.choice([1, 5, 40, 400])] + text[end:]
    if kind == 4:
        return text[:begin]
    if kind == 5:
        return re.sub(r"\d+", lambda found: rng.choice([found.group(), rng.choice(NUMBERS)]), text)
    if kind == 6:
        words = re.split(r"(\W+)", text)
        one, two = rng.randrange(len(words)), rng.randrange(len(words))
        words[one], words[two] = words[two], words[one]
        return "".join(words)
    if kind == 7:
        return (
            text.swapcase() if rng.random() < 0.5 else text[:begin] + text[begin:end].swapcase() + text[end:]
        )
    if kind >= 9:  # one letter becomes another one of the text, so that much of it stays readable
        return text[:begin] + rng.choice(text or " ") + text[begin + 1 :]
    lines = text.splitlines(keepends=True) or [""]
    rng.shuffle(lines)
    return "".join(lines)
