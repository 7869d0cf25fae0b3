// Finds the sources of a load's rows: the files of the submission and, in a merge, the releases that the submission is
// merged into.

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import { makeFolder } from '../../shared/store/make-folder';
import { ReleaseGoneError, type Store } from '../../shared/store/port';
import type { SubmissionFile } from '../format/column';
import { SubmissionFindings } from '../format/findings';
import { amountsFiles, lookupFiles } from '../format/submission-files';
import { type SubmissionMetadata } from '../format/submission-metadata';
import { folderFiles, type SubmittedFiles } from '../format/submitted-files';
import { readSourceText } from '../stage/source-text';
import type { RowSource } from './file-rows';
import { readCsvFile } from './read-csv-file';
import { RowReader } from './row-reader';

interface SourcesInput {
  readonly store: Store;
  readonly isSample: boolean;
  /** The release from which a rebuild is made. */
  readonly rebuildOf?: CatalogEntry;
}

/** Thrown if something else was published after a merge or rebuild had read the releases that it is based on. */
export class BasisChangedError extends Error {
  constructor() {
    super('something newer was published in the meantime');
  }
}

/**
 * The sources of a load's rows, the submission first, and the catalog entries that were current at that time. Throws
 * BasisChangedError if a resumed merge is based on releases that are no longer current.
 */
export async function findRowSources(
  submission: RowSource,
  mode: SubmissionMetadata['mode'],
  input: SourcesInput,
): Promise<{ readonly sources: readonly RowSource[]; readonly basis: readonly CatalogEntry[] | undefined }> {
  if (mode === 'replace') {
    return { sources: [submission], basis: input.rebuildOf === undefined ? undefined : [input.rebuildOf] };
  }
  const { releases } = await openPreviousReleases(submission, input);
  const previousSources = releases.map(({ entry, folder }): RowSource => {
    const unreported = new SubmissionFindings();
    return { ...submission, files: folderFiles(folder), name: entry.releaseId, role: 'previous', findings: unreported };
  });
  return { sources: [{ ...submission, role: 'merge' }, ...previousSources], basis: releases.map(({ entry }) => entry) };
}

/** The current releases of the organizations in a submission, newest first, with their source rows. */
interface PreviousReleases {
  readonly organizations: ReadonlySet<string>;
  readonly releases: readonly { readonly entry: CatalogEntry; readonly folder: string }[];
}

/** If the load is resumed, returns the releases that the earlier process wrote to disk. */
async function openPreviousReleases(
  { files, staging }: RowSource,
  { store, isSample }: SourcesInput,
): Promise<PreviousReleases> {
  const saved = staging.getState<{ previous?: PreviousReleases }>('former releases', {});
  if (saved.previous === undefined) {
    const organizations = await readOrganizations(files);
    const entries = await findCurrentEntries(organizations, store, isSample);
    const releases: PreviousReleases['releases'][number][] = [];
    for (const entry of entries) releases.push({ entry, folder: await writeSourceFiles(entry, store, staging.folder) });
    saved.previous = { organizations, releases };
  }
  const { organizations, releases } = saved.previous;
  const current = await findCurrentEntries(organizations, store, isSample);
  const written = releases.map(({ entry }) => entry.releaseId);
  if (current.map(({ releaseId }) => releaseId).join() !== written.join()) throw new BasisChangedError();
  staging.commit();
  return saved.previous;
}

/** The search stops here, because more than one organization is already an error. */
const MAX_ORGANIZATIONS = 10;

async function findCurrentEntries(
  organizations: ReadonlySet<string>,
  store: Store,
  isSample: boolean,
): Promise<readonly CatalogEntry[]> {
  const { entries } = await store.currentState();
  return entries
    .filter((entry) => organizations.has(entry.organizationUuid) && entry.isSample === isSample)
    .sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

/** Writes the source files of a release into their own folder. */
export async function writeSourceFiles(entry: CatalogEntry, store: Store, targetFolder: string): Promise<string> {
  const reader = await store.openRelease(entry.releaseId);
  if (reader === undefined) throw new ReleaseGoneError();
  const folder = join(targetFolder, entry.releaseId);
  makeFolder(folder);
  for await (const file of reader.sourceFiles()) {
    await pipeline(Readable.from(readSourceText(file)), createWriteStream(join(folder, file.name)));
  }
  return folder;
}

/** The organizations of the amounts or, if the amounts contain none, the organizations in organizations.csv. */
async function readOrganizations(files: SubmittedFiles): Promise<ReadonlySet<string>> {
  const organizations = new Set<string>();
  for (const file of Object.values(amountsFiles)) await collectOrganizations(files, file, organizations);
  if (organizations.size === 0) await collectOrganizations(files, lookupFiles.organizations, organizations);
  return organizations;
}

async function collectOrganizations(
  files: SubmittedFiles,
  file: SubmissionFile,
  organizations: Set<string>,
): Promise<void> {
  const submitted = files.file(file.name);
  if (submitted === undefined) return;
  let reader: RowReader<SubmissionFile> | undefined;
  for await (const { rows } of readCsvFile(submitted)) {
    for (const { cells } of rows) {
      if (cells === undefined) continue;
      if (reader === undefined) reader = new RowReader(file, cells, true);
      else if (organizations.size < MAX_ORGANIZATIONS)
        organizations.add(reader.getRawCell(cells, 'OrganizationUUID').trim());
    }
  }
  organizations.delete('');
}
