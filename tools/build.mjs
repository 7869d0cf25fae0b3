// `npm run build`, and the first step of every other script: compiles the program into dist/, unless dist/ is what was
// compiled from just these sources (ADR 0001). It is plain JavaScript, because it runs before anything is compiled.

import { spawnSync } from 'node:child_process';
import console from 'node:console';
import { hash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { buildExplorer } from './build-explorer.mjs';
import { buildBundles } from './bundle.mjs';

const CONFIGURATION = 'tsconfig.build.json';

/** What decides beside the sources how they are compiled. The last one says which packages are really installed. */
const OTHER_INPUTS = ['tsconfig.json', CONFIGURATION, 'package-lock.json', 'node_modules/.package-lock.json'];

/** Holds the digests of what was compiled and of what came out, and is there only while both belong together. */
const STAMP = 'dist/.stamp.json';

const COMPILER = 'node_modules/typescript/bin/tsc';

/** Says what takes its time: to standard error, since the output of a command may be piped. */
const said = [];
const say = (what) => {
  said.push(console.error(`Building ${what} ...`));
  if (!isWritable(process.cwd())) {
    console.error(
      'This user cannot write here, and the program is not built as it stands: run "npm run build" as its owner.',
    );
    process.exit(1);
  }
};

process.exitCode = build() || buildExplorer(digestOf, filesBelow, say) || buildBundles(digestOf, filesBelow, say);
if (said.length > 0 && process.exitCode === 0) console.error(`Built in ${Math.ceil(process.uptime())} seconds.`);

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the exit code: 0, or the compiler's. */
function build() {
  const { include } = JSON.parse(readFileSync(CONFIGURATION, 'utf8'));
  const sources = include.flatMap((folder) => filesBelow(folder, /\.(ts|json)$/));
  // Read before the compiler does: a source that changes meanwhile makes the next run compile again.
  const inputs = digestOf([...sources, ...OTHER_INPUTS]);
  const outputs = outputsOf(include);
  const stamp = existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : {};
  const isUntouched = stamp.outputs === digestOf(outputs);
  if (isUntouched && stamp.inputs === inputs) return 0;
  say('the service: compiling it');
  rmSync(STAMP, { force: true });
  // The compiler believes that its former output is still there.
  if (!isUntouched) rmSync('dist/.tsbuildinfo', { force: true });
  const names = new Set(sources.map(compiledName));
  for (const output of outputs) if (!names.has(output.replace(/\.map$/, ''))) rmSync(output);
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', CONFIGURATION], { stdio: 'inherit' });
  if (status !== 0) return status ?? 1;
  writeFileSync(STAMP, JSON.stringify({ inputs, outputs: digestOf(outputsOf(include)) }));
  return 0;
}

function outputsOf(include) {
  return include.flatMap((folder) => filesBelow(join('dist', folder), /\.(js|js\.map|json)$/));
}

function compiledName(source) {
  return join('dist', source.replace(/\.ts$/, '.js'));
}

/** Paths of the files in a folder and below, in one order; what other packages installed there is left out. */
function filesBelow(folder, name) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path, name);
      return entry.isFile() && name.test(entry.name) ? [path] : [];
    });
}

/** Content and names count, times do not: a checkout of another branch may bring files that are older. */
function digestOf(paths) {
  const digests = paths.map((path) => [path, existsSync(path) ? hash('sha256', readFileSync(path)) : null]);
  return hash('sha256', JSON.stringify(digests));
}
