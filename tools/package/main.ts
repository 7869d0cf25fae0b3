// `npm run package`: the app for Azure Functions as one small zip, loaded once before it is handed out.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { fromCaller, parseArguments, printUsage, runCommand } from '../command';
import { loadPackage } from './load-package';
import { packageFiles, type PackageFiles } from './package-files';
import type { SeenByWorker } from './stand-in-worker';
import { zip } from './zip';

const USAGE = `Usage: npm run package [-- --out FILE]
  --out  the zip to write; by default dist/package/water-data-query-service.zip`;

void runCommand(async (args) => {
  const { values } = parseArguments(
    { args: [...args], options: { out: { type: 'string' }, help: { type: 'boolean', default: false } } },
    USAGE,
  );
  if (values.help) return printUsage(USAGE);
  const files = packageFiles();
  const zipped = zip(files);
  const seen = await tryOut(files);
  const path =
    values.out === undefined
      ? join(projectDirectory(), 'dist/package/water-data-query-service.zip')
      : fromCaller(values.out);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, zipped);
  console.log(`${relative(process.cwd(), path)}: ${kilobytes(zipped.length)}, ${describeFiles(files)}`);
  console.log(
    `Loads in ${seen.loadedAt.toFixed(0)} ms and answers the first request after ${seen.answeredAt.toFixed(0)} ms; ` +
      `functions: ${seen.functions.map(({ name }) => name).join(', ')}`,
  );
  return 0;
});

/** Away from the project, whose node_modules would hide what is missing. */
async function tryOut(files: PackageFiles): Promise<SeenByWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'water-package-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const settings = { WATER_DATA_DIR: join(folder, 'data'), SUBMISSIONS_INBOX: join(folder, 'inbox') };
    const seen = await loadPackage(folder, { name: 'Health', path: '/health' }, settings);
    if (seen.status !== 200) throw new Error(`the package answers /health with ${seen.status}: ${seen.text}`);
    return seen;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function describeFiles(files: PackageFiles): string {
  const sizes = Object.values(files).map(({ length }) => length);
  return `${sizes.length} files, ${kilobytes(sizes.reduce((sum, size) => sum + size, 0))} unpacked`;
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}
