from plugin_packages import install

__all__ = ["install"]
