// Builds the program of the page /explore into dist/explorer/: one file per part, with a digest of its content in its
// name, and its compressed form next to it (ADR 0031).

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import * as esbuild from 'esbuild';
import { countyFiles, natureFile, outlinesFile, waterFiles } from './explorer-maps.mjs';
import { writeOutput } from './write-output.mjs';

const OUTPUT = 'dist/explorer';

/** The list with the file name of each part, for shared/http/pages/page-files.ts. */
const FILE_LIST = join(OUTPUT, 'files.json');

/**
 * Programs and style sheets, keyed by the names of their parts. Each part is built separately, so that a page loads
 * only what it needs.
 */
const PAGES = [
  { program: 'explorer/main.tsx', style: 'explorer/styles/explorer.css' },
  { briefProgram: 'explorer/brief/brief.tsx', briefStyle: 'explorer/styles/brief.css' },
];

/**
 * The map library, which the page loads when it shows a map. It is bundled from its sources, because both of its
 * prebuilt files contain their shared code, which is a quarter of their bytes.
 */
const MAP_LIBRARY = {
  map: 'node_modules/maplibre-gl/src/index.ts',
  mapWorker: 'node_modules/maplibre-gl/src/source/worker.ts',
};

/** The code that the library and its worker share. The bundler puts it into its own file. */
const SHARED_PART = 'mapShared';

/** The style sheet of the library, which explorer.css imports. */
const MAP_STYLE = /\/maplibre-gl\.css$/;

/** Rules of the library's style sheet for controls that our map does not have. Their icons take half of its bytes. */
const UNUSED_RULES =
  /[^{}]*-(?:geolocate|fullscreen|globe|terrain|compass|shrink|marker|user-location|logo|popup|cooperative)[^{}]*\{[^{}]*\}/g;

/** Returns the bundler's metafiles. */
export async function buildExplorer() {
  mkdirSync(OUTPUT, { recursive: true });
  const bundles = await Promise.all([...PAGES.map(bundlePage), bundleMapLibrary()]);
  const parts = {
    ...Object.assign({}, ...bundles.map(({ programParts }) => programParts)),
    states: await writeNamed('states', '.json', await outlinesFile('states')),
    ...(await writeForStates('counties', countyFiles())),
    ...(await writeForStates('water', waterFiles())),
    nature: await writeNamed('nature', '.json', await natureFile()),
  };
  writeOutput(FILE_LIST, JSON.stringify({ parts }));
  const current = new Set(Object.values(parts).flatMap((name) => [name, `${name}.br`]));
  for (const name of readdirSync(OUTPUT)) {
    if (!current.has(name) && join(OUTPUT, name) !== FILE_LIST) rmSync(join(OUTPUT, name));
  }
  return bundles.map(({ metafile }) => metafile);
}

/**
 * Returns file names by part. The program of the map is in the same file as the rest: most people see a map first, and
 * one file arrives sooner than three.
 */
async function bundlePage(entries) {
  const metafile = await bundle({
    entryPoints: Object.values(entries),
    splitting: false,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [{ name: 'map-style', setup: ({ onLoad }) => onLoad({ filter: MAP_STYLE }, loadMapStyle) }],
  });
  return { programParts: nameParts(metafile, entries), metafile };
}

function loadMapStyle({ path }) {
  return { contents: readFileSync(path, 'utf8').replace(UNUSED_RULES, ''), loader: 'css' };
}

async function bundleMapLibrary() {
  const entryPoints = Object.entries(MAP_LIBRARY).map(([part, path]) => ({ in: path, out: part }));
  // The library's classes redeclare fields of their base classes. That must not reset the fields.
  const tsconfigRaw = { compilerOptions: { useDefineForClassFields: false } };
  const metafile = await bundle({ entryPoints, splitting: true, tsconfigRaw });
  return { programParts: nameParts(metafile, MAP_LIBRARY), metafile };
}

/** Writes the files of a program, and returns the bundler's metafile. */
async function bundle(options) {
  const { outputFiles, metafile } = await esbuild.build({
    ...options,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: OUTPUT,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) await writeCompressed(basename(path), contents);
  return metafile;
}

/** `entries` are the paths of entry points, keyed by part. A file that is not an entry point is the shared one. */
function nameParts({ outputs }, entries) {
  const partOf = Object.fromEntries(Object.entries(entries).map(([part, path]) => [path, part]));
  return Object.fromEntries(
    Object.entries(outputs).map(([path, { entryPoint }]) => [partOf[entryPoint] ?? SHARED_PART, basename(path)]),
  );
}

/**
 * Writes a file for each state. All names contain the same digest, so that the page needs only one address for all.
 * Returns the names, keyed by `NAME-STATE`.
 */
async function writeForStates(name, texts) {
  const digest = hash('sha256', JSON.stringify(texts)).slice(0, 8).toUpperCase();
  const parts = {};
  for (const [state, text] of Object.entries(texts)) {
    const part = `${name}-${state}`;
    parts[part] = `${part}-${digest}.json`;
    await writeCompressed(parts[part], text);
  }
  return parts;
}

/** Returns the name of the file, which contains a digest of its content. */
async function writeNamed(base, extension, content) {
  const name = `${base}-${hash('sha256', content).slice(0, 8).toUpperCase()}${extension}`;
  await writeCompressed(name, content);
  return name;
}

/**
 * A name identifies its content, so a file that is already compressed is skipped: compressing the largest takes
 * seconds.
 */
async function writeCompressed(name, content) {
  const path = join(OUTPUT, name);
  if (existsSync(path) && existsSync(`${path}.br`)) return;
  const bytes = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeOutput(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  writeOutput(path, bytes);
}
