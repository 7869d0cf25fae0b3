// `npm run releases`: lists, rolls back, withdraws and rebuilds releases, makes their files, and copies them between
// stores.

import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../data-loaders/format/report';
import { describeStates, formatStates } from '../data-loaders/list-releases';
import {
  findUnreadableEntries,
  isRebuildable,
  rebuild,
  recordFailedRebuild,
  rollBack,
  withdraw,
} from '../data-loaders/manage-releases';
import { copyFiles } from '../data-loaders/publish/copy-files';
import { copyKeys } from '../data-loaders/publish/copy-keys';
import { copyReleases } from '../data-loaders/publish/copy-releases';
import { makeMissingFiles } from '../data-loaders/publish/make-files';
import { writeReport } from '../data-loaders/report/report-files';
import { reportText } from '../data-loaders/report/terminal-report';
import { terminalProgress } from '../data-loaders/stage/progress';
import { openDownloads, openStore } from '../shared/open-store';
import { DATA_SET_KINDS, isDataSetKind } from '../shared/records/data-sets';
import { MEGABYTE, type Settings } from '../shared/settings';
import type { CatalogEntry, DataSetName } from '../shared/store/catalog-types';
import { FORMAT_VERSION, type Store, StoreUnavailableError } from '../shared/store/port';
import { describeUnreadable } from '../shared/store/readable-releases';
import { getBlocksPath, getReleasePath } from '../shared/store/sqlite/release-files';
import {
  commandSettings,
  type ExitCode,
  printLine,
  printNotice,
  printRefusal,
  printText,
  runCommand,
  UsageError,
} from './command';

const USAGE = `Usage: npm run releases -- list [--json] | rollback ORGANIZATION DATASET [RELEASE] | withdraw ORGANIZATION DATASET | rebuild
       npm run releases -- files | check
       npm run releases -- copy --from embedded|cosmos --to cosmos|embedded [--keys]
  list      show what is published, what is held, and earlier states: who submitted it, when, how many records
  --json    print the list as JSON
  rollback  make the previous release of a data set current again, or the release that you specify
  withdraw  remove a data set
  rebuild   rebuild damaged releases, and releases in an older format, from their stored source rows; if interrupted,
            the next run continues
  check     (npm run upgrade-check) read every current release and report which are damaged or in another format, how
            long a rebuild takes and how much disk space it needs; exits with 1 if a rebuild is needed
  files     create the missing download files of current releases (GET /v1/Downloads); the service does this
            automatically, a minute after a publish
  copy      publish in one store what is published in the other; WATER_DATA_DIR and COSMOS_ENDPOINT locate them
  --keys    also copy the access keys
  DATASET   ${DATA_SET_KINDS.join(', ')}`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  from: { type: 'string' },
  to: { type: 'string' },
  keys: { type: 'boolean', default: false },
} as const;

void runCommand({ usage: USAGE, options: OPTIONS, maxOperands: 4 }, async ({ values, positionals }) => {
  const [command, organization, dataSet, releaseId] = positionals;
  const { from, to, keys, json } = values;
  if (command === 'copy' && organization === undefined && !json) return copyBetweenStores(from, to, keys);
  if (from !== undefined || to !== undefined || keys) throw new UsageError(USAGE);
  const settings = commandSettings();
  const store = openStore(settings);
  try {
    if (command === 'list' && organization === undefined) return await list(store, json);
    if (json) throw new UsageError(USAGE);
    if (command === 'rebuild' && organization === undefined) return await rebuildAll(store, settings);
    if (command === 'check' && organization === undefined) return await checkUpgrade(store, settings);
    if (command === 'files' && organization === undefined) return await makeFiles(store, settings);
    if (command === 'withdraw' && releaseId === undefined) {
      return await change(store, command, readDataSetName(organization, dataSet));
    }
    if (command === 'rollback') return await change(store, command, readDataSetName(organization, dataSet), releaseId);
    throw new UsageError(USAGE);
  } finally {
    await store.close();
  }
});

async function list(store: Store, isJson: boolean): Promise<ExitCode> {
  const states = describeStates(await store.history(), await store.held.list());
  printText(isJson ? JSON.stringify(states, null, 2) : formatStates(states));
  return 0;
}

