"""The operations, parameters and columns of the service, from `tables.json`, which is generated from the service."""

import json
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

TABLES: Any = json.loads(resources.files(__package__).joinpath("tables.json").read_text("utf-8"))

#: The version of the service that this client is tested with.
TESTED_WITH: str = TABLES["serviceVersion"]

#: The parameters of each operation, by their Python names.
PARAMETERS = TABLES["operations"]

#: The operation for each value of `kind`.
RECORDS = {
    "site_amounts": "SiteVariableAmounts",
    "aggregated_amounts": "AggregatedAmounts",
    "allocations": "SiteAllocationAmounts",
}
PLACES = {"sites": "Sites", "reporting_units": "ReportingUnits"}
OPERATIONS = {**RECORDS, **PLACES}

#: The Python name of each parameter of these operations.
NAMES = {own["name"]: name for one in OPERATIONS.values() for name, own in PARAMETERS[one].items()}


class Column(NamedTuple):
    """A column of a data frame, and the place of its values in an answer in JSON."""

    name: str
    type: str = "text"
    list: bool = False
    member: str = ""
    within: str | None = None
    #: The lookup that contains the value, or `Organization`; None for members of the record.
    source: str | None = None


def named(texts: str, integers: str = "") -> list[Column]:
    """Text columns and integer columns with these names."""
    return [Column(one) for one in texts.split()] + [Column(one, "integer") for one in integers.split()]


def kind_of(operation: str) -> str:
    """The data set of an operation."""
    return "WaterAllocations" if operation == "SiteAllocationAmounts" else operation


@cache
def columns(kind: str) -> tuple[Column, ...]:
    return tuple(Column(*map(own.get, Column._fields)) for own in TABLES["columns"][kind])


def keys(kind: str) -> list[Column]:
    """The columns that identify a record within its organization, in sort order."""
    return [one for name in TABLES["keys"][kind] for one in columns(kind) if one.name == name]
