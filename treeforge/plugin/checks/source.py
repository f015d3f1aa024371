"""What a source of data must satisfy."""

from __future__ import annotations

import numpy as np

from treeforge.plugin.interfaces import Source

_MOST_ROWS = 1 << 20


def blocks_are_of_one_schema(plugin: Source) -> None:
    """All blocks have the same schema with a nominal class, and a bounded number of rows."""
    blocks = list(plugin.blocks(1))
    assert blocks, "it gives no rows"
    for block in blocks:
        assert block.schema == blocks[0].schema, "two blocks have different schemas"
        assert block.schema.class_attribute.is_nominal, "the class is not nominal"
        assert 0 < block.n_rows <= _MOST_ROWS, f"a block has {block.n_rows} rows"


def the_seed_decides(plugin: Source) -> None:
    """The same seed gives the same rows."""
    one, again = list(plugin.blocks(7)), list(plugin.blocks(7))
    assert [b.content_hash for b in one] == [b.content_hash for b in again], "the same seed gave other rows"


def codes_are_declared(plugin: Source) -> None:
    """Every code of a nominal attribute is one of its categories, or unknown."""
    for block in plugin.blocks(1):
        for attribute, column in zip(block.schema.attributes, block.columns, strict=True):
            if attribute.is_nominal:
                good = (column >= -1) & (column < len(attribute.categories))
                assert np.all(good), f"'{attribute.name}' has codes that are not declared"
