"""Records and places: in pages or as files, which are kept and brought up to date, with geometries and lookups."""

import hashlib
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import numpy
import pandas
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import frames
from .arguments import require_switch
from .connection import cache_folder
from .errors import BadArgument, NotOffered, ServiceBusy, VersionGone, WaterDataError
from .frames import Rows, Table
from .parts import joined
from .retrieval import PAGE, Answer, Metadata, Retrieval, add_licences, metadata_of
from .tables import TABLES, columns, keys, kind_of, named

#: What the service calls them.
FILES = {"parquet": "records.parquet", "csv.gz": "records.csv.gz", "places": "places.parquet"}
RECORDS = FILES["parquet"]

#: What tells a place from all others of its organization.
PLACE_KEYS = {"Sites": "SiteUUID", "ReportingUnits": "ReportingUnitUUID"}

#: More records than that come as files where they are the whole of data sets.
PAGES_HOLD = 20_000

Listed = Mapping[str, Any]


def whole(listing: Retrieval, total: int) -> Table | None:
    """All that a question finds, where it is the whole of data sets; None where pages are quicker or needed."""
    # What changed is never the whole, and files have the order of the service.
    asked = {name for name, _ in listing.query}
    if asked & {"OrderBy", "ChangedSince"} or listing.wanted < total or total <= PAGES_HOLD:
        return None
    facets = listing.connection.get(f"{listing.path}/Facets", [*listing.query, ("Facet", "OrganizationUUID")]).json()
    listed, answer = _listed(listing, [one["Value"] for one in facets["Facets"][0]["Values"]])
    is_whole = sum(one["Records"] for one in listed) == total and not any(one["Pending"] for one in listed)
    if not is_whole or answer.headers["Data-Version"] != listing.connection.data_version:
        return None
    return pyarrow.concat_tables([pyarrow.parquet.read_table(_current(listing, one)) for one in listed])


def file_of(listing: Retrieval, organization: str, name: str, anew: bool) -> tuple[Path, Metadata]:
    """The path of a kept file of a whole data set, with Metadata."""

    def find() -> tuple[Listed, httpx.Response]:
        listed, answer = _listed(listing, [organization])
        if not listed:
            raise NotOffered(f"{organization} has no such records at this service; get_terms() lists what there is.")
        if listed[0]["Pending"]:
            raise ServiceBusy("The files of this release are being made, which takes a minute.")
        return listed[0], answer

    connection = listing.connection
    listed, answer = connection.patiently(find)
    connection.data_version = answer.headers["Data-Version"]
    file = _current(listing, listed, name, anew)
    metadata = metadata_of(str(answer.url), answer.headers)
    metadata.source, metadata.total = "files", listed["Records"]
    add_licences(connection, listed["DataSet"], [listed["OrganizationUUID"]], metadata)
    metadata.query_time = metadata.retrieved_at - connection.opened_at
    connection.say("")
    return file, metadata


def _listed(listing: Retrieval, organizations: Sequence[str]) -> tuple[list[Listed], httpx.Response]:
    """What files the service has of these organizations, with the answer that says so."""
    answer = listing.connection.get("/v1/Downloads", None)
    own = [one for one in answer.json()["Downloads"] if one["DataSet"] == kind_of(listing.operation)]
    chosen = {one.lower() for one in organizations}
    return [one for one in own if one["OrganizationUUID"].lower() in chosen], answer


def _current(listing: Retrieval, listed: Listed, name: str = RECORDS, anew: bool = False) -> Path:
    """The file that is kept of this release; or records brought up to date; or the file of the service."""
    connection, release = listing.connection, listed["Release"]
    service = hashlib.sha256(connection.url.encode()).hexdigest()[:16]
    # Identifiers of organizations may have characters that file systems refuse.
    folder = cache_folder() / service / f"{quote(listed['OrganizationUUID'], safe='')}-{listed['DataSet']}"
    folder.mkdir(parents=True, exist_ok=True)
    former = None if anew else next(folder.glob(f"*-*-{name}"), None)
    if former and former.name.startswith(f"{release}-"):
        return former
    file = folder / f"{release}-{connection.data_version}-{name}"
    if not (former and name == RECORDS and _update(listing, former, listed, file)):
        files = {one["Name"]: one for one in listed["Files"]}
        if name not in files:
            raise WaterDataError(f"The service lists no {name} of {listed['OrganizationUUID']}.")
        connection.save_file(files[name], file)
    for other in {*folder.glob(f"*-{name}")} - {file}:
        other.unlink()
    return file


