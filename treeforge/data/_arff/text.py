"""The text that a token means."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|[0-7]{1,2}|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def unquoted(token: bytes) -> str:
    """The text that a token means: outer quotes off, escapes resolved as Java's StreamTokenizer does."""
    if token[:1] in (b"'", b'"'):
        token = token[1:-1]
        if b"\\" in token:
            token = _ESCAPE.sub(lambda match: _unescaped(match[1]), token)
    return token.decode()


def _unescaped(code: bytes) -> bytes:
    if code.isdigit() and code < b"8":
        return chr(int(code, 8)).encode()
    return _ESCAPED.get(code, code)


def shown(token: bytes) -> str:
    """A token for a message: readable and short."""
    text = token.decode("utf-8", "replace")
    return text if len(text) <= 40 else text[:37] + "..."
