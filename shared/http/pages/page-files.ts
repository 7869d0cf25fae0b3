// The files that pages are made of: the only ones that are handed out, by name. A package of the program must hold them at the same
// paths below its package.json.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../project-files';
import { digestNameOf } from '../../values/digest';

/** The OpenAPI document, made by `npm run documents` (ADR 0030). */
export const OPENAPI_FILE = 'docs/openapi.json';

const OWN = 'shared/http/pages/files';
const RENDERER = 'node_modules/swagger-ui-dist';

/** By the name under /docs/. */
const paths: Readonly<Record<string, string>> = {
  'pages.css': `${OWN}/pages.css`,
  'landing.css': `${OWN}/landing.css`,
  'landing.js': `${OWN}/landing.js`,
  'operations.css': `${OWN}/operations.css`,
  'operations.js': `${OWN}/operations.js`,
  'icon.svg': `${OWN}/icon.svg`,
  'swagger-ui.css': `${RENDERER}/swagger-ui.css`,
  'swagger-ui-bundle.js': `${RENDERER}/swagger-ui-bundle.js`,
  'swagger-ui-bundle.js.LICENSE.txt': `${RENDERER}/swagger-ui-bundle.js.LICENSE.txt`,
  'swagger-ui.LICENSE.txt': `${RENDERER}/LICENSE`,
  'examples/walk.py': 'docs/examples/walk.py',
  'examples/walk.R': 'docs/examples/walk.R',
  'examples/walk.mjs': 'docs/examples/walk.mjs',
};

/** Relative to the project's folder. */
export const pageFilePaths: readonly string[] = [OPENAPI_FILE, ...Object.values(paths)];

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export interface PageFile {
  readonly body: Buffer;
  readonly contentType: string;
  readonly digest: string;
}

const read = new Map<string, PageFile>();

/** Undefined for a name that is not in the list. Kept in memory once read. */
export function pageFile(name: string): PageFile | undefined {
  const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
  if (path === undefined) return undefined;
  const file = read.get(name) ?? readPageFile(path);
  read.set(name, file);
  return file;
}

/** The address of a file, which changes with its content, so that browsers may keep it. `base` is the path of the service. */
export function addressOf(base: string, name: string): string {
  return `${base}/docs/${name}?v=${versionOf(knownFile(name))}`;
}

/** For names that the program itself writes. */
export function knownFile(name: string): PageFile {
  const file = pageFile(name);
  if (file === undefined) throw new Error(`no such page file: ${name}`);
  return file;
}

/** What stands in the address of a file for its content. */
export function versionOf({ digest }: PageFile): string {
  return digest.slice(0, 8);
}

function readPageFile(path: string): PageFile {
  const body = readFileSync(join(projectDirectory(), path));
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const contentType = contentTypes[extension] ?? 'text/plain; charset=utf-8';
  return { body, contentType, digest: digestNameOf(body.toString('latin1')) };
}
