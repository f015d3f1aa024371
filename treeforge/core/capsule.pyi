def splitter_capsule(
    propose: int, propose_all: int, max_cuts: int, needs: int, params: bytes
) -> object:
    """A splitter kernel from the addresses of its functions (0: there is none).

    Whoever calls this keeps the functions alive, and has compiled them against the records of
    ``treeforge.core.declarations``.
    """

def sizes() -> dict[str, int]:
    """Bytes of the structs as they were compiled."""
