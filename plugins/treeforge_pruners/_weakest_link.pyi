import numpy as np
from numpy.typing import NDArray

def links(
    parent: NDArray[np.int32],
    first_child: NDArray[np.int32],
    n_branches: NDArray[np.int32],
    as_leaf: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def least_above(parent: NDArray[np.int32], link: NDArray[np.float64]) -> NDArray[np.float64]: ...
