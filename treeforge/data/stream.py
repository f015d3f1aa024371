"""Bytes of a data file, as UTF-8 without byte order mark, whatever it is compressed with or written in."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from treeforge.errors import DataError, nearest

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = rb"[ \t]*(?:-\*-[ \t]*)?(?:en)?coding[ \t]*[:=][ \t]*[\"']?([-\w.]+)"
_PEEK = 4096

NOT_UTF8 = (
    "this is not UTF-8. If it is Latin-1, as older programs in western Europe write it: --encoding=latin-1 "
    "(in a pipeline file encoding: latin-1, in Python encoding='latin-1')"
)
_COMPRESSION = 3  # how much smaller gzip makes most tables, at least
_MOST_COMPRESSION = 1032  # and at best


def plain_name(path: str | os.PathLike[str]) -> str:
    """A file's name without folder and endings of data files."""
    name = Path(path).name
    return re.sub(r"(?i)(\.(arff|csv|tsv|parquet|names|data|test))?(\.gz)?$", "", name) or name


def open_bytes(path: str | os.PathLike[str], encoding: str | None = None, *, remark: bytes = b"") -> Source:
    """Open a file for reading. Whether it is gzip-compressed is seen in the file, not in its name.

    Parameters
    ----------
    path : path
    encoding : str, optional
        Without it: what a byte order mark or, where ``remark`` starts a comment, one of the first two lines
        declares; else UTF-8.
    """
    name = os.fspath(path)
    with _faults_in_our_words(name):
        if encoding is not None and not codecs.lookup(encoding)._is_text_encoding:
            raise DataError(f"'{encoding}' is no encoding of text", file=name)
        plain = open(path, "rb")  # noqa: SIM115
        try:
            stream: Any = plain
            n_bytes = os.fstat(plain.fileno()).st_size
            if plain.peek(2)[:2] == b"\x1f\x8b":
                n_bytes = _unpacked_size(plain, n_bytes)
                stream = io.BufferedReader(gzip.GzipFile(fileobj=plain), _PEEK)
            return Source(name, plain, n_bytes, *_decoded(stream, encoding, remark))
        except BaseException:
            plain.close()
            raise


@contextmanager
def _faults_in_our_words(name: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise DataError(f"the compressed file is damaged: {fault}", file=name) from None
    except FileNotFoundError as fault:
        raise DataError(f"{fault.strerror}{_near(Path(name))}", file=name) from None
    except OSError as fault:
        raise DataError(fault.strerror or str(fault), file=name) from None
    except LookupError as fault:
        raise DataError(f"no encoding has this name: {fault}", file=name) from None


def _near(path: Path) -> str:
    """The file of the same form beside it that has nearly this name, as a hint."""
    try:
        return nearest(path.name, sorted(p.name for p in path.parent.iterdir() if p.suffix == path.suffix))
    except OSError:  # no folder that can be read
        return ""


def _unpacked_size(file: IO[bytes], n_packed: int) -> int:
    """What the last four bytes of a gzip file say; a guess where that cannot be (more members, or 4 GB)."""
    if not file.seekable() or n_packed < 18:
        return n_packed
    file.seek(-4, os.SEEK_END)
    said = int.from_bytes(file.read(4), "little")
    file.seek(0)
    return said if n_packed // 2 <= said <= _MOST_COMPRESSION * n_packed else _COMPRESSION * n_packed


def _decoded(
    stream: io.BufferedReader, encoding: str | None, remark: bytes
) -> tuple[Any, codecs.IncrementalDecoder | None]:
    """The stream behind a byte order mark, and the decoder that it needs; none for UTF-8, unless it is asked for.

    Then a byte that does not fit is a fault of what was asked.
    """
    start = stream.peek(_PEEK)
    asked = encoding is not None
    for mark, marked in _MARKS:
        if start.startswith(mark):
            stream.read(len(mark))
            encoding, asked = marked, False
            break
    else:
        if encoding is None and remark:
            for line in re.split(rb"\r\n?|\n", start, maxsplit=2)[:2]:
                found = re.match(re.escape(remark) + _DECLARED, line)
                if found and _is_encoding(found[1].decode()):
                    encoding = found[1].decode()
    codec = codecs.lookup(encoding or "utf-8")
    ours = codec.name in ("utf-8", "ascii") and not asked
    return stream, None if ours else codec.incrementaldecoder()


def _is_encoding(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:
        return False


class Source(io.RawIOBase):
    """Bytes of a file, UTF-8; faults of reading said in our words.

    Attributes
    ----------
    n_bytes : int
        How many there are, about.
    """

    def __init__(
        self,
        name: str,
        file: IO[bytes],
        n_bytes: int,
        stream: io.BufferedReader,
        decoder: codecs.IncrementalDecoder | None,
    ) -> None:
        self.n_bytes = n_bytes
        self._name = name
        self._file = file
        self._stream = stream
        self._decoder = decoder
        self._left = b""
        self._line = 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _faults_in_our_words(self._name):
            if self._decoder is None:
                return self._stream.readinto(buffer)
            while not self._left:
                block = self._stream.read(1 << 16)
                self._left = self._recoded(block)
                if not block:
                    break
        n = min(len(buffer), len(self._left))
        buffer[:n] = self._left[:n]
        self._left = self._left[n:]
        return n

    def _recoded(self, block: bytes) -> bytes:
        """A block, the last one if it is empty, as UTF-8."""
        assert self._decoder is not None
        try:
            text = self._decoder.decode(block, final=not block)
            self._line += text.count("\n")
            return text.encode()
        except UnicodeError as fault:
            message = f"this is not in the encoding that was declared: {fault}"
            raise DataError(message, file=self._name, line=self._line) from None

    def close(self) -> None:
        self._file.close()
        super().close()


class Target:
    """A file that appears under its name when it is complete.

    Parameters
    ----------
    path : path, or a binary stream
        Compressed with gzip when it ends in ``.gz``. A stream stays open.
    """

    def __init__(self, path: str | os.PathLike[str] | IO[bytes]) -> None:
        self._file: IO[bytes] | None = None
        if not isinstance(path, str | os.PathLike):
            self.name = "standard output"
            self._stream = path
            return
        self.name = os.fspath(path)
        self._path = Path(path)
        self._part = self._path.with_name(self._path.name + ".part")
        try:
            self._file = self._stream = self._part.open("wb")
        except OSError as fault:
            raise DataError(fault.strerror or str(fault), file=self.name) from None
        if self._path.suffix.lower() == ".gz":  # no time and no name in it: the same data are the same bytes
            self._stream = gzip.GzipFile("", "wb", 6, self._file, mtime=0)  # type: ignore[assignment]

    def write(self, data: bytes) -> None:
        """Append bytes."""
        try:
            self._stream.write(data)
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise DataError(fault.strerror or str(fault), file=self.name) from None

    def close(self) -> None:
        """Complete the file; where that cannot be, leave none."""
        if self._file is None:
            return
        try:
            if self._stream is not self._file:
                self._stream.close()
            self._file.close()
            os.replace(self._part, self._path)
        except OSError as fault:
            self.discard()
            raise DataError(fault.strerror or str(fault), file=self.name) from None

    def discard(self) -> None:
        """Leave no file."""
        if self._file is not None:
            with suppress(OSError):  # what is still in its buffer finds no room either
                self._file.close()
            self._part.unlink(missing_ok=True)
