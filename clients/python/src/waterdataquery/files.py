"""Files of whole data sets, kept in a folder by release and brought up to date by what changed since."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pandas
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import frames
from .arguments import Query
from .connection import Connection, cache_folder
from .errors import BadArgument, NotOffered, ServiceBusy, VersionGone, WaterDataError
from .frames import Rows, Table
from .retrieval import Metadata, Retrieval, add_licences, metadata_of, pinned
from .tables import Column, keys, kind_of

#: What the service calls them.
FILES = {"parquet": "records.parquet", "csv.gz": "records.csv.gz", "places": "places.parquet"}
RECORDS = FILES["parquet"]

#: More records than that come as files where they are the whole of data sets.
PAGES_HOLD = 20_000

#: So many changed records come in one page; of more the whole file is the quicker way.
MOST_CHANGES = 10_000

Listed = Mapping[str, Any]


class Files:
    """Of the data sets that an operation answers from."""

    def __init__(self, connection: Connection, operation: str) -> None:
        self._connection = connection
        self._operation = operation
        self._folder = cache_folder() / hashlib.sha256(connection.url.encode()).hexdigest()[:16]

    def whole(self, query: Query, metadata: Metadata) -> Table | None:
        """All that a query finds, where it is the whole of data sets; None where pages are quicker or needed."""
        # What changed is never the whole, and files have the order of the service.
        if metadata.total <= PAGES_HOLD or any(name in ("OrderBy", "ChangedSince") for name, _ in query):
            return None
        asked = pinned([*query, ("Facet", "OrganizationUUID")], metadata.data_version)
        facet = self._connection.get(f"/v1/{self._operation}/Facets", asked).json()["Facets"][0]
        listed, answer = self._listed([one["Value"] for one in facet["Values"]])
        if answer.headers["Data-Version"] != metadata.data_version or any(one["Pending"] for one in listed):
            return None
        if sum(one["Records"] for one in listed) != metadata.total:
            return None
        files = [self._current(one, metadata.data_version) for one in listed]
        made = pyarrow.concat_tables([pyarrow.parquet.read_table(file) for file in files])
        return made if len(made) == metadata.total else None

    def download(self, organization: str, name: str, anew: bool) -> tuple[Path, Metadata]:
        """The path of the file of a whole data set."""
        listed, answer = self._connection.patiently(lambda: self._find(organization))
        file = self._current(listed, answer.headers["Data-Version"], name, anew=anew)
        metadata = metadata_of(str(answer.url), answer.headers)
        metadata.source, metadata.total = "files", listed["Records"]
        add_licences(self._connection, listed["DataSet"], [listed["OrganizationUUID"]], metadata)
        metadata.query_time = metadata.retrieved_at - self._connection.opened_at
        self._connection.say("")
        return file, metadata

    def _find(self, organization: str) -> tuple[Listed, httpx.Response]:
        """What the service lists of this data set, with the answer that it stands in."""
        listed, answer = self._listed([organization])
        if not listed:
            raise NotOffered(f"{organization} has no such records at this service; get_terms() lists what there is.")
        if listed[0]["Pending"]:
            error = ServiceBusy("The files of this release are being made, which takes a minute.")
            error.retry_after = 2
            raise error
        return listed[0], answer

    def _listed(self, organizations: Sequence[str]) -> tuple[list[Listed], httpx.Response]:
        answer = self._connection.get("/v1/Downloads", [])
        own = [one for one in answer.json()["Downloads"] if one["DataSet"] == kind_of(self._operation)]
        chosen = {one.lower() for one in organizations}
        return [one for one in own if one["OrganizationUUID"].lower() in chosen], answer

    def _current(self, listed: Listed, version: str, name: str = RECORDS, *, anew: bool = False) -> Path:
        """The file that is kept of this release; or records brought up to date; or the file of the service."""
        # Identifiers of organizations may have characters that file systems refuse.
        folder = self._folder / f"{quote(listed['OrganizationUUID'], safe='')}-{listed['DataSet']}"
        folder.mkdir(parents=True, exist_ok=True)
        kept = {} if anew else {one.name.split("-")[0]: one for one in folder.glob(f"*-*-{name}")}
        if listed["Release"] in kept:
            return kept[listed["Release"]]
        file = folder / f"{listed['Release']}-{version}-{name}"
        former = next(iter(kept.values())) if kept and name == RECORDS else None
        if former is None or not self._update(former, listed, file):
            described = next((one for one in listed["Files"] if one["Name"] == name), None)
            if described is None:
                raise WaterDataError(f"The service lists no {name} of {listed['OrganizationUUID']}.")
            self._connection.save_file(described["Path"], file, described["Bytes"], described["SHA256"])
        for other in folder.glob(f"*-{name}"):
            if other != file:
                other.unlink()
        return file

    def _update(self, former: Path, listed: Listed, file: Path) -> bool:
        """Whether a file of a former release could be brought up to date; else only the whole is right."""
        _, since, _ = former.name.split("-", 2)
        _, version, _ = file.name.split("-", 2)
        own = [("OrganizationUUID", listed["OrganizationUUID"]), ("DataVersion", version)]
        query = [*own, ("ChangedSince", since), ("RecordCount", str(MOST_CHANGES))]
        try:
            answer = self._connection.get(f"/v1/{self._operation}", query)
            removed = removed_keys(self._connection, self._operation, [*own, ("Since", since)])
        except (VersionGone, BadArgument, ServiceBusy):
            return False
        kind = listed["DataSet"]
        changed = frames.from_records(kind, answer.content)
        old = pyarrow.parquet.read_table(former, columns=changed.column_names)
        new = _laid_over([one.name for one in keys(kind)], old, changed.cast(old.schema), removed)
        if int(answer.headers["X-Total-Count"]) > MOST_CHANGES or new.num_rows != listed["Records"]:
            return False
        part = file.with_suffix(".new")
        pyarrow.parquet.write_table(new, part, compression="zstd")
        part.replace(file)
        return True


def removed_keys(connection: Connection, operation: str, query: Query) -> pandas.DataFrame:
    """The keys of all records that are gone, with their organization; `query` names the version."""

    def read(answer: httpx.Response, _metadata: Metadata) -> Rows:
        return [{**one, **{name: plain(cell) for name, cell in one["Key"].items()}} for one in answer.json()["Removed"]]

    def plain(cell: Any) -> Any:
        """In lists items are objects, as in records."""
        return [next(iter(item.values())) for item in cell] if isinstance(cell, list) else cell

    columns = [Column("OrganizationUUID"), *keys(kind_of(operation))]
    return Retrieval(connection, f"{operation}/Removed", query, columns=columns, read=read).run()[0]


def _laid_over(names: Sequence[str], old: Table, changed: Table, removed: pandas.DataFrame) -> Table:
    """The old records less those that are gone or changed, and the changed ones, in the service's order: by key."""
    lost = pyarrow.Table.from_pandas(removed[[*names]], preserve_index=False).cast(old.select(names).schema)
    gone = pyarrow.concat_arrays([_key_texts(names, changed), _key_texts(names, lost)])
    stays = pyarrow.compute.invert(pyarrow.compute.is_in(_key_texts(names, old), value_set=gone))
    new = pyarrow.concat_tables([old.filter(stays), changed])
    return new.take(pyarrow.compute.sort_indices(_key_texts(names, new)))


def _key_texts(names: Sequence[str], table: Table) -> Any:
    """A text for each key whose order is the service's: what separates its parts comes before all that is in them."""
    return pyarrow.compute.binary_join_element_wise(*(_texts(table[name]) for name in names), "\x00")


def _texts(column: Any) -> Any:
    """What is missing comes first, and lists count as sets."""
    if not pyarrow.types.is_list(column.type):
        return pyarrow.compute.fill_null(column.cast(pyarrow.string()), "").combine_chunks()
    lists = pyarrow.compute.binary_join(column, "\x01").combine_chunks().dictionary_encode()
    values = ["\x01".join(sorted(one.split("\x01"))) for one in lists.dictionary.to_pylist()]
    return pyarrow.DictionaryArray.from_arrays(lists.indices, pyarrow.array(values, "string")).cast("string")
