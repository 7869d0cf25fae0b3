// `npm run bench -- --loading`: loads realistic submissions, alternately with this program and with the last release,
// to reveal a slower load or one that takes more memory on any machine.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../shared/project-files';
import { type GeneratedSubmission, generateSubmissions } from './generate/submissions';
import { buildLastRelease, readLoadArguments } from './measure/last-release';
import { type FinishedProgram, programArguments, runNode } from './measure/programs';
import type { Table } from './report/table-text';

const SEED = 1;

interface ComparedProgram {
  readonly name: string;
  /** The arguments for Node, up to the arguments of the load. */
  readonly nodeArguments: readonly string[];
}

export async function loadingComparison(records: number, log: (line: string) => void): Promise<Table> {
  const { version, folder: release } = buildLastRelease(log);
  const programs: readonly ComparedProgram[] = [
    { name: version, nodeArguments: readLoadArguments(release) },
    { name: 'this', nodeArguments: programArguments('load') },
  ];
  const folder = join(findProjectDirectory(), '.data', `loading-${records}`);
  rmSync(folder, { recursive: true, force: true });
  try {
    log('generating submissions');
    const rows: string[][] = [];
    for (const submission of await generateSubmissions(join(folder, 'submissions'), records, SEED)) {
      const loads = [];
      for (const program of programs) {
        log(`loading ${submission.rows} ${submission.kind}: ${program.name}`);
        loads.push({ name: program.name, load: await loadAlone(submission, program, folder) });
      }
      for (const { name, load } of loads) rows.push(formatLoad(submission, name, load));
    }
    return {
      title: `Loading, beside version ${version}`,
      columns: ['Submission', 'program', 'rows/s', 'processor s', 'peak MB', 'rows', 's'],
      rows,
      notes: [
        'Both programs load the same files, one after the other, each into an empty store with its own flags of Node. ' +
          'On a busy machine compare processor time and memory.',
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads into an empty store. */
async function loadAlone(
  submission: GeneratedSubmission,
  { nodeArguments }: ComparedProgram,
  folder: string,
): Promise<FinishedProgram> {
  const store = join(folder, 'store');
  rmSync(store, { recursive: true, force: true });
  return runNode([...nodeArguments, submission.folder, '--json'], {
    WATER_DATA_DIR: store,
    STAGING_DIR: join(folder, 'staging'),
    LOAD_SAMPLES: 'false',
  });
}

function formatLoad(submission: GeneratedSubmission, name: string, load: FinishedProgram): string[] {
  const { kind, rows } = submission;
  const { seconds, processorSeconds, peakMegabytes } = load;
  return [
    kind,
    name,
    formatWhole(rows / seconds),
    processorSeconds === undefined ? '' : processorSeconds.toFixed(1),
    peakMegabytes === undefined ? '' : formatWhole(peakMegabytes),
    formatWhole(rows),
    seconds.toFixed(1),
  ];
}

function formatWhole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
