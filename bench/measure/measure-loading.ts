// Loading of the generated submissions by the real loader, each in a process of its own.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { MOST_PER_MINUTE } from '../../shared/settings';
import { runProgram, type Environment } from './child-process';
import { generateSubmissions, type SubmissionKind } from '../generate/submissions';

export interface LoadedSubmission {
  readonly kind: SubmissionKind;
  readonly rows: number;
  readonly seconds: number;
  /** Of the loader's resident memory; undefined where /proc is missing. */
  readonly peakMegabytes: number | undefined;
}

export interface LoadedStore {
  readonly folder: string;
  readonly environment: Environment;
  readonly submissions: readonly LoadedSubmission[];
  /** Of all release files and the catalog. */
  readonly megabytes: number;
}

const SEED = 1;

/** Of a store that was left by `--keep`, with the figures of its loading. */
const FIGURES_FILE = 'loading.json';

/** Generates and loads, or finds what was left there by an earlier run of the same name. */
export async function loadedStore(
  name: string,
  records: number,
  kinds: readonly SubmissionKind[],
  log: (line: string) => void,
): Promise<LoadedStore> {
  const folder = join(projectDirectory(), '.data', name);
  const environment = {
    WATER_DATA_DIR: join(folder, 'store'),
    STAGING_DIR: join(folder, 'staging'),
    PORT: '0',
    LOAD_SAMPLES: 'false',
    // One key asks as fast as it can.
    REQUESTS_PER_MINUTE: String(MOST_PER_MINUTE),
    RECORDS_PER_MINUTE: String(MOST_PER_MINUTE),
  };
  const figures = join(folder, FIGURES_FILE);
  if (!existsSync(figures)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(figures, JSON.stringify(await loadAll(folder, records, kinds, environment, log)));
  }
  return {
    folder,
    environment,
    submissions: JSON.parse(readFileSync(figures, 'utf8')) as LoadedSubmission[], // What was written above.
    megabytes: megabytesOf(environment.WATER_DATA_DIR),
  };
}

async function loadAll(
  folder: string,
  records: number,
  kinds: readonly SubmissionKind[],
  environment: Environment,
  log: (line: string) => void,
): Promise<LoadedSubmission[]> {
  log(`generating ${records} records`);
  const loaded: LoadedSubmission[] = [];
  for (const submission of await generateSubmissions(join(folder, 'submissions'), records, SEED, kinds)) {
    log(`loading ${submission.rows} ${submission.kind}`);
    const { seconds, peakMegabytes } = await runProgram('tools/load.js', [submission.folder, '--json'], environment);
    loaded.push({ kind: submission.kind, rows: submission.rows, seconds, peakMegabytes });
  }
  return loaded;
}

function megabytesOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sizes = names.map((name) => statSync(join(folder, name))).filter((entry) => entry.isFile());
  return sizes.reduce((sum, entry) => sum + entry.size, 0) / 1e6;
}
