// The only files that are handed out, by name. A package of the program must hold them at the same paths.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../project-files';
import { digestNameOf } from '../../values/digest';
import type { PageCache, PageContent, Service } from '../pipeline/service';

/** The OpenAPI document, made by `npm run documents` (ADR 0030). */
export const OPENAPI_FILE = 'docs/openapi.json';

const ourFiles = [
  ...['pages.css', 'features.css', 'things.css', 'icon.svg', 'copying.mjs', 'tab-key.mjs'],
  ...['landing.css', 'landing.mjs'],
  ...['downloads.css', 'downloads.mjs'],
  ...['operations.css', 'operations.mjs'],
];
const rendererFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'];
const programs = ['examples/walk.py', 'examples/walk.R', 'examples/walk.mjs', 'examples/increment.py'];

/** The path of each file, by its name under /docs/. */
const paths: ReadonlyMap<string, string> = new Map([
  ...ourFiles.map((name) => [name, `shared/http/pages/files/${name}`] as const),
  ...rendererFiles.map((name) => [name, `node_modules/swagger-ui-dist/${name}`] as const),
  ['swagger-ui.LICENSE.txt', 'node_modules/swagger-ui-dist/LICENSE'],
  ...programs.map((name) => [name, `docs/${name}`] as const),
]);

/** Relative to the project's folder. */
export const pageFilePaths: readonly string[] = [OPENAPI_FILE, ...paths.values()];

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** How pages name one another and their files. */
export interface PageAddresses {
  /** The path of the service, in front of all addresses, without a slash at the end: a proxy may have given it one. */
  readonly base: string;
  /** The address of a file, which changes with its content, so that browsers may keep the file. */
  readonly addressOf: (name: string) => string;
}

export function pageAddresses({ publicUrl, pages }: Pick<Service, 'publicUrl' | 'pages'>): PageAddresses {
  const base = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return { base, addressOf: (name) => `${base}/docs/${name}?v=${versionOf(knownFile(name, pages))}` };
}

/** Undefined for a name that is not in the list. A file stays in the cache once it is read. */
export function pageFile(name: string, pages: PageCache): PageContent | undefined {
  const path = paths.get(name);
  if (path === undefined) return undefined;
  const key = `file ${name}`;
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const file = readPageFile(path);
  pages.set(key, file, file.body.length);
  return file;
}

export function knownFile(name: string, pages: PageCache): PageContent {
  const file = pageFile(name, pages);
  if (file === undefined) throw new Error(`no such page file: ${name}`);
  return file;
}

/** Stands for the content of a file in its address. */
export function versionOf({ digest }: PageContent): string {
  return digest.slice(0, 8);
}

export function readPageFile(path: string): PageContent {
  const body = readFileSync(join(projectDirectory(), path));
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const contentType = contentTypes[extension] ?? 'text/plain; charset=utf-8';
  return { body, contentType, digest: digestNameOf(body.toString('latin1')) };
}
