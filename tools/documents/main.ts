// `npm run documents` writes the documents and the tables of the clients that are generated from the code. With
// `--check`, it only reports which are out of date.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import { runCommand } from '../command';
import { findStaleDocuments, generateDocuments } from './documents';

const usage = 'Usage: npm run documents [-- --check]';

void runCommand({ usage, options: { check: { type: 'boolean' } }, maxOperands: 0 }, async ({ values: { check } }) => {
  const stale = findStaleDocuments(await generateDocuments());
  for (const { path, text } of stale) {
    if (!check) writeFileSync(path, text);
    console.log(check ? `${path} is out of date; run: npm run documents` : `${path} written`);
  }
  const tables = [join(findProjectDirectory(), 'clients/make-tables.mjs'), ...(check ? ['--check'] : [])];
  const { status } = spawnSync(process.execPath, tables, { stdio: 'inherit' });
  return (check && stale.length > 0) || status !== 0 ? 1 : 0;
});
