"""Files of whole data sets, kept in a folder by their digest and brought up to date by what changed since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pyarrow.compute
import pyarrow.parquet

from . import frames, tables
from .arguments import Query
from .connection import Connection, cache_folder
from .errors import BadArgument, NotOffered, ServiceBusy, VersionGone, WaterDataError
from .metadata import Metadata
from .retrieval import Listing, Retrieval, Rows, all_of, rows_in

RECORDS, PLACES = "records.parquet", "places.parquet"
PATHS = {tables.kind_of(operation): f"/v1/{operation}" for operation in tables.OPERATIONS.values()}

#: So many changed records come in one page; of more the whole file is the quicker way.
MOST_CHANGES = 10_000


class Files:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._folder = cache_folder() / hashlib.sha256(connection.url.encode()).hexdigest()[:16]

    def of(self, kind: str, organizations: Sequence[str], version: str, total: int) -> Any:
        """The records of these data sets as of this version as a table; None where files do not give so many."""
        listed, answer = self.listed(kind, organizations)
        if answer.headers["Data-Version"] != version or any(one["Pending"] for one in listed):
            return None
        if sum(one["Records"] for one in listed) != total:
            return None
        made = pyarrow.concat_tables([pyarrow.parquet.read_table(self.current(one, version)) for one in listed])
        return made if len(made) == total else None

    def listed(self, kind: str, organizations: Sequence[str]) -> tuple[list[Mapping[str, Any]], Any]:
        """What the service lists of these, with the answer that it stands in."""
        answer = self._connection.get("/v1/Downloads")
        chosen = {one.lower() for one in organizations}
        own = [one for one in answer.json()["Downloads"] if one["DataSet"] == kind]
        return [one for one in own if not chosen or one["OrganizationUUID"].lower() in chosen], answer

    def find(self, kind: str, organization: str) -> tuple[Mapping[str, Any], Any]:
        listed, answer = self.listed(kind, [organization])
        if not listed:
            raise NotOffered(f"{organization} has no {kind} at this service; get_terms() lists what there is.")
        if listed[0]["Pending"]:
            raise ServiceBusy("The files of this release are being made, which takes a minute.", retry_after=2)
        return listed[0], answer

    def current(self, listed: Mapping[str, Any], version: str, *, anew: bool = False) -> Path:
        """The records of a data set: the file that is there, or brought up to date, or taken whole."""
        folder = self._folder_of(listed)
        note = folder / "records.json"
        kept = json.loads(note.read_text("utf-8")) if note.is_file() and not anew else None
        if kept is not None and (folder / kept["file"]).is_file():
            if kept["release"] == listed["Release"]:
                return folder / str(kept["file"])
            made = self._updated(folder, kept, listed, version)
        else:
            made = None
        file = made or self.whole(listed, RECORDS)
        now = {"file": file.name, "release": listed["Release"], "data_version": version}
        note.write_text(json.dumps(now), "utf-8")
        return _alone(file, RECORDS)

    def whole(self, listed: Mapping[str, Any], name: str) -> Path:
        described = _named(listed, name)
        folder = self._folder_of(listed)
        folder.mkdir(parents=True, exist_ok=True)
        file: Path = folder / f"{listed['Release']}-{name}"
        if file.is_file():
            return file

        def say(came: int) -> None:
            self._connection.progress.say(f"{listed['OrganizationUUID']} {name}: {came / 1e6:,.1f} MB")

        path, length, digest = described["Path"], described["Bytes"], described["SHA256"]
        self._connection.save_file(path, file, length, digest, say)
        return file if name == RECORDS else _alone(file, name)

    def _updated(self, folder: Path, kept: Mapping[str, str], listed: Mapping[str, Any], version: str) -> Path | None:
        """None where only the whole is right, such as when the version is not held any more."""
        kind = listed["DataSet"]
        own = [("OrganizationUUID", listed["OrganizationUUID"]), ("DataVersion", version)]
        try:
            query = [*own, ("ChangedSince", kept["data_version"]), ("RecordCount", str(MOST_CHANGES))]
            answer = self._connection.get(PATHS[kind], query)
            removed = removed_keys(self._connection, PATHS[kind], [*own, ("Since", kept["data_version"])])
        except (VersionGone, BadArgument, ServiceBusy):
            return None
        if int(answer.headers["X-Total-Count"]) > MOST_CHANGES:
            return None
        old = pyarrow.parquet.read_table(folder / kept["file"], columns=[one.name for one in tables.columns(kind)])
        new = _laid_over(kind, old, frames.read_page(kind, answer.content).cast(old.schema), removed)
        if new.num_rows != listed["Records"]:
            return None
        # Not the name of the service's own file, which has other names of places in rows that stayed.
        file = folder / f"{listed['Release']}-updated-{RECORDS}"
        part = file.with_suffix(".new")
        pyarrow.parquet.write_table(new, part, compression="zstd")
        return part.replace(file)

    def _folder_of(self, listed: Mapping[str, Any]) -> Path:
        # Identifiers of organizations may have characters that file systems refuse.
        name = "".join(one if one.isalnum() or one in "-_" else f"%{ord(one):x}" for one in listed["OrganizationUUID"])
        return self._folder / f"{name}-{listed['DataSet']}"


def _alone(file: Path, name: str) -> Path:
    """Those of former releases go."""
    for other in file.parent.glob(f"*-{name}"):
        if other != file:
            other.unlink()
    return file


def removed_keys(connection: Connection, path: str, query: Query) -> pandas.DataFrame:
    """The keys of all records that are gone, with their organization; `query` names the version."""

    def finish(pages: list[Rows], _metadata: Metadata | None) -> pandas.DataFrame:
        keys = [{"OrganizationUUID": one["OrganizationUUID"], **one["Key"]} for one in all_of(pages)]
        return pandas.DataFrame(keys, dtype=object, columns=["OrganizationUUID"] if not keys else None)

    listing = Listing(f"{path}/Removed", query, rows_in("Removed", "TotalRemovedCount"), finish)
    return Retrieval(connection, listing).run()[0]


def _named(listed: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] | None = next((one for one in listed["Files"] if one["Name"] == name), None)
    if found is None:
        raise WaterDataError(f"The service lists no {name} of {listed['OrganizationUUID']}.")
    return found


def _laid_over(kind: str, old: Any, changed: Any, removed: pandas.DataFrame) -> Any:
    """The old records less those that are gone or changed, and the changed ones, in the service's order: by key."""
    names = tables.keys(kind)
    gone = _joined(names, changed).to_pylist()
    gone += ["\x02".join(_text(one[name]) for name in names) for one in removed.to_dict("records")]
    stays = pyarrow.compute.invert(pyarrow.compute.is_in(_joined(names, old), value_set=pyarrow.array(gone, "string")))
    new = pyarrow.concat_tables([old.filter(stays), changed])
    order = pyarrow.table({name: _texts(new[name]) for name in names})
    return new.take(pyarrow.compute.sort_indices(order, sort_keys=[(name, "ascending") for name in names]))


def _joined(names: Sequence[str], table: Any) -> Any:
    return pyarrow.compute.binary_join_element_wise(*(_texts(table[name]) for name in names), "\x02")


def _texts(column: Any) -> Any:
    """Texts whose order is the service's: what is missing comes first, and lists count as sets."""
    if not pyarrow.types.is_list(column.type):
        return pyarrow.compute.fill_null(column.cast(pyarrow.string()), "").combine_chunks()
    lists = pyarrow.compute.binary_join(column, "\x01").combine_chunks().dictionary_encode()
    values = ["\x01".join(sorted(one.split("\x01"))) for one in lists.dictionary.to_pylist()]
    return pyarrow.DictionaryArray.from_arrays(lists.indices, pyarrow.array(values, "string")).cast("string")


def _text(value: Any) -> str:
    """As `_texts` has it; some kinds of records have the time of day behind a day."""
    if isinstance(value, list):
        return "\x01".join(sorted(next(iter(item.values())) if isinstance(item, dict) else item for item in value))
    return "" if value is None else str(value).removesuffix("T00:00:00")
