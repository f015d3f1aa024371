"""Any text as LaTeX: names from files must neither break a document nor give it commands (case X01)."""

from __future__ import annotations

import unicodedata

_PLAIN = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
    "[": "{[}", "]": "{]}", "*": "{*}",  # \\ would take these for its own arguments
    "-": "{-}", ",": "{,}", "!": "{!}", "?": "{?}",  # no ligatures
    "−": r"\textminus{}", "–": r"\textendash{}", "±": r"\textpm{}", "…": r"\dots{}", "·": r"\textperiodcentered{}",
    "\u202f": r"\,", "\u00a0": "~", "▲": r"\tfbetter{}", "▼": r"\tfworse{}", "’": "'", "“": "``", "”": "''",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "ð": r"\dh{}", "Ð": r"\DH{}", "þ": r"\th{}", "Þ": r"\TH{}",
    "đ": r"\dj{}", "Đ": r"\DJ{}", "×": r"\texttimes{}", "°": r"\textdegree{}", "µ": r"\textmu{}", "§": r"\S{}",
    "€": r"\texteuro{}", "£": r"\pounds{}", "©": r"\textcopyright{}",
}  # fmt: skip

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c", "\u0328": "k",
}  # fmt: skip

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))


def escape(text: str) -> str:
    """Text that LaTeX sets as it stands, on one line, under every engine.

    Examples
    --------
    >>> print(escape("50%_of <b>"))
    50\\%\\_of \\textless{}b\\textgreater{}
    """
    return "".join(_one(c) for c in unicodedata.normalize("NFC", text))


def _one(c: str) -> str:
    if c in _PLAIN:
        return _PLAIN[c]
    if c.isascii():
        return c if c.isprintable() else " "
    if c in _GREEK:
        return rf"\ensuremath{{\{_GREEK[c]}}}"
    if c in _RAISED:
        return rf"\textsuperscript{{{_RAISED[c]}}}"
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS:
        base = {"i": r"\i", "j": r"\j"}.get(parts[0], parts[0])
        return rf"\{_ACCENTS[parts[1]]}{{{base}}}"
    if unicodedata.combining(c) or unicodedata.category(c)[0] == "C":
        return ""
    return rf"\tfunicode{{{ord(c):X}}}"


def length(text: str) -> int:
    """How many characters a text takes on paper; those that may have to be written as their numbers take more."""
    return sum(6 if _one(c).startswith(r"\tfunicode") else 1 for c in unicodedata.normalize("NFC", text))


def breakable(text: str, every: int = 12) -> str:
    """Escaped text that may be broken inside a long word: hashes, paths, names without a blank."""
    parts, run = [], 0
    for c in unicodedata.normalize("NFC", text):
        parts.append(_one(c))
        run = 0 if c == " " else run + 1
        if run >= every:
            parts.append(r"\allowbreak{}")
            run = 0
    return "".join(parts)
