// `npm run backup -- FOLDER` copies the whole store while the service runs. `npm run restore -- FOLDER` copies it back.

import { join, resolve } from 'node:path';
import { backUp, restore } from '../shared/store/sqlite/backup';
import { explainFullDisk } from '../shared/store/sqlite/database';
import {
  commandSettings,
  printLine,
  printNotice,
  printRefusal,
  resolveFromCaller,
  runCommand,
  UsageError,
} from './command';

const USAGE = `Usage: npm run backup -- FOLDER | npm run restore -- FOLDER
  backup   copy the catalog, keys and releases (with their source rows) into a new FOLDER; the service can keep running
  restore  restore such a FOLDER into an empty data directory (WATER_DATA_DIR)`;

void runCommand({ usage: USAGE, options: {}, maxOperands: 2 }, ({ positionals: [command, folderArgument] }) => {
  if ((command !== 'backup' && command !== 'restore') || folderArgument === undefined) throw new UsageError(USAGE);
  const { dataDirectory, store } = commandSettings();
  if (store.kind !== 'embedded') {
    throw new UsageError("Backup and restore are for the embedded store; on Cosmos DB, use the account's backup.");
  }
  const folder = resolve(resolveFromCaller(folderArgument));
  const isBackup = command === 'backup';
  const target = join(isBackup ? folder : dataDirectory, 'releases');
  const result = explainFullDisk(target, () =>
    isBackup ? backUp(dataDirectory, folder, showProgress) : restore(folder, dataDirectory, showProgress),
  );
  if (!result.ok) return Promise.resolve(printRefusal(`Not done: ${result.problem}.`));
  const { version, releases, omitted, removed } = result.value;
  for (const path of removed) printNotice(`Removed ${path}, left behind by an interrupted backup.`);
  for (const sentence of omitted) printNotice(`Not included because no current data needs it: ${sentence}.`);
  printLine(`${isBackup ? 'Backed up' : 'Restored'} data version ${version}, ${releases} releases.`);
  return Promise.resolve(0);
});

function showProgress(copied: number, total: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${copied} of ${total} releases${copied === total ? '\n' : ''}`);
}