async function makeFiles(store: Store, settings: Settings): Promise<ExitCode> {
  const files = openDownloads(settings);
  const addresses = { base: settings.publicUrl, idPattern: settings.linkedDataId };
  const progress = terminalProgress(process.stderr, () => performance.now());
  const written = await makeMissingFiles({ store, files, progress, shouldStop: () => false, addresses });
  for (const { organizationUuid, dataSet, releaseId, records } of written) {
    const sizes = ((await files.find(releaseId)) ?? []).map(
      ({ name, bytes }) => `${name} ${bytes.toLocaleString('en-US')} bytes`,
    );
    printLine(`${organizationUuid} ${dataSet} (${records} records): ${sizes.join(', ')}`);
  }
  if (written.length === 0) printLine('No files are missing: every readable current release has its files.');
  return 0;
}

async function change(
  store: Store,
  command: 'rollback' | 'withdraw',
  name: DataSetName,
  targetId?: string,
): Promise<ExitCode> {
  const at = new Date().toISOString();
  const result = await (command === 'rollback' ? rollBack(store, name, at, targetId) : withdraw(store, name, at));
  if (!result.ok) return printRefusal(`Not done: ${result.problem}.`);
  const { releaseId, records } = result.value;
  const what = command === 'rollback' ? 'is current again' : 'is withdrawn';
  printLine(`Release ${releaseId} of ${name.organizationUuid} ${name.dataSet} (${records} records) ${what}.`);
  return 0;
}

