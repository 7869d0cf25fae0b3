"""What the service offers, read from `tables.json`, which the repository generates from the service itself."""

import json
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

TABLES: Any = json.loads(resources.files(__package__).joinpath("tables.json").read_text("utf-8"))

#: The version of the service that this client is tested with.
TESTED_WITH: str = TABLES["serviceVersion"]

#: The parameters of each operation, by the name that Python has for them.
PARAMETERS = TABLES["operations"]

#: The operation of each word that `get_totals` and the others take.
RECORDS = {
    "site_amounts": "SiteVariableAmounts",
    "aggregated_amounts": "AggregatedAmounts",
    "allocations": "SiteAllocationAmounts",
}
PLACES = {"sites": "Sites", "reporting_units": "ReportingUnits"}
OPERATIONS = {**RECORDS, **PLACES}

#: The name that Python has for each parameter of these.
NAMES = {own["name"]: name for one in OPERATIONS.values() for name, own in PARAMETERS[one].items()}


class Column(NamedTuple):
    """A column of a data frame, and where an answer in JSON has its values."""

    name: str
    type: str = "text"
    list: bool = False
    member: str = ""
    within: str | None = None
    #: The lookup that has it, or `Organization`; the others are the record's own.
    source: str | None = None


def named(texts: str, integers: str = "") -> list[Column]:
    """Columns of texts and of integers, by their names."""
    return [Column(one) for one in texts.split()] + [Column(one, "integer") for one in integers.split()]


def kind_of(operation: str) -> str:
    """The data set that an operation answers from."""
    return "WaterAllocations" if operation == "SiteAllocationAmounts" else operation


@cache
def columns(kind: str) -> tuple[Column, ...]:
    return tuple(Column(*map(own.get, Column._fields)) for own in TABLES["columns"][kind])


def keys(kind: str) -> list[Column]:
    """The columns that tell a record from all others of its organization, in which order records stand."""
    return [one for name in TABLES["keys"][kind] for one in columns(kind) if one.name == name]
