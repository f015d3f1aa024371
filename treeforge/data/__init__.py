"""What a table is: attributes, schema, dataset, sample, and the files that hold them."""

from treeforge.data.dataset import Dataset
from treeforge.data.sample import Sample
from treeforge.data.schema import Attribute, Schema

__all__ = ["Attribute", "Dataset", "Sample", "Schema"]
