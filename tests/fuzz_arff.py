#!/usr/bin/env python3
"""Change ARFF files at random and read them: what the reference reader says has to come out, whatever the bytes.

    python tests/fuzz_arff.py [SECONDS] [--seed N] [--keep FOLDER]

Meant for a build with the address sanitizer (docs/data.md says how). A file that comes out differently, or takes
suspiciously long, is kept in FOLDER. Memory is watched, too: it must not grow.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import reference_arff

from treeforge.data import arff
from treeforge.data.show import json_chunks
from treeforge.errors import DataError

HERE = Path(__file__).resolve().parent
FRAGMENTS = [
    b",", b" ", b"\t", b"\n", b"\r", b"\r\n", b"'", b'"', b"\\", b"%", b"{", b"}", b"?", b"'?'", b"0", b"1", b"-",
    b".", b"e", b"5.", b".5", b"-0", b"1e5", b"1e400", b"123456789", b"0.1234567890123456", b"12345678901234567890",
    b"NaN", b"-Infinity", b"0x1p3", b"1d", b"<null>", b"@data", b"@attribute", b"@relation", b"@inputs", b"@outputs",
    b"{5}", b"{0 1}", b"{}", b"{1 x,0 1}", b"a", b"x", b"\\n", b"\\'", b"\\101", b"\xc3\xa9", b"\xff", b"\x00",
    b"\xe6\x9d\xb1", b"\xef\xbb\xbf", b"'a b'", b'"a,b"', b"abcdefgh", b"abcdefghi", b"'", b"[0,1]", b"numeric",
    b"string", b"real", b"12345678", b"-1234567", b"1234567.", b"99999999.9", b"0.30000000000000004",
    b",,", b", ", b"x,", b",\n", b"{1", b"1}", b" " * 70, b"z" * 70, b"9" * 70,
]  # fmt: skip


class Drip:
    """A stream that gives a few bytes at a time: then every place is the border of a block once."""

    def __init__(self, content: bytes, sizes: random.Random | None) -> None:
        self.content, self.sizes, self.n_bytes = content, sizes, len(content)

    def readinto(self, buffer: memoryview) -> int:
        n = min(
            len(buffer), len(self.content), self.sizes.choice([1, 2, 7, 64, 500]) if self.sizes else 1 << 30
        )
        buffer[:n] = self.content[:n]
        self.content = self.content[n:]
        return n

    def close(self) -> None:
        pass


def ours(content: bytes, sizes: random.Random | None = None) -> dict[str, Any] | None:
    """What the reader says; None for a refusal."""
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    with mock.patch.object(arff, "open_bytes", return_value=Drip(content, sizes)):
        try:
            found: dict[str, Any] = json.loads("".join(json_chunks(arff.read_arff("any.arff"))))
        except DataError as fault:
            refusal = fault
        else:
            return found
    placeholder_left = "{" in refusal.message.split("'")[0]
    if placeholder_left or not (
        refusal.line and refusal.line >= 1 and refusal.column and refusal.column >= 1
    ):
        raise AssertionError(str(refusal))
    return None


def reference(content: bytes) -> dict[str, Any] | None:
    try:
        return reference_arff.read(content)
    except reference_arff.Refused:
        return None


def differ(content: bytes, sizes: random.Random | None = None) -> str | None:
    """How the two differ about a file; None when they agree."""
    wanted, found = reference(content), ours(content, sizes)
    if wanted == found:
        return None
    return f"wanted {str(wanted)[:2000]}\n found {str(found)[:2000]}"


def seeds() -> Iterator[bytes]:
    """Files to start from."""
    for path in sorted((HERE / "data" / "fuzzed").glob("*.arff")):
        yield path.read_bytes()
    head = b"@relation r\n@attribute a numeric\n@attribute b {x,y,'z z','?',abcdefgh,abcdefghi}\n"
    head += b"@attribute c string\n"
    yield head + b"@data\n1,x,q\n-2.5,y,'a b' % remark\n?,?,?\n{0 1,1 y,2 q}\n3 'z z' w {0.5}\n"
    keel = b"@relation k\n@attribute a real [0, 1]\n@attribute c {p, n}\n"
    yield keel + b"@inputs a\n@outputs c\n@data\n0.5, p\n<null>, n\n"
    yield (
        b"@relation n\n"
        + b"".join(b"@attribute a%d numeric\n" % i for i in range(20))
        + b"@data\n"
        + (b",".join(b"%d" % (7 * i * i) for i in range(20)) + b"\n") * 20
    )
    yield (
        b"@relation w\n@attribute s string\n@attribute t string\n@data\n"
        + b"'it\\'s',\"\\\"\"\nplain,'\\101\\n'\n" * 9
    )


def mutated(content: bytes, random: random.Random, others: list[bytes]) -> bytes:
    """A few random changes."""
    found = bytearray(content)
    for _ in range(random.choice([1, 1, 2, 3, 5, 9])):
        place = random.randrange(len(found) + 1)
        stop = min(len(found), place + random.choice([0, 1, 1, 2, 5, 30]))
        what = random.randrange(6)
        if what == 0:
            del found[place:stop]
        elif what == 1:
            found[place:place] = random.choice(FRAGMENTS)
        elif what == 2:
            found[place:stop] = random.choice(FRAGMENTS)
        elif what == 3:
            found[place:place] = found[place:stop] * random.randrange(4)
        elif what == 4 and place < len(found):
            found[place] = random.randrange(256)
        else:
            other = random.choice(others)
            start = random.randrange(len(other) + 1)
            found[place:stop] = other[start : start + random.randrange(40)]
    return bytes(found)


def declares_an_encoding(content: bytes) -> bool:
    """Dates and declared encodings are beyond the reference reader."""
    return b"date" in content.lower()


def resident() -> int:
    """Memory of this process in bytes, as Linux counts it."""
    return 4096 * int(Path("/proc/self/statm").read_text().split()[1])


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("seconds", nargs="?", type=float, default=600)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--keep", type=Path, default=Path("fuzzed"))
    args = arguments.parse_args()
    source = random.Random(args.seed)
    pool = list(seeds())
    n_files = n_read = n_found = 0
    start = time.monotonic()
    memory = 0
    while time.monotonic() - start < args.seconds:
        content = mutated(source.choice(pool), source, pool)
        if declares_an_encoding(content):
            continue
        before = time.monotonic()
        difference = differ(content, source if source.random() < 0.3 else None)
        if difference is None and time.monotonic() - before > 5:
            difference = "slow"
        n_files += 1
        if difference is not None:
            n_found += 1
            args.keep.mkdir(exist_ok=True)
            path = args.keep / f"{args.seed}-{n_files}.arff"
            path.write_bytes(content)
            print(f"{path}: {difference}", flush=True)
        elif n_files % 20 == 0 and reference(content) is not None and len(content) < 3000:
            n_read += 1
            pool[4 + n_read % 200 :][:1] = [content]  # keep what is still readable as a new start
            pool.append(content) if len(pool) < 300 else pool.__setitem__(4 + n_read % 290, content)
        if n_files == 5000:
            memory = resident()
    grown = resident() - memory if memory else 0
    print(f"{n_files} files, {n_found} read differently, memory grew by {grown / 1e6:.1f} MB")
    return 1 if n_found or grown > 50e6 else 0


if __name__ == "__main__":
    sys.exit(main())
