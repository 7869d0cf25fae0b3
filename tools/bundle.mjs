// The third part of `npm run build`: bundles the compiled program with its packages into dist/bundle/, which is what
// `npm start` and the commands run and what the package for Azure holds (ADR 0028). It is plain JavaScript, as
// tools/build.mjs is.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

const OUTPUT = 'dist/bundle';

/** Names the files, for tools/package, and says of which inputs they were made. */
const LIST = join(OUTPUT, 'files.json');

/** The command line and not the API, whose service fails on Node 24 in the WebAssembly build. */
const ESBUILD = 'node_modules/esbuild-wasm/bin/esbuild';

/** Nothing of them is loaded before a store or a container of Azure is opened. */
const AZURE = ['@azure/cosmos', '@azure/identity', '@azure/storage-blob'];

/** Both programs load them seldom, so a file of their own has them once. */
const SELDOM = ['ajv', 'nodemailer'];

/** Loaded by the first assistant. */
const ASSISTANTS = '@modelcontextprotocol/server';

/** Entries by name, below dist/. Threads and processes are started by names of files beside their starter. */
const ENTRIES = {
  'local-host': 'host/local-host.js',
  'request-process': 'host/request-process.js',
  'tick-process': 'data-loaders/intake/tick-process.js',
  'export-thread': 'shared/files/export-thread.js',
  load: 'tools/load.js',
  keys: 'tools/keys.js',
  releases: 'tools/releases.js',
  backup: 'tools/backup.js',
};

/** A file that starts an entry of a bundle, with what the last start has compiled where the folder can be written. */
const starter = (
  name,
  file,
) => `require('node:module').enableCompileCache(require('node:path').join(__dirname, '.compiled'));
require('./${file}')['${name}']();
`;

// A packaged app finds the SDKs in node_modules, as it does in a checkout.
const PROGRAM_FLAGS = [
  ...[...AZURE, ...SELDOM, ASSISTANTS].map((name) => `--external:${name}`),
  '--supported:dynamic-import=false',
];

const packagesIn = (file, names, flags = []) => ({
  file,
  entries: names.map((name) => [name, name]),
  inputs: 'packages',
  flags,
  assets: {},
  starters: names.map((name) => [
    `node_modules/${name}.js`,
    `module.exports = require('${name.startsWith('@') ? '../..' : '..'}/${file}')['${name}']();\n`,
  ]),
});

const BUNDLES = [
  {
    file: 'program.js',
    entries: Object.entries(ENTRIES).map(([name, path]) => [name, `./dist/${path}`]),
    inputs: 'program',
    flags: PROGRAM_FLAGS,
    starters: Object.keys(ENTRIES).map((name) => [`${name}.js`, starter(name, 'program.js')]),
    // roaring-wasm looks for it in the folder of its own code, which is that of the bundle.
    assets: { 'index.wasm': 'node_modules/roaring-wasm/index.wasm' },
  },
  {
    // The platform starts instances from nothing compiled, while a client waits: the loaders, which have processes of
    // their own, are not read with what answers requests.
    file: 'functions.js',
    entries: [['app', './dist/tools/package/app.js']],
    inputs: 'program',
    flags: PROGRAM_FLAGS,
    starters: [['app.js', starter('app', 'functions.js')]],
    assets: {},
  },
  // No operator reads the lines of packages, and a third of them is blanks.
  packagesIn('azure.js', AZURE, ['--minify-whitespace']),
  packagesIn('seldom.js', SELDOM, ['--minify']),
  {
    // Of what the SDK has, these are a third; its own validator, for questions that we never ask, is left out.
    file: 'assistants.js',
    input: `export { createMcpHandler, McpServer, ResourceNotFoundError } from '${ASSISTANTS}';`,
    inputs: 'packages',
    flags: ['--minify', `--alias:${ASSISTANTS}/_shims=node:process`],
    starters: [[`node_modules/${ASSISTANTS}.js`, "module.exports = require('../../assistants.js');\n"]],
    assets: {},
  },
];

/** Lines and names stay as they are, for the stacks in an operator's log; paths are those below the project. */
const FORM = ['--bundle', '--platform=node', '--format=cjs', '--target=node22', '--preserve-symlinks'];
const OTHERS = ['--external:@azure/functions-core', '--legal-comments=none', '--log-level=error'];

/** Returns the exit code: 0, or the bundler's. A project without these sources has nothing to bundle. */
export function buildBundles(digestOf, filesBelow, say) {
  if (!existsSync('host/local-host.ts')) return 0;
  const packages = ['tools/bundle.mjs', 'node_modules/.package-lock.json'];
  const program = filesBelow('dist', /\.(js|json)$/).filter((path) => !/^dist.(bundle|explorer|package)/.test(path));
  const former = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : {};
  const made = {};
  for (const bundle of BUNDLES) {
    const inputs = digestOf(bundle.inputs === 'program' ? [...packages, ...program] : packages);
    const names = [bundle.file, ...bundle.starters.map(([path]) => path), ...Object.keys(bundle.assets)];
    const paths = names.map((name) => join(OUTPUT, name));
    const { inputs: formerInputs, outputs } = former[bundle.file] ?? {};
    if (formerInputs !== inputs || outputs !== digestOf(paths)) {
      say(`${bundle.file}: joining it with its packages`);
      rmSync(LIST, { force: true });
      const status = make(bundle);
      if (status !== 0) return status;
    }
    made[bundle.file] = { inputs, outputs: digestOf(paths), names };
  }
  // Whoever may not write into the project's folder can still start what is up to date.
  if (!existsSync(LIST)) writeFileSync(LIST, JSON.stringify(made));
  return 0;
}

/** The input of a bundle of entries. */
const starting = (entries) =>
  entries.map(([name, path]) => `exports['${name}'] = () => require('${path}');`).join('\n');

/** An entry is evaluated when its starter asks for it, so a file serves several processes and threads. */
function make({ file, entries, flags, starters, assets, input = starting(entries) }) {
  const args = [ESBUILD, ...FORM, ...OTHERS, ...flags, `--outfile=${join(OUTPUT, file)}`];
  const { status } = spawnSync(process.execPath, args, { input, stdio: ['pipe', 'inherit', 'inherit'] });
  if (status !== 0) return status ?? 1;
  for (const [path, text] of starters) {
    mkdirSync(dirname(join(OUTPUT, path)), { recursive: true });
    writeFileSync(join(OUTPUT, path), text);
  }
  for (const [name, path] of Object.entries(assets)) copyFileSync(path, join(OUTPUT, name));
  return 0;
}
