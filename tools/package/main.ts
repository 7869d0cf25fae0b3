// `npm run package` writes the app for Azure Functions as one small zip file, after a trial run.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import { resolveFromCaller, runCommand } from '../command';
import { packageFiles, tryPackage, zip } from './package-files';

const USAGE = `Usage: npm run package [-- --out FILE]
  --out  the zip to write; by default dist/package/water-data-query-service.zip`;

void runCommand({ usage: USAGE, options: { out: { type: 'string' } }, maxOperands: 0 }, async ({ values }) => {
  const files = packageFiles();
  const archive = zip(files);
  const trial = await tryPackage(files);
  const defaultPath = join(findProjectDirectory(), 'dist/package/water-data-query-service.zip');
  const path = values.out === undefined ? defaultPath : resolveFromCaller(values.out);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, archive);
  const sizes = Object.values(files).map(({ length }) => length);
  const unpacked = `${sizes.length} files, ${kilobytes(sizes.reduce((sum, size) => sum + size, 0))} unpacked`;
  console.log(`${relative(process.cwd(), path)}: ${kilobytes(archive.length)}, ${unpacked}`);
  console.log(
    `Loads in ${trial.loadedAt.toFixed(0)} ms and answers the first request after ${trial.firstAnswerAt.toFixed(0)} ms; ` +
      `functions: ${trial.functions.map(({ name }) => name).join(', ')}`,
  );
  return 0;
});

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}
