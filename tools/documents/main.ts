// `npm run documents`: writes the documents that are made from the code; with `--check` it only says which are not
// fresh.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArguments, runCommand } from '../command';
import { generatedDocuments, staleDocuments } from './documents';

const USAGE = 'Usage: npm run documents [-- --check]';

void runCommand(async (args) => {
  const options = { check: { type: 'boolean', default: false } } as const;
  const { values } = parseArguments({ args: [...args], options }, USAGE);
  const stale = staleDocuments(await generatedDocuments(), (path) =>
    existsSync(path) ? readFileSync(path, 'utf8') : undefined,
  );
  for (const { path, text } of stale) {
    if (!values.check) writeFileSync(path, text);
    console.log(values.check ? `${path} is not fresh; run: npm run documents` : `${path} written`);
  }
  return values.check && stale.length > 0 ? 1 : 0;
});
