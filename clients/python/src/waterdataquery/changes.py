"""Changes since a version of the data: the keys of removed records, and the update of kept records."""

from collections.abc import Sequence
from typing import Any

import httpx
import pandas
import pyarrow
import pyarrow.compute

from . import frames
from .frames import Rows, Table
from .parts import joined
from .retrieval import Metadata, Retrieval
from .tables import keys, kind_of, named


def removed_keys(changes: Retrieval) -> pandas.DataFrame:
    """The keys of all records that were removed since the `ChangedSince` version, with their organization."""

    def plain(cell: Any) -> Any:
        """Items of lists are objects in the answer, as they are in records."""
        return [next(iter(item.values())) for item in cell] if isinstance(cell, list) else cell

    def read(answer: httpx.Response, _metadata: Metadata) -> Rows:
        return [{**one, **{name: plain(cell) for name, cell in one["Key"].items()}} for one in answer.json()["Removed"]]

    kind = kind_of(changes.operation)
    identifiers = [one.name for one in keys(kind)]
    names = {"ChangedSince": "Since", "OrganizationUUID": "OrganizationUUID"}
    query = [(names[name], text) for name, text in changes.query if name in names]
    wanted = [*named("OrganizationUUID"), *keys(kind)]
    listing = Retrieval(changes.connection, f"{changes.operation}/Removed", query, columns=wanted, read=read)
    listing.join = lambda tables: joined(tables, listing.query, identifiers, key_texts)
    return listing.run()[0]


def laid_over(names: Sequence[str], old: Table, changed: Table, removed: pandas.DataFrame) -> Table:
    """Replaces changed records and drops removed ones. The result is in the service's order, by key."""
    lost = pyarrow.Table.from_pandas(removed[[*names]], preserve_index=False).cast(old.select(names).schema)
    gone = pyarrow.concat_arrays([key_texts(names, changed), key_texts(names, lost)])
    stays = pyarrow.compute.invert(pyarrow.compute.is_in(key_texts(names, old), value_set=gone))
    new = pyarrow.concat_tables([old.filter(stays), changed])
    return new.take(pyarrow.compute.sort_indices(key_texts(names, new)))


def key_texts(names: Sequence[str], table: Table) -> Any:
    """A string for each key; they sort in the service's order: missing values first, and lists compared as sets."""
    parts = []
    for part in (table[name].combine_chunks() for name in names):
        if pyarrow.types.is_list(part.type):
            lists = pyarrow.compute.binary_join(part, "\x01").dictionary_encode()
            sets = ["\x01".join(sorted(one.split("\x01"))) for one in lists.dictionary.to_pylist()]
            part = pyarrow.DictionaryArray.from_arrays(lists.indices, pyarrow.array(sets, frames.TEXT))
        parts.append(pyarrow.compute.fill_null(part.cast(frames.TEXT), ""))
    # The separator sorts before every character of the parts.
    return pyarrow.compute.binary_join_element_wise(*parts, "\x00")
