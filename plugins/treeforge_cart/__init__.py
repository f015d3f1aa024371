"""Binary tests: CART, SPRINT and improved SPRINT."""

from treeforge_cart.splitters import CartSplitter, ImprovedSprintSplitter, SprintSplitter

__all__ = ["CartSplitter", "ImprovedSprintSplitter", "SprintSplitter"]