/** Copies from one store to the other. Each store is opened with its own settings. */
async function copyBetweenStores(from: string | undefined, to: string | undefined, keys: boolean): Promise<ExitCode> {
  const isPair = (from === 'embedded' && to === 'cosmos') || (from === 'cosmos' && to === 'embedded');
  if (!isPair) throw new UsageError(USAGE);
  const sourceSettings = commandSettings({ WATER_STORE: from });
  const targetSettings = commandSettings({ WATER_STORE: to });
  const source = openStore(sourceSettings);
  const target = openStore(targetSettings);
  try {
    const exitCode = await copy(source, target, keys);
    if (exitCode !== 0) return exitCode;
    const { entries } = await target.currentState();
    const files = await copyFiles(openDownloads(sourceSettings), openDownloads(targetSettings), entries);
    if (files > 0) printLine(`The files of ${files} releases were also copied.`);
    return exitCode;
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function copy(from: Store, to: Store, withKeys: boolean): Promise<ExitCode> {
  const progress = terminalProgress(process.stderr, () => performance.now());
  const result = await copyReleases({ from, to, progress, now: () => new Date() });
  if (!result.ok) return printRefusal(`Not copied: ${result.problem}.`);
  const { copied, alreadyPresent, version } = result.value;
  const records = copied.reduce((sum, entry) => sum + entry.records, 0);
  const others = alreadyPresent.length === 0 ? '' : ` ${alreadyPresent.length} were already there.`;
  const what = `${copied.length} releases (${records.toLocaleString('en-US')} records)`;
  printLine(`Copied and verified ${what}.${others}`);
  printLine(`Data version ${version} is published in both stores.`);
  if (!withKeys) {
    printLine('Keys were not copied: add --keys, or issue new ones.');
    return 0;
  }
  const keys = await copyKeys(from, to);
  printLine(`Keys added: ${keys.added}; ended because they ended in the other store: ${keys.ended}.`);
  return 0;
}

function readDataSetName(organizationUuid: string | undefined, dataSet: string | undefined): DataSetName {
  if (organizationUuid === undefined || dataSet === undefined) throw new UsageError(USAGE);
  if (!isDataSetKind(dataSet)) throw new UsageError(`${dataSet} is not a data set: ${DATA_SET_KINDS.join(', ')}.`);
  return { organizationUuid, dataSet };
}

/** The speed of a rebuild on two busy cores. Rights are slower because their sites have to be looked up. */
const RECORDS_PER_SECOND = { amounts: 20_000, rights: 6000 };

/** The disk space for a rebuild relative to the old release: the new release and the staged rows. */
const ROOM_FACTOR = 1.3;

/** Prints what `rebuild` would do. Changes nothing, so the previous version of the service may keep running. */
async function checkUpgrade(store: Store, { store: { kind }, dataDirectory }: Settings): Promise<ExitCode> {
  const unreadable = await findUnreadableEntries(store);
  if (unreadable.length === 0) {
    printLine(`No rebuild is needed: every release is intact and has this program's format, ${FORMAT_VERSION}.`);
    return 0;
  }
  for (const entry of unreadable.filter(({ fault }) => fault.kind !== 'other format')) {
    printNotice(`${capitalize(describeUnreadable(entry))}.`);
  }
  const entries = unreadable.filter(isRebuildable).map(({ entry }) => entry);
  if (entries.length === 0) return printRefusal(LOST);
  const measureFiles = ({ releaseId }: CatalogEntry): number => {
    const path = getReleasePath(dataDirectory, releaseId);
    return [path, getBlocksPath(path)].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  };
  printLine(`To be rebuilt for format ${FORMAT_VERSION}:`);
  let seconds = 0;
  let bytes = 0;
  for (const entry of entries) {
    const { organizationUuid, dataSet, records } = entry;
    seconds += 1 + records / (dataSet === 'WaterAllocations' ? RECORDS_PER_SECOND.rights : RECORDS_PER_SECOND.amounts);
    bytes += measureFiles(entry) * ROOM_FACTOR;
    printLine(`  ${organizationUuid} ${dataSet}: ${records.toLocaleString('en-US')} records`);
  }
  const minutes = Math.ceil(seconds / 60);
  printLine(`It takes about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, with the service stopped.`);
  if (kind === 'embedded') {
    const { bavail, bsize } = statfsSync(dataDirectory);
    const megabytes = (count: number): string => `${Math.ceil(count / MEGABYTE).toLocaleString('en-US')} MB`;
    printLine(`It needs ${megabytes(bytes)} in ${dataDirectory}, where ${megabytes(bavail * bsize)} are free.`);
  }
  return printRefusal('Make a backup, stop the service, and run: npm run releases -- rebuild');
}

/** Advice if releases are missing. */
const LOST = 'A missing release cannot be rebuilt: load its submission again, or restore a backup.';

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The folder in the data directory for the reports of rebuilt releases that lost rows. */
const REPORTS = 'rebuild-reports';

type RebuildSettings = Pick<Settings, 'stagingDirectory' | 'dataDirectory'>;

/**
 * Rebuilds all releases that this program cannot read. Each data set is published separately, so that a failed rebuild
 * does not stop the others, and an interrupted run can continue. Returns 0 if all releases can be read at the end.
 */
async function rebuildAll(store: Store, settings: RebuildSettings): Promise<ExitCode> {
  const unreadable = await findUnreadableEntries(store);
  const published = (await store.currentState()).entries.length;
  if (unreadable.length === 0) {
    printLine("Every release has this program's format and is intact.");
    return 0;
  }
  const entries = unreadable.filter(isRebuildable).map(({ entry }) => entry);
  const others = published - unreadable.length;
  if (others > 0) printNotice(`${others} of ${published} data sets need no rebuild.`);
  for (const lost of unreadable) if (!isRebuildable(lost)) printNotice(`${capitalize(describeUnreadable(lost))}.`);
  const failed: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const name = `${entry.organizationUuid} ${entry.dataSet}`;
    const place = `data set ${index + 1} of ${entries.length}, ${name}`;
    printNotice(`Rebuilding ${place} (${entry.records.toLocaleString('en-US')} records)`);
    if (!(await withInterruptMessage(place, () => rebuildOne(store, settings, entry, name)))) failed.push(name);
  }
  if (failed.length === 0) return entries.length === unreadable.length ? 0 : printRefusal(LOST);
  return printRefusal(
    `Not rebuilt: ${failed.join(', ')}. Each keeps its previous release, which this program cannot read: queries for it get a 503 until its submission is loaded again or it is withdrawn. All others were rebuilt.`,
  );
}

/** Rebuilds one release and prints the result. Returns true on success. */
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
    printLine(`${name}: ${report.sentence}`);
    if (report.files.some(({ rejected }) => rejected > 0)) printRejectedRows(report, name, folder);
    if (report.verdict !== 'refused') return true;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    progress.done();
    printNotice(`${name}: could not be rebuilt: ${error instanceof Error ? error.message : String(error)}`);
  }
  await recordFailedRebuild(store, entry, now().toISOString());
  return false;
}

function printRejectedRows(report: Report, name: string, folder: string): void {
  writeReport(report, folder);
  const counts = report.files
    .filter(({ rejected }) => rejected > 0)
    .map(({ file, rejected, read }) => `${rejected} of ${read} rows of ${file}`);
  printLine(`${name}: rejected by the rules of this program: ${counts.join(', ')}. They are in ${folder}`);
  printText(reportText(report));
}

/**
 * While `act` runs, Ctrl-C and SIGTERM end the process. Before the process ends, it prints what is finished and how to
 * continue.
 */
async function withInterruptMessage<Value>(place: string, act: () => Promise<Value>): Promise<Value> {
  const end = (): void => {
    printNotice('');
    printNotice(`Stopped at ${place}. The data sets before it are done; to continue, run: npm run releases -- rebuild`);
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
