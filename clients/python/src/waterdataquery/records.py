"""Records of a data set and places: their frames, geometries, lookups and licences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
import pandas
import pyarrow

from . import frames, geometry, tables
from .arguments import Query
from .connection import Connection
from .files import Files
from .metadata import Metadata
from .retrieval import Answer, Listing, Retrieval, Rows, pinned

#: More records than that come as files where they are the whole of data sets.
PAGES_HOLD = 20_000


@dataclass(frozen=True)
class Records:
    """What is asked for, and in which shape."""

    connection: Connection
    operation: str
    query: Query
    limit: int | None = None
    lookups: bool = False
    geometry: bool = False

    @property
    def kind(self) -> str:
        return tables.kind_of(self.operation)

    def take(self) -> Answer:
        def read(answer: httpx.Response) -> tuple[Rows, int]:
            return frames.read_page(self.kind, answer.content), int(answer.headers["X-Total-Count"])

        listing = Listing(
            f"/v1/{self.operation}", self.query, read, self._finish, self.kind, self.limit, whole=self._whole
        )
        return Retrieval(self.connection, listing).run()

    def _whole(self, metadata: Metadata) -> Rows | None:
        """Where all is found of some organizations, whose files are kept and quicker than pages."""
        # What changed is never the whole, and files have the order of the service.
        is_part = self.limit or any(name in ("OrderBy", "ChangedSince") for name, _ in self.query)
        if is_part or metadata.total <= PAGES_HOLD or self.kind in ("Sites", "ReportingUnits"):
            return None
        query = pinned([*self.query, ("Facet", "OrganizationUUID")], metadata.data_version)
        facet = self.connection.get(f"/v1/{self.operation}/Facets", query).json()["Facets"][0]
        organizations = [one["Value"] for one in facet["Values"]]
        return Files(self.connection).of(self.kind, organizations, metadata.data_version, metadata.total)

    def _finish(self, pages: list[Rows], metadata: Metadata | None) -> pandas.DataFrame:
        table = pyarrow.concat_tables(pages or [frames.empty(self.kind)])
        pages.clear()
        texts = [table[name] for name in frames.geometry_texts(self.kind)]
        found = frames.from_arrow(tables.columns(self.kind), table)
        if not self.geometry:
            made = found
        elif self.kind == "AggregatedAmounts":
            # Nothing more is asked for after an interruption.
            areas = self._areas_of(found, metadata) if metadata else [None] * len(found)
            made = geometry.with_geometry(found, areas)
        elif self.kind == "WaterAllocations":
            made = geometry.with_geometry(found, geometry.multipoints(found))
        else:
            made = geometry.with_geometry(found, geometry.of_places(found, texts))
        if not self.lookups:
            return made
        if metadata is not None:
            metadata.lookups = {name: self._lookup(name, found) for name in tables.references(self.kind)}
        joined = [one.name for one in tables.columns(self.kind) if one.source not in (None, "Organization")]
        return made.drop(columns=joined)

    def _areas_of(self, found: pandas.DataFrame, metadata: Metadata) -> Any:
        """The areas of the units that the records name, each asked for once."""
        units = [str(one) for one in found["ReportingUnitUUID"].unique()]
        query = [("DataVersion", metadata.data_version)]
        query += [pair for pair in self.query if pair[0] == "OrganizationUUID"]
        # A parameter may be given a hundred times; of more units all are asked for.
        query += [("ReportingUnitUUID", one) for one in units] if len(units) <= 100 else []
        areas, _ = Records(self.connection, "ReportingUnits", query, geometry=True).take()
        by_unit = dict(zip(areas["ReportingUnitUUID"], areas["geometry"], strict=True))
        return [by_unit.get(unit) for unit in found["ReportingUnitUUID"]]

    def _lookup(self, name: str, found: pandas.DataFrame) -> pandas.DataFrame:
        """What the records say of sites, methods and so on, each once for its organization."""
        reference = tables.references(self.kind)[name]
        identifier = reference.get("within", reference["member"])
        own = [one.name for one in tables.columns(self.kind) if one.source == name]
        rows = found[list(dict.fromkeys(["OrganizationUUID", identifier, *own]))]
        if reference["isList"]:
            rows = rows.explode([identifier, *own])
        keys = ["OrganizationUUID", identifier]
        return rows.dropna(subset=identifier).drop_duplicates(keys).reset_index(drop=True)
