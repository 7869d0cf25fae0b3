// Loads the generated submissions with the real loader, each in its own process.

import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { findProjectDirectory } from '../../shared/project-files';
import { MAX_PER_MINUTE } from '../../shared/settings';
import { FORMAT_VERSION } from '../../shared/store/port';
import { generateSubmissions, type SubmissionKind } from '../generate/submissions';
import { type Environment, type FinishedProgram, runProgram } from './programs';

export interface LoadedSubmission {
  readonly kind: SubmissionKind;
  readonly rows: number;
  readonly seconds: number;
  /** Undefined if /proc is missing. */
  readonly processorSeconds: number | undefined;
  /** The peak of the loader's resident memory; undefined if /proc is missing. */
  readonly peakMegabytes: number | undefined;
}

export interface LoadedStore {
  readonly folder: string;
  readonly environment: Environment;
  readonly submissions: readonly LoadedSubmission[];
  /** The size of the releases and the catalog, without the download files. */
  readonly megabytes: number;
}

export interface LoadingPlan {
  /** The store's folder in .data. */
  readonly name: string;
  readonly records: number;
  readonly kinds: readonly SubmissionKind[];
  readonly log: (line: string) => void;
}

const SEED = 1;

/** The download folder of a store. */
export const DOWNLOADS = 'downloads';

/** Generates and loads the data, or reuses the store that `--keep` left in an earlier run with the same name. */
export async function openLoadedStore(plan: LoadingPlan): Promise<LoadedStore> {
  const folder = join(findProjectDirectory(), '.data', plan.name);
  const environment = {
    WATER_DATA_DIR: join(folder, 'store'),
    STAGING_DIR: join(folder, 'staging'),
    PORT: '0',
    LOAD_SAMPLES: 'false',
    // The benchmark sends requests as fast as it can, with one key.
    REQUESTS_PER_MINUTE: String(MAX_PER_MINUTE),
    RECORDS_PER_MINUTE: String(MAX_PER_MINUTE),
  };
  // This program cannot use a store in another format, so the data are loaded again.
  const figures = join(folder, `loading-${FORMAT_VERSION}.json`);
  if (!existsSync(figures)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(figures, JSON.stringify(await loadAll(plan, folder, environment)));
  }
  return {
    folder,
    environment,
    // Written by the code above, now or in an earlier run.
    submissions: JSON.parse(readFileSync(figures, 'utf8')) as LoadedSubmission[],
    megabytes: measureMegabytes(environment.WATER_DATA_DIR),
  };
}

/**
 * Makes the files of the releases (D44). Otherwise a server on a new store would make them in a thread, which would
 * take one of the two cores for a minute or more during the measurements.
 */
export function makeFiles({ environment }: LoadedStore, log: (line: string) => void): Promise<FinishedProgram> {
  log('making the files of the releases');
  return runProgram('releases', ['files'], environment);
}

/** Reads all files of a store once, to put them into the system's cache, as on a server in use. */
export async function readFiles({ environment }: LoadedStore): Promise<void> {
  const folder = environment['WATER_DATA_DIR'] ?? '';
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) await finished(createReadStream(path, { highWaterMark: 1024 * 1024 }).resume());
  }
}

async function loadAll(
  { records, kinds, log }: LoadingPlan,
  folder: string,
  environment: Environment,
): Promise<LoadedSubmission[]> {
  log(`generating ${records} records`);
  const submissions: LoadedSubmission[] = [];
  for (const submission of await generateSubmissions(join(folder, 'submissions'), records, SEED, kinds)) {
    const { kind, rows } = submission;
    log(`loading ${rows} ${kind}`);
    const { seconds, processorSeconds, peakMegabytes } = await runProgram(
      'load',
      [submission.folder, '--json'],
      environment,
    );
    submissions.push({ kind, rows, seconds, processorSeconds, peakMegabytes });
  }
  return submissions;
}

function measureMegabytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const releaseFiles = names.filter((name) => !name.startsWith(`${DOWNLOADS}/`));
  const sizes = releaseFiles.map((name) => statSync(join(folder, name))).filter((entry) => entry.isFile());
  return sizes.reduce((sum, entry) => sum + entry.size, 0) / 1e6;
}
