"""Answers become tables and data frames with the columns and types that `tables.json` declares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas
import pyarrow

from . import tables
from .tables import Column

#: A table of pyarrow, which has no types of its own for checkers.
Table = Any
Rows = Sequence[Mapping[str, Any]]

TEXT = pyarrow.string()
TYPES = {
    "number": pyarrow.float64(),
    "integer": pyarrow.int64(),
    "boolean": pyarrow.bool_(),
    "date": pyarrow.timestamp("ms"),
    "timestamp": pyarrow.timestamp("ms"),
}
#: Of places, the geometry as GeoJSON.
GEOMETRY = Column("geometry")


def text_type() -> Any:
    return pandas.StringDtype("pyarrow")


def from_rows(columns: Iterable[Column], rows: Rows) -> Table:
    """The members of rows that have the names of the columns."""
    return pyarrow.table({one.name: _stored(one, [row[one.name] for row in rows]) for one in columns})


def from_keys(kind: str, rows: Rows) -> Table:
    """The keys of removed records, which have the members of records."""
    organizations = pyarrow.array([row["OrganizationUUID"] for row in rows], TEXT)
    keys = {one.name: _stored(one, _members([row["Key"] for row in rows], one)) for one in tables.keys(kind)}
    return pyarrow.table({"OrganizationUUID": organizations, **keys})


def from_features(kind: str, features: Rows) -> Table:
    """The properties of features, which have the names of the columns; in lists they have no null."""
    lists = [one.name for one in tables.columns(kind) if one.list]
    rows = [
        feature["properties"]
        | {name: [None if one == "" else one for one in feature["properties"][name] or ()] for name in lists}
        | {"geometry": json.dumps(feature["geometry"]) if feature["geometry"] else None}
        for feature in features
    ]
    return from_rows([*tables.columns(kind), GEOMETRY], rows)


def from_organizations(kind: str, organizations: Rows) -> Table:
    """The records of an answer, with what their lookups say joined in."""
    return pyarrow.concat_tables(
        [from_rows(tables.columns(kind), []), *(_of_organization(kind, one) for one in organizations)]
    )


def _of_organization(kind: str, organization: Mapping[str, Any]) -> Table:
    records = organization[kind]
    found: dict[str, Any] = {}
    places: dict[str, Any] = {}
    for name, reference in tables.references(kind).items():
        # What a record names and the lookup lacks is unknown: the last of the values below.
        place = {item[reference["identifier"]]: at for at, item in enumerate(organization[name])}
        named = _members(records, Column("", member=reference["member"], within=reference.get("within")))
        is_list = reference["isList"]
        places[name] = [[place.get(one, -1) for one in own] if is_list else place.get(own, -1) for own in named]
    for one in tables.columns(kind):
        if one.source is None:
            cells = _members(records, one)
        elif one.source == "Organization":
            cells = [organization[one.member]] * len(records)
        else:
            values = [*(item[one.member] for item in organization[one.source]), None]
            cells = [[values[at] for at in own] if isinstance(own, list) else values[own] for own in places[one.source]]
        found[one.name] = _stored(one, cells)
    return pyarrow.table(found)


def _members(records: Rows, column: Column) -> list[Any]:
    """What the records themselves have in a column."""
    member, within = column.member, column.within
    if within is None:
        return [record[member] for record in records]
    return [[item[within] for item in record[member] or ()] for record in records]


def _stored(column: Column, cells: Sequence[Any]) -> Any:
    """Coordinates are text as submitted, so that files that are brought up to date keep every digit."""
    item = TEXT if column.name in ("Longitude", "Latitude") else TYPES.get(column.type, TEXT)
    return pyarrow.array(cells).cast(pyarrow.list_(item) if column.list else item)


def to_pandas(columns: Iterable[Column], table: Table) -> pandas.DataFrame:
    """A table as pages and files have it, with numbers for coordinates."""
    typed = pyarrow.table({one.name: _typed(one, table[one.name]) for one in columns})
    del table
    # Blocks are made and given back column by column, so that the whole is in memory once.
    made: pandas.DataFrame = typed.to_pandas(types_mapper=_pandas_type, split_blocks=True, self_destruct=True)
    return made


def _typed(column: Column, array: Any) -> Any:
    """As the column is declared; a list that is not there is empty."""
    item = TYPES.get(column.type, TEXT)
    if not column.list:
        return pyarrow.chunked_array([_cast(chunk, item) for chunk in array.chunks], type=item)
    lists = [pyarrow.ListArray.from_arrays(one.offsets, _cast(one.values, item)) for one in array.chunks]
    return pyarrow.chunked_array(lists, type=pyarrow.list_(item))


def _cast(array: Any, wanted: Any) -> Any:
    try:
        return array.cast(wanted)
    except pyarrow.ArrowInvalid:
        if wanted != TYPES["number"]:
            raise
        # A coordinate that is no number is unknown here.
        return pyarrow.array([_number(text) for text in array.to_pylist()], wanted, from_pandas=True)


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _pandas_type(arrow_type: Any) -> Any:
    if pyarrow.types.is_list(arrow_type):
        return pandas.ArrowDtype(arrow_type)
    known = {TEXT: text_type(), TYPES["boolean"]: pandas.BooleanDtype(), TYPES["integer"]: pandas.Int64Dtype()}
    return known.get(arrow_type)
