// `npm run load -- FOLDER`: loads one submission immediately (a folder, an archive or a workbook), shows progress, and
// prints the report.

import { statSync } from 'node:fs';
import { loadFolder } from '../data-loaders/intake/load-folder';
import { reportText } from '../data-loaders/report/terminal-report';
import { terminalProgress } from '../data-loaders/stage/progress';
import { isPackage } from '../data-loaders/unpack/unpack-submission';
import { openStore } from '../shared/open-store';
import { commandSettings, printText, resolveFromCaller, runCommand, UsageError } from './command';

const USAGE = `Usage: npm run load -- FOLDER [--dry-run] [--json] [--rejected FOLDER] [--rejected-limit SHARE] [--confirm CODE]
  FOLDER            a submission: a folder of CSV files of one organization, or these files as a ZIP archive (FILE.zip),
                    or a workbook whose sheets are named like the files (FILE.xlsx)
  --dry-run         check everything and report what would be published, without publishing
  --json            print the report as JSON
  --rejected        write the rejected rows and the warnings of each file to this folder, as CSV to correct
  --rejected-limit  refuse the submission above this share of rejected rows, 0 to 1 (REJECTED_SHARE_LIMIT)
  --confirm         publish exactly what was held: the code at the end of the report of a held submission`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  rejected: { type: 'string' },
  'rejected-limit': { type: 'string' },
  confirm: { type: 'string' },
} as const;

void runCommand(
  { usage: USAGE, options: OPTIONS, maxOperands: 1 },
  async ({ values, positionals: [folderArgument] }) => {
    if (folderArgument === undefined) throw new UsageError(USAGE);
    const folder = resolveFromCaller(folderArgument);
    const stats = statSync(folder, { throwIfNoEntry: false });
    const isSubmission = stats?.isDirectory() === true || (stats?.isFile() === true && isPackage(folder));
    if (!isSubmission) throw new UsageError(`${folderArgument} is not a folder, a .zip or an .xlsx file.`);
    const settings = commandSettings();
    const store = openStore(settings);
    try {
      const report = await loadFolder(folder, {
        store,
        stagingDirectory: settings.stagingDirectory,
        rejectedShareLimit: readShare(values['rejected-limit']) ?? settings.rejectedShareLimit,
        ...(values.rejected === undefined ? {} : { rejectedDirectory: resolveFromCaller(values.rejected) }),
        holdSubmissions: settings.holdSubmissions,
        ...(values.confirm === undefined ? {} : { confirmationCode: values.confirm }),
        isDryRun: values['dry-run'],
        isSample: false,
        progress: terminalProgress(process.stderr, () => performance.now()),
        now: () => new Date(),
      });
      printText(values.json ? JSON.stringify(report, null, 2) : reportText(report));
      if (report.verdict === 'held' || report.verdict === 'would-be-held') return 3;
      return report.verdict === 'refused' ? 1 : 0;
    } finally {
      await store.close();
    }
  },
);

function readShare(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (text.trim() !== '' && limit >= 0 && limit <= 1) return limit;
  throw new UsageError(`--rejected-limit must be a number from 0 to 1; it is "${text}".`);
}
