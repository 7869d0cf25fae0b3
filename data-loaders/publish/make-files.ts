// Makes the download files of current releases that have none yet (D44). A timer or `npm run releases -- files` runs
// this after a publish, so that no publish waits for the files.

import { join } from 'node:path';
import { buildFileMetadata } from '../../shared/files/file-metadata';
import { writePlaces } from '../../shared/files/places-file';
import { readRecordChunks } from '../../shared/files/read-records';
import { recordsFiles } from '../../shared/files/records-files';
import { FileSink } from '../../shared/files/sinks';
import { digestThingsInputs, type ThingAddressSettings, writeThings } from '../../shared/files/things-file';
import { openEntry } from '../../shared/search/index/open-release';
import type { CatalogRelease } from '../../shared/search/open-releases';
import type { CatalogEntry } from '../../shared/store/catalog-types';
import { withPatience } from '../../shared/store/deadline';
import { type DownloadFile, type DownloadFiles } from '../../shared/store/download-files';
import type { Store } from '../../shared/store/port';
import { findReleaseFault } from '../../shared/store/readable-releases';
import { type LoadProgress, StoppedError } from '../stage/progress';
import { describeFiles } from './describe-files';

export interface MakeFilesInput {
  readonly store: Store;
  readonly files: DownloadFiles;
  readonly progress: LoadProgress;
  /** Whether to stop now. The next run starts over with unfinished files. */
  readonly shouldStop: () => boolean;
  /** The addresses for linked data. If undefined, they are relative to the host. */
  readonly addresses?: ThingAddressSettings;
}

const RELATIVE_ADDRESSES: ThingAddressSettings = { base: '', idPattern: '' };

/** Returns the releases for which files were made. Skips unreadable releases, which `/health` lists. */
export async function makeMissingFiles(input: MakeFilesInput): Promise<readonly CatalogEntry[]> {
  const { store, files, addresses = RELATIVE_ADDRESSES } = input;
  const filled: CatalogEntry[] = [];
  await withPatience(async () => {
    for (const entry of (await store.currentState()).entries) {
      const existing = await files.find(entry.releaseId);
      const madeFor = digestThingsInputs(addresses, entry);
      if (existing?.some((file) => file.madeFor === madeFor) === true) continue;
      if ((await findReleaseFault(store, entry.releaseId, 'quick')) !== undefined) continue;
      const reader = await openEntry(store, entry);
      // Files with other addresses are removed first, because existing files are never replaced.
      if (existing !== undefined) await files.remove(entry.releaseId);
      await files.make(entry.releaseId, (folder) => writeFiles({ entry, reader }, folder, input));
      filled.push(entry);
    }
  }).catch((error: unknown) => {
    if (!(error instanceof StoppedError)) throw error;
  });
  return filled;
}

async function writeFiles(
  release: Pick<CatalogRelease, 'entry' | 'reader'>,
  folder: string,
  { progress, shouldStop, addresses = RELATIVE_ADDRESSES }: MakeFilesInput,
): Promise<readonly DownloadFile[]> {
  const { reader, entry } = release;
  const { facts } = reader;
  const { dataSet } = facts;
  const sinks = [new FileSink(join(folder, 'records.parquet')), new FileSink(join(folder, 'records.csv.gz'))] as const;
  const metadata = buildFileMetadata(facts);
  const files = [
    recordsFiles.parquet(dataSet, metadata, sinks[0]),
    recordsFiles['csv.gz'](dataSet, metadata, sinks[1]),
  ];
  progress.startStage(`files of ${facts.organization.OrganizationUUID} ${dataSet}`, facts.records);
  for await (const chunk of readRecordChunks(reader)) {
    if (shouldStop()) throw new StoppedError();
    for (const file of files) await file.add([chunk]);
    chunk.records.forEach(() => {
      progress.step();
    });
  }
  for (const file of files) await file.finish();
  for (const sink of sinks) await sink.close();
  await writePlaces(reader, new FileSink(join(folder, 'places.parquet')));
  const things = new FileSink(join(folder, 'things.jsonl.gz'));
  await writeThings(release, addresses, things, shouldStop);
  await things.close();
  if (shouldStop()) throw new StoppedError();
  progress.done();
  return describeFiles(folder, digestThingsInputs(addresses, entry));
}
