import numpy as np
from numpy.typing import NDArray

from treeforge_c45._draft import Draft

def prune(
    draft: Draft, rows: NDArray[np.int32], weight: NDArray[np.float64] | None, leaves: NDArray[np.int32] | None = None
) -> None: ...
