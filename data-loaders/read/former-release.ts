// What a merge is laid over (submissions.md, 5): the releases of the submission's organization, whose kept source rows are
// written out as files and read like any submission.

import { createWriteStream, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import { ReleaseGoneError, type Store } from '../../shared/store/port';
import { readSourceText } from '../stage/source-text';
import { CellReader } from '../format/cells';
import { amountsFiles } from '../format/amount-files';
import { readCsvFile } from './csv-file';
import { organizationsFile } from '../format/lookup-files';
import { RowReader } from './row-reader';

/** More are as wrong as two. */
const MAX_NAMED = 10;

/** The releases of the organizations that a submission names, the newest first, with a folder of source rows for each. */
export interface FormerReleases {
  readonly organizations: ReadonlySet<string>;
  readonly entries: readonly CatalogEntry[];
  readonly folders: readonly string[];
}

export async function writeFormerReleases(
  submissionFolder: string,
  store: Store,
  isSample: boolean,
  targetFolder: string,
): Promise<FormerReleases> {
  const organizations = await namedOrganizations(submissionFolder);
  const entries = await currentEntries(organizations, store, isSample);
  const folders: string[] = [];
  for (const entry of entries) folders.push(await writeRelease(entry, store, targetFolder));
  return { organizations, entries, folders };
}

/** Whether what was written is what is current. */
export async function areCurrent(former: FormerReleases, store: Store, isSample: boolean): Promise<boolean> {
  const current = await currentEntries(former.organizations, store, isSample);
  const ids = (entries: readonly CatalogEntry[]): string => entries.map(({ releaseId }) => releaseId).join();
  return ids(current) === ids(former.entries);
}

async function currentEntries(
  organizations: ReadonlySet<string>,
  store: Store,
  isSample: boolean,
): Promise<readonly CatalogEntry[]> {
  const { entries } = await store.currentState();
  return entries
    .filter((entry) => organizations.has(entry.organizationUuid) && entry.isSample === isSample)
    .sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

/** Writes the kept source files of one release into a folder of its own. */
export async function writeRelease(entry: CatalogEntry, store: Store, targetFolder: string): Promise<string> {
  const reader = await store.openRelease(entry.releaseId);
  if (reader === undefined) throw new ReleaseGoneError();
  const folder = join(targetFolder, entry.releaseId);
  mkdirSync(folder, { recursive: true });
  for await (const file of reader.sourceFiles()) {
    await pipeline(Readable.from(readSourceText(file)), createWriteStream(join(folder, file.name)));
  }
  return folder;
}

/** By its amounts; by organizations.csv when it has none. */
async function namedOrganizations(folder: string): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const file of Object.values(amountsFiles)) {
    await collect(join(folder, file.name), named, (header) => new RowReader(file, header, true, new CellReader()));
  }
  if (named.size === 0) {
    await collect(
      join(folder, organizationsFile.name),
      named,
      (header) => new RowReader(organizationsFile, header, true, new CellReader()),
    );
  }
  return named;
}

async function collect(
  path: string,
  named: Set<string>,
  readerOf: (header: readonly string[]) => Pick<RowReader<typeof organizationsFile>, 'rawCell'>,
): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  let reader: ReturnType<typeof readerOf> | undefined;
  for await (const { rows } of readCsvFile(path, () => undefined)) {
    for (const { cells } of rows) {
      if (cells === undefined) continue;
      if (reader === undefined) reader = readerOf(cells);
      else if (named.size < MAX_NAMED) named.add(reader.rawCell(cells, 'OrganizationUUID').trim());
    }
  }
  named.delete('');
}
