"""Records and places, fetched in pages or as cached files, with geometries and lookups."""

import importlib.util
from typing import Any

import numpy
import pandas
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import frames
from .arguments import is_list, require_switch, require_texts, service_column
from .changes import key_texts, removed_keys
from .errors import BadArgument
from .files import current_file, list_files
from .frames import Table
from .parts import joined
from .retrieval import Answer, Metadata, Retrieval, add_licences, organizations_found
from .tables import TABLES, columns, keys, kind_of

#: The column that identifies a place within its organization.
PLACE_KEYS = {"Sites": "SiteUUID", "ReportingUnits": "ReportingUnitUUID"}

#: Results with more records than this are fetched as files if they are whole data sets.
PAGES_HOLD = 20_000


def whole(listing: Retrieval, total: int) -> Table | None:
    """All records of a query from files of whole data sets; None if pages are faster or the query needs pages."""
    # Changes are never a whole data set, and files are in the service's default order.
    asked = {name for name, _ in listing.query}
    if asked & {"OrderBy", "ChangedSince"} or listing.wanted < total or total <= PAGES_HOLD:
        return None
    organizations = organizations_found(listing.connection, listing.operation, listing.query)
    listed, answer = list_files(listing.connection, listing.operation, organizations)
    is_whole = sum(one["Records"] for one in listed) == total
    if not is_whole or answer.headers["Data-Version"] != listing.connection.data_version:
        return None
    files = [current_file(listing, one) for one in listed]
    return pyarrow.concat_tables([pyarrow.parquet.read_table(one) for one in files if one]) if all(files) else None


def records(listing: Retrieval, lookups: bool = False, geometry: bool | None = None, chosen: Any = None) -> Answer:
    """Records in JSON, or from the files of whole data sets, with all columns or the chosen ones."""
    kind = kind_of(listing.operation)
    listing.columns = columns(kind)
    if any(name == "OrderBy" for name, _ in listing.query):
        # Answers in JSON are grouped by organization; only CSV is sorted across organizations.
        listing.query = [*listing.query, ("format", "csv")]
        listing.read = lambda answer, _metadata: frames.from_csv(kind, answer.text)
    else:
        listing.read = lambda answer, _metadata: frames.from_records(kind, answer.content)
    listing.whole = lambda metadata: whole(listing, metadata.total)
    return _completed(listing, kind, lookups, geometry, chosen)


def features(listing: Retrieval, geometry: bool | None = None, chosen: Any = None) -> Answer:
    """Places, and results of OGC API - Features: GeoJSON, whose properties are the columns."""
    kind = kind_of(listing.operation)
    listing.columns = [*columns(kind), frames.GEOMETRY]
    listing.read = lambda answer, _metadata: frames.from_features(kind, answer.json()["features"])
    if listing.path.startswith("/v1/"):
        listing.query = [*listing.query, ("format", "geojson")]
    return _completed(listing, kind, False, geometry, chosen)