def _update(listing: Retrieval, former: Path, listed: Listed, file: Path) -> bool:
    """Whether a file of a former release could be brought up to date; else only the whole is right."""
    _, since, _ = former.name.split("-", 2)
    query = [("OrganizationUUID", listed["OrganizationUUID"]), ("ChangedSince", since)]
    changes = Retrieval(listing.connection, listing.operation, query)
    try:
        answer = listing.connection.get(changes.path, [*query, ("RecordCount", str(PAGE))])
        removed = removed_keys(changes)
    except (VersionGone, BadArgument, ServiceBusy):
        return False
    kind = listed["DataSet"]
    changed = frames.from_records(kind, answer.content)
    old = pyarrow.parquet.read_table(former, columns=changed.column_names)
    new = _laid_over([one.name for one in keys(kind)], old, changed.cast(old.schema), removed)
    # Of more changes than a page has the whole file is the quicker way.
    if int(answer.headers["X-Total-Count"]) > PAGE or len(new) != listed["Records"]:
        return False
    part = file.with_suffix(".new")
    pyarrow.parquet.write_table(new, part, compression="zstd")
    part.replace(file)
    return True


def removed_keys(changes: Retrieval) -> pandas.DataFrame:
    """The keys of all records that are gone since the version that changes are asked since, with their organization."""

    def plain(cell: Any) -> Any:
        """In lists items are objects, as in records."""
        return [next(iter(item.values())) for item in cell] if isinstance(cell, list) else cell

    def read(answer: httpx.Response, _metadata: Metadata) -> Rows:
        return [{**one, **{name: plain(cell) for name, cell in one["Key"].items()}} for one in answer.json()["Removed"]]

    kind = kind_of(changes.operation)
    identifiers = [one.name for one in keys(kind)]
    names = {"ChangedSince": "Since", "OrganizationUUID": "OrganizationUUID"}
    query = [(names[name], text) for name, text in changes.query if name in names]
    wanted = [*named("OrganizationUUID"), *keys(kind)]
    listing = Retrieval(changes.connection, f"{changes.operation}/Removed", query, columns=wanted, read=read)
    listing.join = lambda tables: joined(tables, listing.query, identifiers, _key_texts)
    return listing.run()[0]


def _laid_over(names: Sequence[str], old: Table, changed: Table, removed: pandas.DataFrame) -> Table:
    """The old records less those that are gone or changed, and the changed ones, in the service's order: by key."""
    lost = pyarrow.Table.from_pandas(removed[[*names]], preserve_index=False).cast(old.select(names).schema)
    gone = pyarrow.concat_arrays([_key_texts(names, changed), _key_texts(names, lost)])
    stays = pyarrow.compute.invert(pyarrow.compute.is_in(_key_texts(names, old), value_set=gone))
    new = pyarrow.concat_tables([old.filter(stays), changed])
    return new.take(pyarrow.compute.sort_indices(_key_texts(names, new)))


def _key_texts(names: Sequence[str], table: Table) -> Any:
    """A text for each key, whose order is the service's: what is missing comes first, and lists count as sets."""
    parts = []
    for part in (table[name].combine_chunks() for name in names):
        if pyarrow.types.is_list(part.type):
            lists = pyarrow.compute.binary_join(part, "\x01").dictionary_encode()
            sets = ["\x01".join(sorted(one.split("\x01"))) for one in lists.dictionary.to_pylist()]
            part = pyarrow.DictionaryArray.from_arrays(lists.indices, pyarrow.array(sets, frames.TEXT))
        parts.append(pyarrow.compute.fill_null(part.cast(frames.TEXT), ""))
    # What separates the parts comes before all that is in them.
    return pyarrow.compute.binary_join_element_wise(*parts, "\x00")


