// `npm run releases -- rebuild`: makes all releases anew that this program cannot read. Each data set is published by
// itself, so that one that cannot be rebuilt does not keep the others, and an ended rebuild goes on where it was.

import { join } from 'node:path';
import { entriesToRebuild, noteNotRebuilt, rebuild } from '../data-loaders/manage-releases';
import type { Report } from '../data-loaders/format/report';
import { writeReport } from '../data-loaders/report/report-files';
import { reportText } from '../data-loaders/report/report-text';
import { terminalProgress } from '../data-loaders/stage/progress';
import type { Settings } from '../shared/settings';
import type { CatalogEntry } from '../shared/store/catalog-types';
import { StoreUnavailableError, type Store } from '../shared/store/port';
import { notDone, type ExitCode } from './command';

/** In the data directory: a folder for each rebuilt release of which rows were left out. */
const REPORTS = 'rebuild-reports';

type RebuildSettings = Pick<Settings, 'stagingDirectory' | 'dataDirectory'>;

/** 0 when every data set can be read now. */
export async function rebuildAll(store: Store, settings: RebuildSettings): Promise<ExitCode> {
  const entries = await entriesToRebuild(store);
  const published = (await store.currentState()).entries.length;
  if (entries.length === 0) {
    console.log('Every release has the format of this program.');
    return 0;
  }
  const others = published - entries.length;
  if (others > 0) console.error(`${others} of ${published} data sets need no rebuild.`);
  const failed: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = `${entry.organizationUuid} ${entry.dataSet}`;
    const place = `data set ${index + 1} of ${entries.length}, ${name}`;
    console.error(`Rebuilding ${place} (${entry.records.toLocaleString('en-US')} records)`);
    if (!(await untilEnded(place, () => rebuildOne(store, settings, entry, name)))) failed.push(name);
  }
  if (failed.length === 0) return 0;
  return notDone(
    `Not rebuilt: ${failed.join(', ')}. Each keeps its former release, which this program cannot read: queries over it are answered 503 until its submission is loaded again or it is withdrawn. All others are rebuilt.`,
  );
}

/** Whether it was; says so. */
async function rebuildOne(
  store: Store,
  { stagingDirectory, dataDirectory }: RebuildSettings,
  entry: CatalogEntry,
  name: string,
): Promise<boolean> {
  const progress = terminalProgress(process.stderr, () => performance.now());
  const now = (): Date => new Date();
  const folder = join(dataDirectory, REPORTS, entry.releaseId);
  try {
    const report = await rebuild({ store, entry, stagingDirectory, rejectedDirectory: folder, progress, now });
    console.log(`${name}: ${report.sentence}`);
    if (report.files.some(({ rejected }) => rejected > 0)) tellLeftOut(report, name, folder);
    if (report.verdict !== 'refused') return true;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    progress.done();
    console.error(`${name}: could not be rebuilt: ${error instanceof Error ? error.message : String(error)}`);
  }
  await noteNotRebuilt(store, entry, now().toISOString());
  return false;
}

function tellLeftOut(report: Report, name: string, folder: string): void {
  writeReport(report, folder);
  const counts = report.files
    .filter(({ rejected }) => rejected > 0)
    .map(({ file, rejected, read }) => `${rejected} of ${read} rows of ${file}`);
  console.log(`${name}: rejected by the rules of this program: ${counts.join(', ')}. They stand in ${folder}`);
  console.log(reportText(report));
}

/** While `act` runs, Ctrl-C and SIGTERM end the process with a sentence about what is done and what to run. */
async function untilEnded<Value>(place: string, act: () => Promise<Value>): Promise<Value> {
  const end = (): void => {
    console.error(`\nEnded at ${place}. Those before it are done; to go on, run: npm run releases -- rebuild`);
    process.exit(1);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  try {
    return await act();
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}
