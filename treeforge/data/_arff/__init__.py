"""The bytes of an ARFF file into a schema and columns.

*Line*: ends at a line feed, a carriage return, or both. ARFF has no token that spans lines, so the scanner works on
*blocks* of whole lines, and every inner loop stops at a line end without counting bytes.
*Token*: a quoted text, a brace, or a *word*: a run of other bytes. Commas, blanks and control characters only
part tokens; ``%`` starts a remark; so Weka's ``StreamTokenizer`` sees it.
*Plain*: a word or number of the common form, which is read eight bytes at a time. Everything else is *put aside* as a
place in the block, and finished in Python when the block is done: escapes, dates, texts, ``1e400``, ``Infinity``.

``header`` reads the declarations, ``scanner`` the rows: it stands on ``rows``, ``lines`` and ``arena``; ``rows`` on
``words``, ``decimals`` and ``tokens``; all know the ``faults``. What every plain value needs is written in ``.pxd``
files and compiled into the loop over the rows. The rest is called: when it was inlined, too, it crowded the loop, which
then took 42 % more instructions for a table of whole numbers.
"""
