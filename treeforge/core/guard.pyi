#: whether every kernel is guarded: in a build with TREEFORGE_DEBUG=1
ALWAYS: bool

def guarded(capsule: object) -> object:
    """A splitter's kernel that does what the one in a capsule does, and watches it.

    What would make the loop read or write at a wrong place, or was written beyond a room, ends growing with
    a PluginError that says which. What is no capsule of a splitter, or a stale one, is given back as it is.
    """
