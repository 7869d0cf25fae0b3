"""Records and places: in pages or as files, with their geometries where geopandas is there, and lookups."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy
import pandas
import pyarrow
import pyarrow.compute

from . import frames
from .arguments import Query
from .connection import Connection
from .errors import BadArgument
from .files import Files
from .frames import Table
from .retrieval import Answer, Metadata, Retrieval, add_licences, pinned
from .tables import PLACES, TABLES, columns, kind_of

#: More records than that come as files where they are the whole of data sets.
PAGES_HOLD = 20_000


def records(
    connection: Connection,
    operation: str,
    query: Query,
    limit: int | None = None,
    lookups: bool = False,
    geometry: bool | None = None,
) -> Answer:
    """What a query finds, with geometries and with lookups by themselves, as asked for."""
    kind = kind_of(operation)
    wanted = is_geometry_wanted(geometry)
    if kind in PLACES:
        listing = Retrieval(connection, f"/v1/{operation}", [*query, ("format", "geojson")], limit=limit)
        return features(listing, kind, geometry)

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        made = found
        if wanted and operation == "AggregatedAmounts":
            # Nothing more is asked for after an interruption.
            areas = _areas(connection, query, found["ReportingUnitUUID"], metadata) if metadata else [None] * len(found)
            made = with_geometry(found, areas)
        elif wanted:
            made = with_geometry(found, points(found))
        if metadata:
            add_licences(connection, kind, [*found["OrganizationUUID"].unique()], metadata)
        if metadata and lookups:
            metadata.lookups = {name: _lookup(kind, name, found) for name in TABLES["references"][kind]}
        joined = [one.name for one in columns(kind) if one.source not in (None, "Organization")]
        return made.drop(columns=joined) if lookups else made

    return Retrieval(
        connection,
        f"/v1/{operation}",
        query,
        columns(kind),
        read=lambda answer: frames.from_records(kind, answer.content),
        finish=finish,
        whole=lambda metadata: None if limit else _whole(connection, operation, query, metadata),
        limit=limit,
    ).run()


def features(listing: Retrieval, kind: str, geometry: bool | None) -> Answer:
    """Places, and what OGC API - Features finds: GeoJSON, whose properties are the columns."""
    wanted = is_geometry_wanted(geometry)

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        if metadata:
            add_licences(listing.connection, kind, [*found["OrganizationUUID"].unique()], metadata)
        texts = numpy.array([None if pandas.isna(one) else one for one in found.pop("geometry")], dtype=object)
        if not wanted:
            return found
        import shapely

        return with_geometry(found, shapely.from_geojson(texts))

    listing.columns, listing.finish = [*columns(kind), frames.GEOMETRY], finish
    listing.read = lambda answer: frames.from_features(kind, answer.json()["features"])
    return listing.run()


def _whole(connection: Connection, operation: str, query: Query, metadata: Metadata) -> Table | None:
    """Where all is found of some organizations, whose files are kept and quicker than pages."""
    # What changed is never the whole, and files have the order of the service.
    if metadata.total <= PAGES_HOLD or any(name in ("OrderBy", "ChangedSince") for name, _ in query):
        return None
    asked = pinned([*query, ("Facet", "OrganizationUUID")], metadata.data_version)
    facet = connection.get(f"/v1/{operation}/Facets", asked).json()["Facets"][0]
    organizations = [one["Value"] for one in facet["Values"]]
    return Files(connection, operation).of(organizations, metadata.data_version, metadata.total)


def _areas(connection: Connection, query: Query, units: pandas.Series[Any], metadata: Metadata) -> Any:
    """The areas of the units that records name, each asked for once."""
    asked = [("DataVersion", metadata.data_version), *(pair for pair in query if pair[0] == "OrganizationUUID")]
    # A parameter may be given a hundred times; of more units all are asked for.
    asked += [("ReportingUnitUUID", str(one)) for one in units.unique()] if units.nunique() <= 100 else []
    found, _ = records(connection, "ReportingUnits", asked, geometry=True)
    return units.map(dict(zip(found["ReportingUnitUUID"], found["geometry"], strict=True)))


def _lookup(kind: str, name: str, found: pandas.DataFrame) -> pandas.DataFrame:
    """What the records say of sites, methods and so on, each once for its organization."""
    reference = TABLES["references"][kind][name]
    identifier = reference.get("within", reference["member"])
    own = [one.name for one in columns(kind) if one.source == name]
    rows = found[list(dict.fromkeys(["OrganizationUUID", identifier, *own]))]
    if reference["isList"]:
        rows = rows.explode([identifier, *own])
    keys = ["OrganizationUUID", identifier]
    return rows.dropna(subset=identifier).drop_duplicates(keys).reset_index(drop=True)


def is_geometry_wanted(geometry: bool | None) -> bool:
    """None means: where geopandas is there."""
    there = importlib.util.find_spec("geopandas") is not None
    if geometry and not there:
        raise BadArgument("geometry=True needs geopandas: pip install 'waterdataquery[all]'.")
    return there if geometry is None else geometry


def with_geometry(frame: pandas.DataFrame, geometries: Any) -> pandas.DataFrame:
    import geopandas

    made: pandas.DataFrame = geopandas.GeoDataFrame(frame, geometry=geometries, crs="EPSG:4326")
    return made


def points(frame: pandas.DataFrame) -> Any:
    """The point of each record, or the points of all sites of a right; None where there is none."""
    import shapely

    sides = [pyarrow.array(frame[name].array) for name in ("Longitude", "Latitude")]
    is_list = pyarrow.types.is_list(sides[0].type)
    x, y = ((pyarrow.compute.list_flatten(one) if is_list else one).to_numpy(zero_copy_only=False) for one in sides)
    # As the service has it: 0, 0 stands for coordinates that nobody knew.
    usable = (numpy.abs(x) <= 180) & (numpy.abs(y) <= 90) & ((x != 0) | (y != 0))
    made = numpy.full(len(frame), None, dtype=object)
    if is_list:
        lengths = pyarrow.compute.list_value_length(sides[0]).to_numpy(zero_copy_only=False)
        rows = numpy.repeat(numpy.arange(len(frame)), lengths)
        shapely.multipoints(shapely.points(x[usable], y[usable]), indices=rows[usable], out=made)
    else:
        made[usable] = shapely.points(x[usable], y[usable])
    return made
