// What a load reads: the submission's own files and, in a merge, the source rows of the releases that it is laid over.

import { readdirSync } from 'node:fs';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import { success, type Result } from '../../shared/values/result';
import { SubmissionFindings } from '../format/findings';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE, readMetadata, type SubmissionMetadata } from '../format/submission-metadata';
import type { Staging } from '../stage/staging';
import type { RowSource } from './each-row';
import { areCurrent, writeFormerReleases, type FormerReleases } from './former-release';
import { LetterCases } from './letter-cases';

const READ_FILES: ReadonlySet<string> = new Set([...submissionFiles.map(({ name }) => name), METADATA_FILE, 'READY']);

/** Notes the files of the folder that are not read, and reads its metadata; fails with why the submission is refused. */
export function openSubmission(folder: string, findings: SubmissionFindings): Result<SubmissionMetadata> {
  const notRead = readdirSync(folder).filter((name) => !READ_FILES.has(name));
  for (const name of notRead.sort()) findings.note(`${name} is not a file of the format and was not read.`);
  const read = readMetadata(folder);
  if (!read.ok) return read;
  const { metadata, unknown } = read.value;
  if (unknown.length > 0) {
    findings.note(`${METADATA_FILE}: members that are not known and not read: ${unknown.join(', ')}.`);
  }
  return success(metadata);
}

/** The sources of a load's rows, and what was current when they were found. */
export interface RowSources {
  /** The submission's own source first: of two rows of one key the newer wins. */
  readonly sources: readonly RowSource[];
  readonly basis: readonly CatalogEntry[] | undefined;
}

interface SourcesInput {
  readonly store: Store;
  readonly isSample: boolean;
  /** The release that a rebuild is made from. */
  readonly rebuildOf?: CatalogEntry;
  readonly staging: Staging;
}

/** Something else was published since a merge or a rebuild read the releases that it is made from. */
export class BasisChangedError extends Error {
  constructor() {
    super('something newer was published in the meantime');
  }
}

/** Throws BasisChangedError when a resumed merge was begun over releases that are not current any more. */
export async function findRowSources(
  own: RowSource,
  mode: SubmissionMetadata['mode'],
  { store, isSample, rebuildOf, staging }: SourcesInput,
): Promise<RowSources> {
  if (mode === 'replace') {
    attachSource(own);
    return { sources: [own], basis: rebuildOf === undefined ? undefined : [rebuildOf] };
  }
  const former = await formerReleases(own, store, isSample, staging);
  const formers = former.folders.map((folder, index): RowSource => {
    const { progress, checkpoints, cells } = own;
    const unreported = { letterCases: new LetterCases(), findings: new SubmissionFindings() };
    const name = former.entries[index]?.releaseId ?? folder;
    return { folder, name, role: 'former', progress, checkpoints, cells, ...unreported };
  });
  const sources: readonly RowSource[] = [{ ...own, role: 'merge' }, ...formers];
  sources.forEach(attachSource);
  return { sources, basis: former.entries };
}

/** The releases as they were written before, if the load goes on. */
async function formerReleases(
  { folder, checkpoints }: RowSource,
  store: Store,
  isSample: boolean,
  staging: Staging,
): Promise<FormerReleases> {
  let former: FormerReleases | undefined;
  checkpoints.attach('former releases', {
    save: () => former,
    restore: (saved) => (former = saved as FormerReleases), // Written by `save`, which is called at the end alone.
  });
  former ??= await writeFormerReleases(folder, store, isSample, staging.folder);
  if (!(await areCurrent(former, store, isSample))) throw new BasisChangedError();
  checkpoints.finish('former releases');
  return former;
}

function attachSource({ name, checkpoints, letterCases, findings }: RowSource): void {
  checkpoints.attach(`${name}: letter cases`, letterCases);
  checkpoints.attach(`${name}: notes`, findings);
}
