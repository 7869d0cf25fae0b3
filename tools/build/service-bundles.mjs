// Bundles the service with its packages into dist/bundle/, which `npm start` and the commands run and the package for
// Azure contains, and the developer tools into dist/tools/ (ADR 0028).

import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as esbuild from 'esbuild';
import { writeOutput } from './write-output.mjs';

const OUTPUT = 'dist/bundle';
const TOOLS_OUTPUT = 'dist/tools';

/** The file that lists the bundle files for tools/package. */
const FILE_LIST = join(OUTPUT, 'files.json');

/** Packages that are loaded only when a store or a container on Azure is opened. */
const AZURE = ['@azure/cosmos', '@azure/identity', '@azure/storage-blob'];

/** The service and the loaders rarely load these packages, so the packages have their own file. */
const RARELY_USED = ['ajv', 'nodemailer'];

/** Loaded when the first assistant connects. */
const ASSISTANTS = '@modelcontextprotocol/server';

/** The source file of each program. Threads and processes are started by the file name in dist/bundle/. */
const PROGRAMS = {
  'local-host': 'host/local-host.ts',
  'request-process': 'host/request-process.ts',
  'timer-process': 'data-loaders/intake/timer-process.ts',
  'examine-process': 'data-loaders/intake/examine-process.ts',
  'export-thread': 'shared/files/export-thread.ts',
  load: 'tools/load.ts',
  keys: 'tools/keys.ts',
  releases: 'tools/releases.ts',
  backup: 'tools/backup.ts',
};

/** Programs for developers of the service. None of them is deployed. */
const DEVELOPER_TOOLS = {
  templates: 'tools/templates.ts',
  documents: 'tools/documents/main.ts',
  package: 'tools/package/main.ts',
  'stand-in-worker': 'tools/package/stand-in-worker.ts',
  'azure-check': 'tools/azure-check/main.ts',
  bench: 'bench/main.ts',
  soak: 'bench/soak.ts',
  'load-clients': 'bench/measure/load-clients.ts',
  'floor-server': 'bench/measure/floor-server.ts',
};

/** Keeps names and lines readable in stack traces in an operator's log. */
const COMMON_OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  preserveSymlinks: true,
  external: ['@azure/functions-core'],
  legalComments: 'none',
  logLevel: 'error',
  metafile: true,
  write: false,
};

/**
 * A packaged app finds the rarely used packages in its node_modules/, as a checkout does. Source maps are for
 * debuggers.
 */
const PROGRAM_OPTIONS = {
  sourcemap: true,
  external: ['@azure/functions-core', ...AZURE, ...RARELY_USED, ASSISTANTS],
  supported: { 'dynamic-import': false },
};

const BUNDLES = [
  {
    file: 'program.js',
    input: lazyEntries(PROGRAMS),
    options: PROGRAM_OPTIONS,
    starters: Object.keys(PROGRAMS).map((name) => [`${name}.js`, starter(name, 'program.js')]),
    // roaring-wasm looks for this file next to its own code, which is in the bundle.
    assets: { 'index.wasm': 'node_modules/roaring-wasm/index.wasm' },
  },
  {
    // The platform starts instances while a client waits, so the loaders, which run in their own processes, are not in
    // the file with the code that answers requests.
    file: 'functions.js',
    input: lazyEntries({ app: 'functions/app.ts' }),
    options: PROGRAM_OPTIONS,
    starters: [['app.js', starter('app', 'functions.js')]],
    assets: {},
  },
  // Minified, because operators do not read the code of packages and a third of it is white space.
  packageBundle('azure.js', AZURE, { minifyWhitespace: true }),
  packageBundle('seldom.js', RARELY_USED, { minify: true }),
  {
    // Only these exports, which are a third of the SDK. Leaves out its validator for requests to the client, because we
    // never send such requests.
    file: 'assistants.js',
    input: `export { createMcpHandler, McpServer, ResourceNotFoundError } from '${ASSISTANTS}';`,
    options: { minify: true, alias: { [`${ASSISTANTS}/_shims`]: 'node:process' } },
    starters: [[`node_modules/${ASSISTANTS}.js`, "module.exports = require('../../assistants.js');\n"]],
    assets: {},
  },
];

/** Builds all bundles at the same time. Returns the metafiles of the shipped bundles. */
export async function buildBundles() {
  const [bundles] = await Promise.all([Promise.all(BUNDLES.map(buildBundle)), buildDeveloperTools()]);
  writeOutput(FILE_LIST, JSON.stringify(bundles.flatMap(({ names }) => names)));
  return bundles.map(({ metafile }) => metafile);
}

/** Returns the metafile, and the names of the written files, relative to dist/bundle/. */
async function buildBundle({ file, input, options, starters, assets }) {
  const metafile = await bundleInto(join(OUTPUT, file), input, options);
  for (const [path, text] of starters) writeOutput(join(OUTPUT, path), text);
  for (const [name, path] of Object.entries(assets)) {
    if (!existsSync(join(OUTPUT, name))) copyFileSync(path, join(OUTPUT, name));
  }
  return { metafile, names: [file, ...starters.map(([path]) => path), ...Object.keys(assets)] };
}

/** Packages stay in node_modules/: developer tools only run in a checkout. */
async function buildDeveloperTools() {
  await bundleInto(join(TOOLS_OUTPUT, 'tools.js'), lazyEntries(DEVELOPER_TOOLS), {
    packages: 'external',
    sourcemap: true,
  });
  for (const name of Object.keys(DEVELOPER_TOOLS)) {
    writeOutput(join(TOOLS_OUTPUT, `${name}.js`), `require('./tools.js')['${name}']();\n`);
  }
  // The tools run some of the service's code in their own process, and that code starts threads from files in its own
  // folder.
  writeOutput(join(TOOLS_OUTPUT, 'export-thread.js'), "require('../bundle/export-thread.js');\n");
}

async function bundleInto(path, input, options) {
  const { outputFiles, metafile } = await esbuild.build({
    ...COMMON_OPTIONS,
    ...options,
    stdin: { contents: input, resolveDir: process.cwd() },
    outfile: path,
  });
  for (const output of outputFiles) writeOutput(output.path, output.contents);
  return metafile;
}

/** Generates a module whose exports each load one program, so that one file serves several processes and threads. */
function lazyEntries(paths) {
  return Object.entries(paths)
    .map(([name, path]) => `exports['${name}'] = () => require('./${path}');`)
    .join('\n');
}

/**
 * Generates a file that starts one program of a bundle. If possible, it caches the compiled code for the next start.
 */
function starter(name, file) {
  return `require('node:module').enableCompileCache(require('node:path').join(__dirname, '.compiled'));
require('./${file}')['${name}']();
`;
}

/** Builds a bundle of packages, and for each package a file through which the program can require it by name. */
function packageBundle(file, names, options) {
  return {
    file,
    input: names.map((name) => `exports['${name}'] = () => require('${name}');`).join('\n'),
    options,
    starters: names.map((name) => [
      `node_modules/${name}.js`,
      `module.exports = require('${name.startsWith('@') ? '../..' : '..'}/${file}')['${name}']();\n`,
    ]),
    assets: {},
  };
}
