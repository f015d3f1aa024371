"""The figures of a report, one module each: numbers in, a ``Drawing`` out."""
