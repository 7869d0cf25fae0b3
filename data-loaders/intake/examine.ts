// Examines files that were sent over HTTP (D76): unpacks an archive or workbook and, for a check, performs the same dry
// run as `npm run load -- FOLDER --dry-run`.

import { createReadStream, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK_REPORTS, type Examination, type ExaminationJob } from '../../shared/http/pipeline/submission-ports';
import type { Settings } from '../../shared/settings';
import type { Store } from '../../shared/store/port';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { type SubmittedFiles } from '../format/submitted-files';
import { loadSubmission } from '../load-submission';
import { writeReport } from '../report/report-files';
import { reportText } from '../report/terminal-report';
import { SILENT } from '../stage/progress';
import { PackageProblem } from '../unpack/package-problem';
import { unpackSubmission } from '../unpack/unpack-submission';
import { CheckStore } from './check-store';

type ExaminationSettings = Pick<Settings, 'rejectedShareLimit' | 'holdSubmissions'>;

/** The name of the submission in statements and in messages. */
const NAME = 'submission';

/** `openStore` is called only for a check. The caller removes the job's folder. */
export async function examine(
  job: ExaminationJob,
  settings: ExaminationSettings,
  openStore: () => Store,
): Promise<Examination> {
  const { folder, maxUnpackedBytes } = job;
  let files: SubmittedFiles;
  try {
    files = await unpackSubmission(listSentFiles(job), {
      createFolder: () => makeJobFolder(folder, 'unpacked'),
      maxBytes: maxUnpackedBytes,
      isPackage: job.isPackage,
    });
  } catch (error) {
    if (error instanceof PackageProblem) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
  if (job.task === 'check') await check(files, job, settings, openStore);
  return { kind: 'done' };
}

async function check(
  files: SubmittedFiles,
  { folder }: ExaminationJob,
  { rejectedShareLimit, holdSubmissions }: ExaminationSettings,
  openStore: () => Store,
): Promise<void> {
  const store = new CheckStore(openStore(), openEmbeddedStore(makeJobFolder(folder, 'releases')));
  try {
    const report = await loadSubmission({
      files,
      store,
      stagingDirectory: makeJobFolder(folder, 'staging'),
      rejectedShareLimit,
      holdSubmissions,
      isDryRun: true,
      isSample: false,
      progress: SILENT,
      now: () => new Date(),
    });
    writeReport(report, folder);
    writeFileSync(join(folder, CHECK_REPORTS.text), `${reportText(report)}\n`);
  } finally {
    await store.close();
  }
}

function makeJobFolder(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function listSentFiles({ files }: ExaminationJob): SubmittedFiles {
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  return {
    name: NAME,
    names: (folder) => (folder === undefined ? [...paths.keys()] : []),
    file: (name) => {
      const path = paths.get(name);
      if (path === undefined) return undefined;
      const bytes = (start: number): AsyncIterable<Buffer> => createReadStream(path, { start });
      return { name, size: statSync(path).size, bytes };
    },
  };
}
