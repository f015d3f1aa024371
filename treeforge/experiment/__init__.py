"""Many models: splits, metrics, cells, and the store of their results."""

from treeforge.experiment.cell import Cell, Learner, run_cell
from treeforge.experiment.engine import execute
from treeforge.experiment.experiment import Experiment, Task
from treeforge.experiment.folds import SCHEMES
from treeforge.experiment.result import Result
from treeforge.experiment.runner import Event, run
from treeforge.experiment.schedule import Plan, plan, schedule
from treeforge.experiment.scheme import Scheme
from treeforge.experiment.split import Split, Splits
from treeforge.experiment.store import ResultStore

__all__ = [
    "SCHEMES",
    "Cell",
    "Event",
    "Experiment",
    "Learner",
    "Plan",
    "Result",
    "ResultStore",
    "Scheme",
    "Split",
    "Splits",
    "Task",
    "execute",
    "plan",
    "run",
    "run_cell",
    "schedule",
]