def records(listing: Retrieval, lookups: bool = False, geometry: bool | None = None) -> Answer:
    """Records in JSON, or from the files of whole data sets."""
    kind = kind_of(listing.operation)
    listing.columns = columns(kind)
    if any(name == "OrderBy" for name, _ in listing.query):
        # Answers in JSON are grouped by organization, so only CSV has the order over all of them.
        listing.query = [*listing.query, ("format", "csv")]
        listing.read = lambda answer, _metadata: frames.from_csv(kind, answer.text)
    else:
        listing.read = lambda answer, _metadata: frames.from_records(kind, answer.content)
    listing.whole = lambda metadata: whole(listing, metadata.total)
    return _completed(listing, kind, lookups, geometry)


def features(listing: Retrieval, geometry: bool | None = None) -> Answer:
    """Places, and what OGC API - Features finds: GeoJSON, whose properties are the columns."""
    kind = kind_of(listing.operation)
    listing.columns = [*columns(kind), frames.GEOMETRY]
    listing.read = lambda answer, _metadata: frames.from_features(kind, answer.json()["features"])
    if listing.path.startswith("/v1/"):
        listing.query = [*listing.query, ("format", "geojson")]
    return _completed(listing, kind, False, geometry)


def _completed(listing: Retrieval, kind: str, lookups: bool, geometry: bool | None) -> Answer:
    """What a listing gives, with geometries, licences and lookups."""
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
                # Nothing more is asked for after an interruption.
                geometries = _areas(listing, found) if metadata else [None] * len(found)
            made = geopandas.GeoDataFrame(found, geometry=geometries, crs="EPSG:4326")
        if metadata and len(found):
            add_licences(listing.connection, kind, [*found["OrganizationUUID"].unique()], metadata)
        if metadata and any(name == "ChangedSince" for name, _ in listing.query):
            metadata.removed = removed_keys(listing)
        if metadata and lookups:
            metadata.lookups = {name: _lookup(kind, name, found) for name in TABLES["references"][kind]}
        joined = [one.name for one in columns(kind) if one.source not in (None, "Organization")]
        return made.drop(columns=joined) if lookups else made

    listing.finish = finish
    identifiers = [one.name for one in keys(kind)] if kind in TABLES["keys"] else [PLACE_KEYS[kind]]
    listing.join = lambda tables: joined(tables, listing.query, identifiers, _key_texts)
    return listing.run()


def _areas(listing: Retrieval, found: pandas.DataFrame) -> Any:
    """The areas of the units that records name, each asked for once."""
    units = found["ReportingUnitUUID"]
    asked = [pair for pair in listing.query if pair[0] == "OrganizationUUID"]
    # A parameter may be given a hundred times; of more units all are asked for.
    asked += [("ReportingUnitUUID", str(one)) for one in units.unique()] if units.nunique() <= 100 else []
    places, _ = features(Retrieval(listing.connection, "ReportingUnits", asked), True)
    return units.map(dict(zip(places["ReportingUnitUUID"], places["geometry"], strict=True)))


def points(found: pandas.DataFrame) -> Any:
    """The point of each record, or the points of all sites of a right; None where there is none."""
    import shapely

    sides = [pyarrow.array(found[name].array) for name in ("Longitude", "Latitude")]
    is_list = pyarrow.types.is_list(sides[0].type)
    x, y = ((pyarrow.compute.list_flatten(one) if is_list else one).to_numpy(zero_copy_only=False) for one in sides)
    # As the service has it: 0, 0 stands for coordinates that nobody knew.
    usable = (numpy.abs(x) <= 180) & (numpy.abs(y) <= 90) & ((x != 0) | (y != 0))
    made = numpy.full(len(found), None, dtype=object)
    if is_list:
        rows = pyarrow.compute.list_parent_indices(sides[0]).to_numpy()
        shapely.multipoints(shapely.points(x[usable], y[usable]), indices=rows[usable], out=made)
    else:
        made[usable] = shapely.points(x[usable], y[usable])
    return made


def _lookup(kind: str, name: str, found: pandas.DataFrame) -> pandas.DataFrame:
    """What the records say of sites, methods and so on, each once for its organization."""
    reference = TABLES["references"][kind][name]
    identifier = reference.get("within", reference["member"])
    own = [one.name for one in columns(kind) if one.source == name]
    rows = found[list(dict.fromkeys(["OrganizationUUID", identifier, *own]))]
    if reference["isList"]:
        rows = rows.explode([identifier, *own])
    return rows.dropna(subset=identifier).drop_duplicates(["OrganizationUUID", identifier]).reset_index(drop=True)
