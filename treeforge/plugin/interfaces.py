"""What a plugin is: the kinds, each with the methods that an author writes.

A plugin is a frozen dataclass. Its fields are the parameters in YAML, its docstring is the help, and its
resolved parameters go into the results. ``__post_init__`` checks them: an invalid plugin cannot exist.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treeforge.compare import Comparison, ScoreTable
    from treeforge.core.model import TreeModel, VoteModel
    from treeforge.core.python_kernel import NodeView
    from treeforge.core.rule_model import RuleModel
    from treeforge.core.table import Table
    from treeforge.core.tree import Tree
    from treeforge.data import Dataset, Sample


class Grow(Protocol):
    """Grows one tree, with the splitter, the criterion and the limits that were chosen."""

    def __call__(self, sample: Sample, seed: int, held: NDArray[np.int32] | None = None) -> Tree:
        """Grow on a sample. ``seed`` is that of the tree's random stream.

        ``held`` are rows held back from the training set: they count among its values and in its size
        (c45.md 6.5), but do not train.
        """


class Plugin(ABC):  # noqa: B024 - the kinds have the methods
    """Base of all kinds.

    Class attributes
    ----------------
    kind : str
        Set by the kind's base class: ``splitter``, ``criterion``, ...
    meaning : int
        Version of what the plugin computes: ``c45@1`` in a pipeline pins it. Raise it when results change.
    releases_gil : bool
        Whether all the work is done without Python's global lock: then threads run cells in parallel.
    examples : tuple of mapping
        Parameters of the instances that ``treeforge.plugin.checks`` tries.
    waived : mapping of str to str
        Checks that do not hold by the method's own definition, each with the reason.
    """

    kind: ClassVar[str] = ""
    meaning: ClassVar[int] = 1
    releases_gil: ClassVar[bool] = False
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ({},)
    waived: ClassVar[Mapping[str, str]] = {}

    def parameters(self) -> dict[str, Any]:
        """The resolved parameters, by name, in declared order."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]


@dataclasses.dataclass(frozen=True)
class Proposal:
    """A candidate split that has more to say than its cuts, or its groups, alone.

    Parameters
    ----------
    cuts : sequence of float
        Ascending cuts of a numeric attribute; none for a nominal one.
    groups : sequence of sequence of int, optional
        One branch a group of cells: the k + 1 intervals between cuts, or the categories. None: each interval
        is its own branch.
    charge : float
        Taken off the gain before the split is scored; one whose gain is used up is not taken.
    """

    cuts: Sequence[float] = ()
    groups: Sequence[Sequence[int]] | None = None
    charge: float = 0.0


