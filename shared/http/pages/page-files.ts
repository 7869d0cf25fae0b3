// The list of files that pages need. Other files are not served by name. A package of the program must contain these
// files at the same paths.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findProjectDirectory } from '../../project-files';
import { ownBytes } from '../../values/bytes/own-bytes';
import { digestContent } from '../../values/digest';
import type { PageCache, PageContent, Service } from '../pipeline/service';

/** The OpenAPI document, made by `npm run documents` (ADR 0008). */
export const OPENAPI_FILE = 'docs/openapi.json';

/** The page about the data shows its terms. */
export const GLOSSARY_FILE = 'docs/glossary.md';

const ownFiles = [
  'pages.css',
  'features.css',
  'icon.svg',
  'copying.mjs',
  'tab-key.mjs',
  'landing.css',
  'landing.mjs',
  'find-box.mjs',
  'downloads.css',
  'downloads.mjs',
  'data-guide.css',
  'document.css',
  'operations.css',
  'operations.mjs',
  'keys.css',
  'keys.mjs',
  'browser-key.mjs',
  'submit.css',
  'submit.mjs',
];

const rendererFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'];

const examplePrograms = ['examples/walk.py', 'examples/walk.R', 'examples/walk.mjs', 'examples/increment.py'];

/** The path of each file, by its name under /docs/. */
const paths: ReadonlyMap<string, string> = new Map([
  ...ownFiles.map((name) => [name, `shared/http/pages/files/${name}`] as const),
  ...rendererFiles.map((name) => [name, `node_modules/swagger-ui-dist/${name}`] as const),
  // Solves the proof-of-work challenge for self-service keys. It imports helpers.js by name.
  ['altcha.js', 'node_modules/altcha-lib/dist/esm/v1/index.js'],
  ['helpers.js', 'node_modules/altcha-lib/dist/esm/v1/helpers.js'],
  ['swagger-ui.LICENSE.txt', 'node_modules/swagger-ui-dist/LICENSE'],
  // The licenses of everything that the program contains (tools/build/license-notices.mjs).
  ['third-party-notices.txt', 'dist/third-party-notices.txt'],
  ...examplePrograms.map((name) => [name, `docs/${name}`] as const),
]);

/** The guide for submitters. */
export const GUIDE_FILE = 'docs/submitting.md';

/** Paths relative to the project folder. */
export const pageFilePaths: readonly string[] = [OPENAPI_FILE, GLOSSARY_FILE, GUIDE_FILE, ...paths.values()];

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A placeholder in examples. copying.mjs replaces it with the address of the service. */
export const ADDRESS = 'https://ADDRESS-OF-THIS-SERVICE';

/** The addresses of pages and their files. */
export interface PageAddresses {
  /** The path prefix of the service, without a trailing slash; not empty behind a proxy that adds one. */
  readonly base: string;
  /** The address of a file changes with its content, so that browsers may cache the file forever. */
  readonly fileAddress: (name: string) => string;
}

export function getPageAddresses({ publicUrl, pages }: Pick<Service, 'publicUrl' | 'pages'>): PageAddresses {
  const base = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return { base, fileAddress: (name) => `${base}/docs/${name}?v=${getFileVersion(getPageFile(name, pages))}` };
}

/** Undefined for a name that is not in the list. */
export function findPageFile(name: string, pages: PageCache): PageContent | undefined {
  const path = paths.get(name);
  return path === undefined ? undefined : readOnce(`file ${name}`, pages, () => readPageFile(path));
}

export function getPageFile(name: string, pages: PageCache): PageContent {
  const file = findPageFile(name, pages);
  if (file === undefined) throw new Error(`no such page file: ${name}`);
  return file;
}

/** The part of the digest that identifies the content of a file in its address. */
export function getFileVersion({ digest }: PageContent): string {
  return digest.slice(0, 8);
}

/** Reads a file once and caches it. */
export function readOnce(key: string, pages: PageCache, read: () => PageContent | undefined): PageContent | undefined {
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const file = read();
  if (file !== undefined) pages.set(key, file, file.body.length + (file.brotli?.length ?? 0));
  return file;
}

/** A package contains the largest file only in compressed form. */
function readPageFile(path: string): PageContent {
  const whole = join(findProjectDirectory(), path);
  if (existsSync(whole)) return createFileContent(path, readFileSync(whole));
  const brotli = ownBytes(readFileSync(`${whole}.br`));
  return { ...createFileContent(path, brotliDecompressSync(brotli)), brotli };
}

export function createFileContent(path: string, body: Buffer): PageContent {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const contentType = contentTypes[extension] ?? 'text/plain; charset=utf-8';
  return { body: ownBytes(body), contentType, digest: digestContent(body.toString('latin1')) };
}
