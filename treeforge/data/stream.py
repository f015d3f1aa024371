"""Bytes of a data file, as UTF-8 without byte order mark, whatever it is compressed with or written in."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
from pathlib import Path
from typing import IO, Any

from treeforge.errors import DataError

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = rb"[ \t]*(?:-\*-[ \t]*)?(?:en)?coding[ \t]*[:=][ \t]*[\"']?([-\w.]+)"
_PEEK = 4096


def plain_name(path: str | os.PathLike[str]) -> str:
    """A file's name without folder and endings of data files."""
    name = Path(path).name
    return re.sub(r"(?i)(\.(arff|csv|tsv|parquet|names|data|test))?(\.gz)?$", "", name) or name


def open_bytes(
    path: str | os.PathLike[str], encoding: str | None = None, *, remark: bytes = b""
) -> IO[bytes]:
    """Open a file for reading. Whether it is gzip-compressed is seen in the file, not in its name.

    Parameters
    ----------
    path : path
    encoding : str, optional
        Without it: what a byte order mark or, where ``remark`` starts a comment, one of the first two lines
        declares; else UTF-8.
    """
    name = os.fspath(path)
    try:
        plain = open(path, "rb")  # noqa: SIM115
        try:
            stream: Any = plain
            if plain.peek(2)[:2] == b"\x1f\x8b":
                stream = io.BufferedReader(gzip.GzipFile(fileobj=plain), _PEEK)
            return _Source(name, plain, *_decoded(stream, encoding, remark))  # type: ignore[return-value]
        except BaseException:
            plain.close()
            raise
    except OSError as fault:
        raise DataError(fault.strerror or str(fault), file=name) from None
    except LookupError:
        raise DataError(f"no encoding is called '{encoding}'", file=name) from None
    except EOFError as fault:
        raise DataError(str(fault), file=name) from None


def _decoded(
    stream: io.BufferedReader, encoding: str | None, remark: bytes
) -> tuple[Any, codecs.IncrementalDecoder | None]:
    """The stream behind a byte order mark, and the decoder that it needs; none for UTF-8."""
    start = stream.peek(_PEEK)
    for mark, marked in _MARKS:
        if start.startswith(mark):
            stream.read(len(mark))
            encoding = marked
            break
    else:
        if encoding is None and remark:
            for line in re.split(rb"\r\n?|\n", start)[:2]:
                found = re.match(re.escape(remark) + _DECLARED, line)
                if found and _is_encoding(found[1].decode()):
                    encoding = found[1].decode()
    codec = codecs.lookup(encoding or "utf-8")
    return stream, None if codec.name in ("utf-8", "ascii") else codec.incrementaldecoder()


def _is_encoding(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False


class _Source(io.RawIOBase):
    """Decoding, and faults of reading said in our words."""

    def __init__(
        self, name: str, file: IO[bytes], stream: io.BufferedReader, decoder: codecs.IncrementalDecoder | None
    ) -> None:
        self._name = name
        self._file = file
        self._stream = stream
        self._decoder = decoder
        self._left = b""
        self._line = 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            if self._decoder is None:
                return self._stream.readinto(buffer)
            while not self._left:
                block = self._stream.read(1 << 16)
                text = self._decoder.decode(block, final=not block)
                self._left = text.encode()
                if not block:
                    break
                self._line += text.count("\n")
        except UnicodeDecodeError as fault:
            line = self._line + fault.object[: fault.start].count(b"\n")
            raise DataError(
                f"this is not {fault.encoding}: {fault.reason}", file=self._name, line=line
            ) from None
        except (OSError, EOFError) as fault:
            raise DataError(f"cannot be read: {fault}", file=self._name) from None
        except Exception as fault:  # zlib.error has no base of its own
            raise DataError(f"cannot be decompressed: {fault}", file=self._name) from None
        n = min(len(buffer), len(self._left))
        buffer[:n] = self._left[:n]
        self._left = self._left[n:]
        return n

    def close(self) -> None:
        self._file.close()
        super().close()
