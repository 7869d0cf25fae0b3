"""Files of whole data sets, kept in a folder by release and brought up to date by what changed since."""

from __future__ import annotations

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
from .frames import Table
from .retrieval import Retrieval
from .tables import Column, keys, kind_of

RECORDS = "records.parquet"

#: So many changed records come in one page; of more the whole file is the quicker way.
MOST_CHANGES = 10_000

Listed = Mapping[str, Any]


class Files:
    """Of the data sets that an operation answers from."""

    def __init__(self, connection: Connection, operation: str) -> None:
        self._connection = connection
        self._operation = operation
        self._folder = cache_folder() / hashlib.sha256(connection.url.encode()).hexdigest()[:16]

    def of(self, organizations: Sequence[str], version: str, total: int) -> Table | None:
        """The records of these data sets as of this version; None where files do not give so many."""
        listed, answer = self._listed(organizations)
        if answer.headers["Data-Version"] != version or any(one["Pending"] for one in listed):
            return None
        if sum(one["Records"] for one in listed) != total:
            return None
        files = [self.current(one, version) for one in listed]
        made = pyarrow.concat_tables([pyarrow.parquet.read_table(file) for file in files])
        return made if len(made) == total else None

    def find(self, organization: str) -> tuple[Listed, httpx.Response]:
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

    def current(self, listed: Listed, version: str, name: str = RECORDS, *, anew: bool = False) -> Path:
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
        version = file.name.split("-")[1]
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
    kind = kind_of(operation)
    listing = Retrieval(connection, f"/v1/{operation}/Removed", query, [Column("OrganizationUUID"), *keys(kind)])
    listing.read = lambda answer: frames.from_keys(kind, answer.json()["Removed"])
    return listing.run()[0]


def _laid_over(names: Sequence[str], old: Table, changed: Table, removed: pandas.DataFrame) -> Table:
    """The old records less those that are gone or changed, and the changed ones, in the service's order: by key."""
    lost = pyarrow.Table.from_pandas(removed[[*names]], preserve_index=False).cast(old.select(names).schema)
    gone = pyarrow.concat_arrays([_key_texts(names, changed), _key_texts(names, lost)])
    stays = pyarrow.compute.invert(pyarrow.compute.is_in(_key_texts(names, old), value_set=gone))
    new = pyarrow.concat_tables([old.filter(stays), changed])
    order = pyarrow.table({name: _texts(new[name]) for name in names})
    return new.take(pyarrow.compute.sort_indices(order, sort_keys=[(name, "ascending") for name in names]))


def _key_texts(names: Sequence[str], table: Table) -> Any:
    return pyarrow.compute.binary_join_element_wise(*(_texts(table[name]) for name in names), "\x02")


def _texts(column: Any) -> Any:
    """Texts whose order is the service's: what is missing comes first, and lists count as sets."""
    if not pyarrow.types.is_list(column.type):
        return pyarrow.compute.fill_null(column.cast(pyarrow.string()), "").combine_chunks()
    lists = pyarrow.compute.binary_join(column, "\x01").combine_chunks().dictionary_encode()
    values = ["\x01".join(sorted(one.split("\x01"))) for one in lists.dictionary.to_pylist()]
    return pyarrow.DictionaryArray.from_arrays(lists.indices, pyarrow.array(values, "string")).cast("string")
