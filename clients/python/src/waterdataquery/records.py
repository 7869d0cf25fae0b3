"""Records of a data set and places: in pages or as files, with their geometries and lookups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas

from . import frames, geometry, tables
from .arguments import Query
from .connection import Connection
from .files import Files
from .frames import Table
from .retrieval import Answer, Metadata, Retrieval, pinned

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

    def take(self) -> Answer:
        kind = tables.kind_of(self.operation)
        path = f"/v1/{self.operation}"
        if tables.is_place(kind):
            return features(
                self.connection, path, [*self.query, ("format", "geojson")], kind, self.geometry, self.limit
            )

        def read(answer: Any) -> Table:
            return frames.from_organizations(kind, answer["Organizations"])

        retrieval = Retrieval(self.connection, path, self.query, tables.columns(kind), read, self._finish, kind)
        retrieval.limit, retrieval.whole = self.limit, self._whole
        return retrieval.run()

    def _whole(self, metadata: Metadata) -> Table | None:
        """Where all is found of some organizations, whose files are kept and quicker than pages."""
        # What changed is never the whole, and files have the order of the service.
        is_part = self.limit or any(name in ("OrderBy", "ChangedSince") for name, _ in self.query)
        if is_part or metadata.total <= PAGES_HOLD:
            return None
        query = pinned([*self.query, ("Facet", "OrganizationUUID")], metadata.data_version)
        facet = self.connection.get(f"/v1/{self.operation}/Facets", query).json()["Facets"][0]
        organizations = [one["Value"] for one in facet["Values"]]
        return Files(self.connection).of(self.operation, organizations, metadata.data_version, metadata.total)

    def _finish(self, found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        kind = tables.kind_of(self.operation)
        made = geometry.with_geometry(found, self._geometries(found, metadata)) if self.geometry else found
        if not self.lookups:
            return made
        if metadata is not None:
            metadata.lookups = {name: self._lookup(kind, name, found) for name in tables.references(kind)}
        return made.drop(columns=[one.name for one in tables.columns(kind) if one.source not in (None, "Organization")])

    def _geometries(self, found: pandas.DataFrame, metadata: Metadata | None) -> Any:
        if self.operation == "SiteAllocationAmounts":
            return geometry.multipoints(found)
        if self.operation == "SiteVariableAmounts":
            return geometry.points(found)
        units = found["ReportingUnitUUID"]
        if metadata is None:
            # Nothing more is asked for after an interruption.
            return [None] * len(found)
        # The areas of the units that the records name, each asked for once.
        query = [("DataVersion", metadata.data_version)]
        query += [pair for pair in self.query if pair[0] == "OrganizationUUID"]
        # A parameter may be given a hundred times; of more units all are asked for.
        query += [("ReportingUnitUUID", str(one)) for one in units.unique()] if units.nunique() <= 100 else []
        areas, _ = Records(self.connection, "ReportingUnits", query, geometry=True).take()
        return units.map(dict(zip(areas["ReportingUnitUUID"], areas["geometry"], strict=True)))

    @staticmethod
    def _lookup(kind: str, name: str, found: pandas.DataFrame) -> pandas.DataFrame:
        """What the records say of sites, methods and so on, each once for its organization."""
        reference = tables.references(kind)[name]
        identifier = reference.get("within", reference["member"])
        own = [one.name for one in tables.columns(kind) if one.source == name]
        rows = found[list(dict.fromkeys(["OrganizationUUID", identifier, *own]))]
        if reference["isList"]:
            rows = rows.explode([identifier, *own])
        keys = ["OrganizationUUID", identifier]
        return rows.dropna(subset=identifier).drop_duplicates(keys).reset_index(drop=True)


def features(
    connection: Connection, path: str, query: Query, kind: str, wanted: bool, limit: int | None = None, **listing: Any
) -> Answer:
    """Places, and what OGC API - Features finds: GeoJSON, whose properties are the columns."""

    def read(answer: Any) -> Table:
        return frames.from_features(kind, answer["features"])

    def finish(found: pandas.DataFrame, _metadata: Metadata | None) -> pandas.DataFrame:
        texts = found.pop("geometry")
        return geometry.with_geometry(found, geometry.of_features(texts)) if wanted else found

    columns = [*tables.columns(kind), frames.GEOMETRY]
    return Retrieval(connection, path, query, columns, read, finish, kind, limit, **listing).run()
