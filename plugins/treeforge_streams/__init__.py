"""Trees that grow from streams: VFDT and Hoeffding-AMSD."""

from treeforge_streams.vfdt import HoeffdingAmsdEnsemble, HoeffdingModel, VfdtEnsemble

__all__ = ["HoeffdingAmsdEnsemble", "HoeffdingModel", "VfdtEnsemble"]
