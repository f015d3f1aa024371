"""Numbers of c45.md section 13."""

import numpy as np
import pytest

from treeforge.data.weka_folds import JavaRandom, stratify, test_block


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (10, [5, 8, 7, 3, 4, 4, 4, 6, 8, 8, 9, 3]),
        (150, [135, 88, 97, 63, 104, 4]),
        (16, [11, 1, 6, 6, 3, 0]),
        (2**30 + 1, [215764588, 880641847, 874970313, 446064254]),
    ],
)
def test_generator_draws_what_java_draws(n, expected):
    generator = JavaRandom(1)
    assert [generator.next_int(n) for _ in expected] == expected
    assert JavaRandom(1).next_ints(np.full(len(expected), n)).tolist() == expected


def test_blocks_of_draws_go_on_where_single_draws_stopped():
    bounds = np.concatenate([np.arange(1, 20_000), np.full(300, 2**30 + 1), np.full(300, 1 << 20)])
    single, block = JavaRandom(-7), JavaRandom(-7)
    expected = [single.next_int(int(n)) for n in bounds[:400]]
    assert block.next_ints(bounds).tolist()[:400] == expected
    tail = JavaRandom(-7)
    tail.next_ints(bounds[:-5])
    assert tail.next_ints(bounds[-5:]).tolist() == JavaRandom(-7).next_ints(bounds).tolist()[-5:]


def test_shuffle_of_iris_rows():
    shuffled = JavaRandom(1).shuffle(np.arange(150, dtype=np.int32))
    assert shuffled[:10].tolist() == [140, 145, 64, 3, 70, 105, 81, 132, 5, 143]
    assert sorted(shuffled.tolist()) == list(range(150))


def test_stratify_follows_the_swaps_one_by_one():
    rng = np.random.default_rng(3)
    for n in (0, 1, 2, 17, 100):
        classes = rng.integers(-1, 4, n).astype(np.int32)
        rows = rng.permutation(n).astype(np.int32)
        order = rows.tolist()
        i = 1
        while i < n:  # the text of 10.3
            c = classes[order[i - 1]]
            for j in range(i, n):
                if classes[order[j]] == c:
                    order[i], order[j] = order[j], order[i]
                    i += 1
            i += 1
        assert stratify(rows, classes, 3).tolist() == [*order[0::3], *order[1::3], *order[2::3]]


def test_blocks_cover_all_places_once():
    for n, k in ((10, 3), (11, 5), (3, 3), (150, 10)):
        blocks = [test_block(n, k, fold) for fold in range(k)]
        assert [i for block in blocks for i in range(n)[block]] == list(range(n))
        assert max(b.stop - b.start for b in blocks) - min(b.stop - b.start for b in blocks) <= 1
