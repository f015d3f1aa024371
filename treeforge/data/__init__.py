"""What a table is: attributes, schema, dataset, sample, and the files that hold them."""

from treeforge.data.arff import ArffReader, read_arff
from treeforge.data.arff_writer import ArffWriter, write_arff
from treeforge.data.dataset import Dataset
from treeforge.data.files import read_dataset, write_dataset
from treeforge.data.sample import Sample
from treeforge.data.schema import Attribute, Schema

__all__ = [
    "ArffReader",
    "ArffWriter",
    "Attribute",
    "Dataset",
    "Sample",
    "Schema",
    "read_arff",
    "read_dataset",
    "write_arff",
    "write_dataset",
]
