"""Splits lists that are too long for one request, and joins the answers, all of one data version, into one result."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow
import pyarrow.compute

from .arguments import Query, snake_case
from .errors import BadArgument
from .frames import Table

#: The maximum number of values of one parameter in a request.
MOST_VALUES = 100


def parts_of(query: Query) -> list[Query]:
    """Splits a query into queries with at most MOST_VALUES values of each parameter, for all combinations."""
    values: dict[str, list[str]] = {}
    for name, text in query:
        values.setdefault(name, []).append(text)
    # Duplicates are removed, because equal values could end up in different parts.
    different = {name: list(dict.fromkeys(texts)) for name, texts in values.items()}
    if all(len(texts) <= MOST_VALUES for texts in different.values()):
        return [[(name, text) for name, texts in different.items() for text in texts]]
    chunks = [
        [[(name, text) for text in texts[start : start + MOST_VALUES]] for start in range(0, len(texts), MOST_VALUES)]
        for name, texts in different.items()
    ]
    return [[pair for chunk in combination for pair in chunk] for combination in itertools.product(*chunks)]


def require_one_part(query: Query, where: str) -> None:
    """Refuses a long list before any request is sent, if the answers cannot be joined."""
    if len(parts_of(query)) == 1:
        return
    counts = {name: sum(1 for one, _ in query if one == name) for name, _ in query}
    longest = max(counts, key=lambda name: counts[name])
    raise BadArgument(
        f"{where} takes at most {MOST_VALUES} values of {snake_case(longest)}, not {counts[longest]}: "
        "counts and sums of several requests cannot be joined. Ask for the records, or in several calls."
    )


def distinct(tables: Sequence[Table]) -> Table:
    """Removes duplicate rows and keeps the order of the first ones."""
    table = pyarrow.concat_tables(tables)
    return table.group_by(table.column_names, use_threads=False).aggregate([])


def joined(tables: Sequence[Table], query: Query, keys: Sequence[str], key_texts: Callable[..., Any]) -> Table:
    """The rows of all parts without duplicates, in the service's order: by OrderBy, then by organization and key."""
    table = pyarrow.concat_tables(tables).combine_chunks()
    identity = key_texts(["OrganizationUUID", *keys], table)
    rows = pyarrow.table({"row": pyarrow.array(range(len(table)), pyarrow.int64()), "identity": identity})
    first = rows.group_by("identity").aggregate([("row", "min")])["row_min"]
    table, identity = table.take(first), pyarrow.chunked_array([identity]).take(first)
    order = dict(query).get("OrderBy")
    if order is None:
        return table.take(pyarrow.compute.sort_indices(identity))
    direction = "descending" if order.startswith("-") else "ascending"
    values = table[order.lstrip("-")]
    ranked = pyarrow.table({"missing": values.is_null(), "value": values, "identity": identity})
    sort_keys = [("missing", "ascending"), ("value", direction), ("identity", "ascending")]
    return table.take(pyarrow.compute.sort_indices(ranked, sort_keys=sort_keys))
