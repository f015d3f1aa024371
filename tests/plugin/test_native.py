"""The native seam: one declaration for Cython, C and Numba, and stale builds refused."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace

import pytest

from treeforge.core import declarations
from treeforge.core.capsule import sizes
from treeforge.errors import PluginError
from treeforge.plugin import Splitter, registry
from treeforge.plugin.checks import fitting, tables


def test_records_have_the_size_that_the_compiler_gave_them() -> None:
    for name, size in sizes().items():
        assert declarations.record(name).itemsize == size


def test_header_has_every_struct_with_every_field() -> None:
    text = declarations.header()
    for name, struct in declarations.declarations().structs.items():
        assert f"struct Tf{name} {{" in text
        for field in struct.fields:
            assert field.name in text
    assert "noexcept" not in text
    assert "TF_INTERFACE = " in text


def altered(field: str, value: int) -> type[Splitter]:
    """C4.5's splitter as if it had been compiled against other declarations."""
    kind = declarations.record("SplitterKernel")
    offset = kind.fields[field][1]

    @dataclass(frozen=True)
    class Stale(Splitter):
        def kernel(self, table):
            capsule = registry.create("splitter", "c45").kernel(table)
            pointer = ctypes.pythonapi.PyCapsule_GetPointer
            pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            ctypes.c_int.from_address(pointer(capsule, b"treeforge.splitter") + offset).value = value
            return capsule

    return Stale


@pytest.mark.parametrize("field", ["interface", "size", "node_size", "split_size"])
def test_case_p02_stale_build_is_refused_with_what_to_do(field: str) -> None:
    data = tables.mixed(40)
    with pytest.raises(PluginError, match="rebuild") as caught:
        fitting.tree(altered(field, 977)(), data)
    if field == "interface":
        now = declarations.declarations().constants["INTERFACE"]
        assert "interface 977" in str(caught.value)
        assert f"interface {now}" in str(caught.value)
    assert fitting.tree(registry.create("splitter", "c45"), data).n_nodes > 1


@pytest.mark.parametrize("max_cuts", [65534, -1])
def test_room_that_no_test_can_fill_is_refused(max_cuts: int) -> None:
    data = tables.mixed(40)
    with pytest.raises(PluginError) as caught:
        fitting.tree(altered("max_cuts", max_cuts)(), data)
    assert str(caught.value) == (
        f"the splitter's kernel asks for room for {max_cuts} cuts: max_cuts is 0 to 65533, because a test has at most "
        "65534 branches"
    )
    assert fitting.tree(altered("max_cuts", 65533)(), data).n_nodes > 1


def test_kernel_by_numba_is_the_kernel_in_cython(tmp_path) -> None:
    pytest.importorskip("numba")
    import numba
    import numpy as np

    from treeforge.plugin.numba_kernel import PROPOSE, at, make_splitter, score, set_threshold

    @numba.cfunc(PROPOSE)
    def propose(params, node_, attribute, out_):
        node, out = at(node_, "Node"), at(out_, "Split")
        column = at(node.columns, "Column", attribute)
        out.n_branches = 0
        if column.numbers != 0 and node.n_rows > 0:
            total = 0.0
            for i in range(node.n_rows):
                total += at(column.numbers, "f8", at(node.rows, "u4", i))
            set_threshold(out, total / node.n_rows * at(params, "f8"))
            score(node_, attribute, out_)
        return 0

    @dataclass(frozen=True)
    class MeanByNumba(Splitter):
        def kernel(self, table):
            return make_splitter(propose, np.array([1.0]))

    @dataclass(frozen=True)
    class Mean(Splitter):
        def propose(self, node, attribute):
            if node.is_numeric(attribute):
                total = 0.0
                for value in node.values(attribute).tolist():
                    total += value
                yield [total / node.n_rows]

    data = tables.mixed(300)
    fitting.assert_same(fitting.tree(MeanByNumba(), data), fitting.tree(Mean(), data), "Numba and Python")


def test_kernel_that_needs_no_order_gets_plain_values() -> None:
    """Columns of more than 255 values come as numbers in the order of the cases, for a kernel that asks for them."""
    pytest.importorskip("numba")
    import numba
    import numpy as np

    from treeforge.core.encode import any_encoded
    from treeforge.learn.encode import encode
    from treeforge.plugin.numba_kernel import PROPOSE, at, make_splitter, score, set_threshold

    @numba.cfunc(PROPOSE)
    def propose(params, node_, attribute, out_):
        node, out = at(node_, "Node"), at(out_, "Split")
        values = at(node.numbers, "u8", attribute)
        out.n_branches = 0
        total, known = 0.0, 0
        if values != 0:
            for i in range(node.n_rows):
                value = at(values, "f8", i)
                if value == value:
                    total += value
                    known += 1
        if known > 0:
            set_threshold(out, total / known)
            score(node_, attribute, out_)
        return 0

    @dataclass(frozen=True)
    class MeanOfPlainValues(Splitter):
        def kernel(self, table):
            return make_splitter(propose, needs_rows=False, needs_numbers=True)

    @dataclass(frozen=True)
    class MeanOfManyValues(Splitter):
        """Of the columns that have more than 255 values."""

        def propose(self, node, attribute):
            if attribute in (2, 4):
                total = 0.0
                values = node.values(attribute)
                for value in values.tolist():
                    total += value
                if values.size:
                    yield [total / values.size]

    for unknown in (0.0, 0.2):
        data = tables.mixed(400, unknown=unknown)
        distinct = [np.unique(data.columns[i][~np.isnan(data.columns[i])]).size for i in (0, 2, 4)]
        assert distinct[0] <= 255 < min(distinct[1:])
        plain = fitting.tree(MeanOfPlainValues(), data)
        assert plain.n_nodes > 10
        fitting.assert_same(plain, fitting.tree(MeanOfManyValues(), data), "plain values")
        assert any_encoded(encode(data)).n_listed == 2  # the kernel in Python had the columns ranked


@pytest.mark.parametrize("counts_suffice", [False, True])
def test_kernel_that_can_do_without_codes_says_so(counts_suffice: bool) -> None:
    """Columns that exclude one another come as NULL then, and only then; their classes are counted all the same."""
    pytest.importorskip("numba")
    import numba
    import numpy as np

    from treeforge.core.table import Table
    from treeforge.data import Sample
    from treeforge.learn.build import learner
    from treeforge.learn.learner import Builder
    from treeforge.plugin.numba_kernel import PROPOSE, at, make_splitter, score, set_threshold

    @numba.cfunc(PROPOSE)
    def propose(params, node_, attribute, out_):
        node, out = at(node_, "Node"), at(out_, "Split")
        out.n_branches = 0
        if at(node.bytes, "u8", attribute) == 0:
            set_threshold(out, 0.5)
            score(node_, attribute, out_)
        return 0

    @dataclass(frozen=True)
    class WithoutCodes(Splitter):
        def kernel(self, table):
            return make_splitter(propose, needs_rows=False, counts_suffice=counts_suffice)

    part = np.arange(400) % 4
    table = Table([(part == k).astype(float) for k in range(3)], [0] * 3, (part % 2).astype(np.int32), 2)
    plain = replace(learner({"pruner": "none", "criterion": "gini"}), splitter=WithoutCodes())
    tree = Builder(plain, table).grow(Sample.whole(400), 1)
    assert tree.n_nodes == (5 if counts_suffice else 1)
    if counts_suffice:
        np.testing.assert_array_equal(tree.predict_proba(table).argmax(axis=1), part % 2)