class Splitter(Plugin):
    """Proposes tests of one attribute at one node.

    Write ``propose`` in Python, or ``kernel`` for native speed (see ``treeforge/core/kernel.pxd``).
    The loop counts the classes, applies ``min_branch`` and lets the criterion score what is proposed.
    """

    kind = "splitter"
    #: what a pipeline gets when it names this splitter alone
    default_criterion: ClassVar[str] = "gain_ratio"
    default_pruner: ClassVar[str] = "error_based"
    #: a splitter in Python that proposes the same: its fields are these fields; a class that has both
    #: ``kernel`` and ``propose`` is its own
    twin: ClassVar[type[Splitter] | None] = None

    def propose(self, node: NodeView, attribute: int) -> Iterable[Any]:
        """Yield candidate splits of an attribute at a node.

        Parameters
        ----------
        node : NodeView
            The cases of the node: ``values(attribute)``, ``codes(attribute)``, ``classes``, ``weights``.
        attribute : int
            Place among the inputs, from 0.

        Yields
        ------
        list of float
            Ascending cuts of a numeric attribute: k cuts make k + 1 branches, ``value <= cut`` goes left
            (or ``value < cut`` when the splitter's ``closed_left`` is True).
        list of list of int
            Groups of the categories of a nominal attribute: one branch a group; every category stands in
            exactly one group.
        Proposal
            Either of them with a charge, or cuts whose intervals are joined into groups.
        """
        raise NotImplementedError(f"{type(self).__name__} has neither 'propose' nor 'kernel'")

    def kernel(self, table: Table) -> object | None:
        """The compiled form, a capsule from ``make_splitter``; None when ``propose`` does the work."""
        return None

    def wants_second_look(self, tree: Tree, table: Table, sample: Sample) -> bool:
        """Whether ``second_look`` could change what a finished tree says: then it is made again of trees so looked at.

        For work that is too dear for every tree and seldom matters, such as the rounding of sums. Asked once a
        tree, after pruning.
        """
        return False

    def second_look(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        """A grown tree, not yet pruned, with class weights, weights and shares put right; nodes and tests stay.

        ``sample`` is what it was grown on; a new tree keeps the ``training_leaves`` of the old one.
        """
        return tree

    def metadata(self) -> dict[str, Any]:
        """What a reader of the tree must know of how it was split; kept with every tree."""
        return {}


class Criterion(Plugin):
    """Scores a table of class weights, and says how attributes are compared."""

    kind = "criterion"
    #: a criterion in Python that scores the same: its fields are these fields; a class that has both
    #: ``kernel`` and ``score`` is its own
    twin: ClassVar[type[Criterion] | None] = None

    def score(self, counts: NDArray[np.float64], total: float) -> float:
        """How good a partition is; larger is better, and not above zero means useless.

        Parameters
        ----------
        counts : ndarray, shape [n_branches, n_classes]
            Weight of each class in each branch, of the cases whose value is known.
        total : float
            Weight of all cases of the node, those with an unknown value among them.
        """
        raise NotImplementedError(f"{type(self).__name__} has neither 'score' nor 'kernel'")

    def kernel(self, table: Table) -> object | None:
        """The compiled form, a capsule from ``make_criterion``; None when ``score`` does the work."""
        return None


class Pruner(Plugin):
    """Makes a grown tree smaller.

    Class attributes
    ----------------
    needs_leaves : bool
        Whether grown trees should say where each training row ended (``Tree.training_leaves``).
    """

    kind = "pruner"
    needs_leaves: ClassVar[bool] = False

    def build(self, grow: Grow, table: Table, sample: Sample, seed: int) -> Tree:
        """Grow a tree and prune it. Pruners that hold cases back, or grow several trees, override this."""
        return self.prune(grow(sample, seed), table, sample)

    @abstractmethod
    def prune(self, tree: Tree, table: Table, sample: Sample) -> Tree:
        """A smaller tree; the given one is not changed.

        ``sample`` is what the tree was grown on.
        """


class Ensemble(Plugin):
    """Grows trees, one or several, and returns one model."""

    kind = "ensemble"
    #: what a pipeline gets when it names this ensemble alone; None leaves it to the splitter
    default_splitter: ClassVar[Any] = None
    default_criterion: ClassVar[Any] = None
    default_pruner: ClassVar[Any] = None
    default_min_branch: ClassVar[float | None] = None
    #: whether the model is a ``TreeModel``, a single tree as a learner without an ensemble makes it
    one_tree: ClassVar[bool] = False

    @abstractmethod
    def build(
        self, builder: TreeBuilder, table: Table, sample: Sample, seed: int, n_threads: int
    ) -> TreeModel | VoteModel | RuleModel:
        """Fit the ensemble. The result does not depend on ``n_threads``."""


class TreeBuilder(ABC):
    """What an ensemble grows its trees with: splitter, criterion, limits and pruner, put together.

    Implemented by the learner; listed here because ensembles are written against it.

    Attributes
    ----------
    pruner : Pruner
    """

    pruner: Pruner

    @abstractmethod
    def grow(self, sample: Sample, seed: int, held: NDArray[np.int32] | None = None) -> Tree:
        """One tree, not pruned: what ``pruner.build`` is given (see ``Grow``)."""

    @abstractmethod
    def tree(self, sample: Sample, seed: int, grow: Grow | None = None) -> Tree:
        """One tree, grown (by ``grow``, if given) and pruned. Several threads may call it; no GIL while growing."""

    @abstractmethod
    def with_limits(self, **limits: Any) -> TreeBuilder:
        """The same with other limits, e.g. ``max_attributes`` for a random forest."""


class Discretizer(Plugin):
    """Finds cuts of one numeric attribute, from training cases only."""

    kind = "discretizer"

    @abstractmethod
    def cuts(
        self,
        values: NDArray[np.float64],
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        n_classes: int,
    ) -> list[float]:
        """Ascending cuts; ``value <= cut`` is the interval to the left.

        Values are known, [n]; classes are codes, [n].
        """


class Source(Plugin):
    """Makes a dataset: a generator, or a door to data held elsewhere."""

    kind = "source"

    @abstractmethod
    def blocks(self, seed: int) -> Iterator[Dataset]:
        """The rows in blocks of bounded size, all of one schema."""


class Metric(Plugin):
    """One number (or None: undefined) from the outcome of one cell."""

    kind = "metric"
    #: whether more is better; None when neither is (a count)
    larger_is_better: ClassVar[bool | None] = True
    #: False when ``truth``, ``probabilities``, ``predicted`` and ``weights`` are not used: such a metric can be
    #: added to a finished run without computing anything again
    needs_predictions: ClassVar[bool] = True
    #: False for a measure of time: it is kept apart from what must be the same on every run
    reproducible: ClassVar[bool] = True

    @abstractmethod
    def value(self, outcome: Mapping[str, Any]) -> float | None:
        """The measure; None where it is undefined (0/0), never a stand-in.

        ``outcome`` has ``truth`` (codes, [n]), ``probabilities`` ([n, n_classes]), ``predicted`` (codes,
        [n], -1 unclassified), ``weights`` ([n]), ``confusion`` ([n_classes, n_classes]), ``unclassified``
        (their weight by true class, [n_classes]), ``classes`` (names), ``n_train``, ``n_test``, and the
        numbers of the model (``leaves``, ``size``, ``depth``, ``fit_seconds``, ``predict_seconds`` ...).
        """

    def per_class(self, outcome: Mapping[str, Any]) -> list[float | None] | None:
        """The measure of each class in declared order, for metrics that have one; it is kept beside ``value``."""
        return None

    def both(self, outcome: Mapping[str, Any]) -> tuple[float | None, list[float | None] | None]:
        """``value`` and ``per_class``: what a cell asks for. A metric that makes one from the other can do so once."""
        return self.value(outcome), self.per_class(outcome)


class Test(Plugin):
    """A statistical comparison of algorithms: over data sets, or on each of them."""

    kind = "test"
    __test__ = False  # not pytest's
    #: whether it reads the scores of single folds (``table.folds``), not only their means
    needs_folds: ClassVar[bool] = False

    @abstractmethod
    def compare(self, table: ScoreTable) -> Comparison:
        """The verdicts on a table of one metric.

        ``table`` has ``datasets``, ``algorithms``, ``scores`` ([n_datasets, n_algorithms], NaN undefined),
        ``metric``, ``larger_is_better``, ``folds``, and ``pair(left, right)``: two columns on the rows where both
        are defined.
        """
