// Builds the program of the page /explore into dist/explorer/: one file per part, with a digest of its content in its
// name, and its compressed form next to it (ADR 0031).

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
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
  {
    program: 'explorer/main.tsx',
    style: 'explorer/styles/explorer.css',
    /** Loaded when a map is shown, so the bundler puts it into its own file. */
    mapProgram: 'explorer/map/open-map.ts',
  },
  { briefProgram: 'explorer/brief/brief.tsx', briefStyle: 'explorer/styles/brief.css' },
];

/** Not an entry point: another program imports it. */
const LOADED_LATER = 'mapProgram';

/**
 * Files of packages that are served unchanged, because they are already minified. The page loads them when it shows a
 * map.
 */
const COPIES = {
  map: 'node_modules/maplibre-gl/dist/maplibre-gl.mjs',
  mapWorker: 'node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs',
  mapStyle: 'node_modules/maplibre-gl/dist/maplibre-gl.css',
};

/** Rules of the library's style sheet for controls that our map does not have. Their icons take half of its bytes. */
const UNUSED_RULES =
  /[^{}]*-(?:geolocate|fullscreen|globe|terrain|compass|shrink|marker|user-location|logo|popup|cooperative)[^{}]*\{[^{}]*\}/g;

/** Returns the bundler's metafiles. */
export async function buildExplorer() {
  mkdirSync(OUTPUT, { recursive: true });
  const bundles = await Promise.all(PAGES.map(bundlePage));
  const parts = {
    ...Object.assign({}, ...bundles.map(({ programParts }) => programParts)),
    states: await writeNamed('states', '.json', await outlinesFile('states')),
    ...(await writeForStates('counties', countyFiles())),
    ...(await writeForStates('water', waterFiles())),
    nature: await writeNamed('nature', '.json', await natureFile()),
  };
  for (const [name, path] of Object.entries(COPIES)) parts[name] = await copyFile(path);
  writeOutput(FILE_LIST, JSON.stringify({ parts }));
  const current = new Set(Object.values(parts).flatMap((name) => [name, `${name}.br`]));
  for (const name of readdirSync(OUTPUT)) {
    if (!current.has(name) && join(OUTPUT, name) !== FILE_LIST) rmSync(join(OUTPUT, name));
  }
  return bundles.map(({ metafile }) => metafile);
}

/** Returns file names, keyed by part. Files that only other files of the program load are keyed by their own names. */
async function bundlePage({ [LOADED_LATER]: loadedLater, ...entries }) {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: Object.values(entries),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: OUTPUT,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) await writeCompressed(basename(path), contents);
  const partOf = Object.fromEntries(
    Object.entries({ ...entries, [LOADED_LATER]: loadedLater }).map(([part, path]) => [path, part]),
  );
  const programParts = Object.fromEntries(
    Object.entries(metafile.outputs).map(([path, { entryPoint }]) => [
      partOf[entryPoint] ?? basename(path),
      basename(path),
    ]),
  );
  return { programParts, metafile };
}

function copyFile(path) {
  const extension = extname(path);
  // The source map is not served.
  const content = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  const text = extension === '.css' ? content.replace(UNUSED_RULES, '') : content;
  return writeNamed(basename(path, extension), extension, text);
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
