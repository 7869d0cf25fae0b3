// `npm run templates -- FOLDER` writes the templates for a submission (D66), the same files as on the page at /submit.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listTemplateFiles } from '../shared/http/pages/submit-page';
import { printRefusal, resolveFromCaller, runCommand, UsageError } from './command';

const USAGE = `Usage: npm run templates -- FOLDER
  FOLDER  a new or empty folder: gets the guide (guide.md), every file of a submission with only its header
          (empty/), and a filled-in example that loads unchanged (example/)`;

void runCommand({ usage: USAGE, options: {}, maxOperands: 1 }, ({ positionals: [folderArgument] }) => {
  if (folderArgument === undefined) throw new UsageError(USAGE);
  const folder = resolveFromCaller(folderArgument);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    return Promise.resolve(
      printRefusal(`${folderArgument} is not empty: specify a new folder, so that none of your files is replaced.`),
    );
  }
  for (const [path, text] of listTemplateFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  console.log(`${listTemplateFiles().size} files written to ${folderArgument}. Begin with guide.md.`);
  return Promise.resolve(0);
});
