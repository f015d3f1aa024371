"""Measures of a cell that a pipeline can name: of its confusion matrix, its probabilities, and its model."""

from treeforge_metrics.confusion import (
    AccuracyMetric,
    BalancedAccuracyMetric,
    ErrorMetric,
    KappaMetric,
    MacroF1Metric,
    MccMetric,
    SensitivityMetric,
    SpecificityMetric,
    WeightedF1Metric,
)
from treeforge_metrics.model import (
    DepthMetric,
    FitSecondsMetric,
    LeavesMetric,
    ModelBytesMetric,
    OutOfBagErrorMetric,
    PredictSecondsMetric,
    RulesMetric,
    SizeMetric,
)
from treeforge_metrics.probability import AucMetric, BrierMetric, LogLossMetric

__all__ = [
    "AccuracyMetric",
    "AucMetric",
    "BalancedAccuracyMetric",
    "BrierMetric",
    "DepthMetric",
    "ErrorMetric",
    "FitSecondsMetric",
    "KappaMetric",
    "LeavesMetric",
    "LogLossMetric",
    "MacroF1Metric",
    "MccMetric",
    "ModelBytesMetric",
    "OutOfBagErrorMetric",
    "PredictSecondsMetric",
    "RulesMetric",
    "SensitivityMetric",
    "SizeMetric",
    "SpecificityMetric",
    "WeightedF1Metric",
]
