"""What is known of an answer beside its records."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas


@dataclass
class Metadata:
    """`cite()` says in a sentence for each organization where the records are from."""

    #: The address that gives the first records; it never has the key.
    url: str
    #: The state of the data that all records are from; `get_changes` takes it later.
    data_version: str
    #: How many records the service found, also where fewer were asked for.
    total: int
    #: How the records came: `pages` or `files`.
    source: str
    query_time: datetime.timedelta
    retrieved_at: datetime.datetime
    #: The headers of the first answer.
    header: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: A row for each organization: release, licence, citation, terms of use; None until something was found.
    licences: pandas.DataFrame | None = field(default=None, repr=False)
    #: Terms that are not in the data, with the nearest that are.
    hint: str | None = None
    #: With `lookups=True`: sites, methods, variables and so on, by name.
    lookups: Mapping[str, pandas.DataFrame] = field(default_factory=dict, repr=False)
    #: Of `get_changes`: the keys of the records that are gone.
    removed: pandas.DataFrame | None = field(default=None, repr=False)
    #: Of `get_totals`: whether a record can be in several groups, so that rows do not add up to the whole.
    groups_overlap: bool | None = None

    def cite(self) -> list[str]:
        if self.licences is None:
            return []
        day = self.retrieved_at.date().isoformat()
        sentences = []
        for row in self.licences.fillna("").to_dict("records"):
            name = row["Citation"] or f"{row['OrganizationName']}, {row['DataSet']}"
            licence = f", {row['License']}" if row["License"] else ""
            sentences.append(f"{name}{licence}. Release {row['Release']}, retrieved {day} from {self.url}")
        return sentences