def _completed(listing: Retrieval, kind: str, lookups: bool, geometry: bool | None, chosen: Any) -> Answer:
    """The frame of a retrieval with its geometries, licences and lookups."""
    wanted = _chosen_columns(kind, chosen)
    require_switch("lookups", lookups)
    if geometry is not None:
        require_switch("geometry", geometry)
    is_there = importlib.util.find_spec("geopandas") is not None
    if geometry and not is_there:
        raise BadArgument("geometry=True needs geopandas: pip install 'waterdataquery[all]'.")

    def finish(found: pandas.DataFrame, metadata: Metadata | None) -> pandas.DataFrame:
        texts = found.pop("geometry") if frames.GEOMETRY in listing.columns else None
        made = found
        if is_there and geometry is not False:
            import geopandas
            import shapely

            if texts is not None:
                geometries = shapely.from_geojson(texts.astype(object).where(texts.notna(), None))
            elif kind != "AggregatedAmounts":
                geometries = points(found)
            else:
                # After an interruption no further requests are sent.
                geometries = _areas(listing, found) if metadata else [None] * len(found)
            made = geopandas.GeoDataFrame(found, geometry=geometries, crs="EPSG:4326")
        organizations = found["OrganizationUUID"]
        if metadata and any(name == "ChangedSince" for name, _ in listing.query):
            metadata.removed = removed_keys(listing)
            organizations = pandas.concat([organizations, metadata.removed["OrganizationUUID"]])
        if metadata and len(organizations):
            add_licences(listing.connection, kind, [*organizations.unique()], metadata)
        if metadata and lookups:
            metadata.lookups = {name: _lookup(kind, name, found) for name in TABLES["references"][kind]}
        joined = [one.name for one in columns(kind) if one.source not in (None, "Organization")]
        made = made.drop(columns=joined) if lookups else made
        return made if wanted is None else made[[name for name in wanted if name in made]]

    listing.finish = finish
    identifiers = [one.name for one in keys(kind)] if kind in TABLES["keys"] else [PLACE_KEYS[kind]]
    listing.join = lambda tables: joined(tables, listing.query, identifiers, key_texts)
    return listing.run()


def _chosen_columns(kind: str, chosen: Any) -> list[str] | None:
    """The names in `columns=`, and the geometry unless `geometry=False`; None for all columns."""
    if chosen is None:
        return None
    require_texts("columns", chosen)
    names = list(chosen) if is_list(chosen) else [chosen]
    if not names:
        raise BadArgument("columns is an empty list: leave it out for all columns, or name some.")
    known = [*(one.name for one in columns(kind)), "geometry"]
    found = [service_column(name, known, f'columns: "{name}" is not a column') for name in names]
    return list(dict.fromkeys([*found, "geometry"]))


def _areas(listing: Retrieval, found: pandas.DataFrame) -> Any:
    """The areas of the records' reporting units, each fetched once."""
    units = found["ReportingUnitUUID"]
    asked = [pair for pair in listing.query if pair[0] == "OrganizationUUID"]
    # A parameter may be repeated a hundred times; for more units than that, all units are fetched.
    asked += [("ReportingUnitUUID", str(one)) for one in units.unique()] if units.nunique() <= 100 else []
    places, _ = features(Retrieval(listing.connection, "ReportingUnits", asked), True)
    return units.map(dict(zip(places["ReportingUnitUUID"], places["geometry"], strict=True)))


def points(found: pandas.DataFrame) -> Any:
    """The point of each record, or for a right the points of all its sites; None without coordinates."""
    import shapely

    is_list = found["Longitude"].dtype == object
    number = frames.TYPES["number"]
    side_type = pyarrow.list_(number) if is_list else number
    sides = [pyarrow.array(found[name].array, side_type) for name in frames.COORDINATES]
    x, y = ((pyarrow.compute.list_flatten(one) if is_list else one).to_numpy(zero_copy_only=False) for one in sides)
    # The service also treats 0, 0 as unknown coordinates.
    usable = (numpy.abs(x) <= 180) & (numpy.abs(y) <= 90) & ((x != 0) | (y != 0))
    made = numpy.full(len(found), None, dtype=object)
    if is_list:
        rows = pyarrow.compute.list_parent_indices(sides[0]).to_numpy()
        shapely.multipoints(shapely.points(x[usable], y[usable]), indices=rows[usable], out=made)
    else:
        made[usable] = shapely.points(x[usable], y[usable])
    return made


def _lookup(kind: str, name: str, found: pandas.DataFrame) -> pandas.DataFrame:
    """The sites, methods and so on of the records, each once for its organization."""
    reference = TABLES["references"][kind][name]
    identifier = reference.get("within", reference["member"])
    own = [one.name for one in columns(kind) if one.source == name]
    rows = found[list(dict.fromkeys(["OrganizationUUID", identifier, *own]))]
    if reference["isList"]:
        rows = rows.explode([identifier, *own])
    return rows.dropna(subset=identifier).drop_duplicates(["OrganizationUUID", identifier]).reset_index(drop=True)
