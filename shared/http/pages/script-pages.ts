// Pages that a program fills in the browser: the explorer at /explore, and the documentation at /docs with every
// operation, parameter and member to read and to try, by Swagger UI from our own files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../project-files';
import { describeKeySource, KEYS_FROM_OPERATOR } from '../pipeline/authorize';
import { INTERNAL_ERROR, type Outcome, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { answerDataGuidePage } from './data-guide-page';
import { answerFile, answerNamedFile, answerPage, createContent, html, renderPage } from './page';
import {
  type ExplorerFiles,
  findExplorerFile,
  findPageFile,
  getPageAddresses,
  listExplorerChunks,
  OPENAPI_FILE,
  readExplorerFiles,
} from './page-files';

/**
 * What the map needs beside what all pages may: a worker of our own, pictures that the program draws, and the host of
 * tiles that an operator names.
 */
function buildMapPolicy(basemap: Service['basemap']): Readonly<Record<string, string>> {
  const host = basemap === undefined ? '' : ` ${new URL(basemap.tiles).origin}`;
  return { 'worker-src': "'self'", 'img-src': `'self' data: blob:${host}`, 'connect-src': `'self'${host}` };
}

/** The explorer, and the files of its program by their names. */
export function findExplorer(name: string, { pages }: Service): Route['answer'] | undefined {
  if (name === '') return answerExplorerPage;
  const file = findExplorerFile(name, pages);
  return file && ((request) => answerNamedFile(request, file, pages));
}

function answerExplorerPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const files = readExplorerFiles();
  if (files === undefined) return Promise.resolve(refuse(INTERNAL_ERROR));
  const { base, fileAddress } = getPageAddresses(service);
  const fileAt = (name: string): string => `${base}/explore/${name}`;
  const content = html`<div
      id="explorer"
      data-base="${base}"
      data-map="${fileAt(files.map)}"
      data-map-worker="${fileAt(files.mapWorker)}"
      data-map-style="${fileAt(files.mapStyle)}"
      data-states="${fileAt(files.states)}"
      data-counties="${fileAt(files.counties)}"
      data-nature="${fileAt(files.nature)}"
      data-tiles="${service.basemap?.tiles ?? ''}"
      data-attribution="${service.basemap?.attribution ?? ''}"
    ></div>
    <noscript
      ><p class="notice">
        The explorer needs JavaScript. The same data can be asked for <a href="${base}/docs">by address</a>.
      </p></noscript
    >`;
  const page = {
    title: 'Explore',
    content,
    styles: [files.style],
    modules: [files.program],
    links: listPreloads(request, files).map((name) => ({ rel: 'modulepreload', href: fileAt(name) })),
  };
  const framed = renderPage(page, service, {
    base,
    fileAddress: (name) => (name === 'icon.svg' ? fileAddress(name) : fileAt(name)),
  });
  return answerPage(request, createContent(framed), service.pages, buildMapPolicy(service.basemap));
}

/**
 * Parts of the program that it will load itself, so that none waits until another has been read; that of the map where
 * the address shows one. The library of maps is not among them: to read it takes so long that filters and counts, which
 * people see first, would wait for it (ADR 0093).
 */
function listPreloads({ url }: HttpRequest, files: ExplorerFiles): readonly string[] {
  const showsMap = (new URL(url).searchParams.get('view') ?? 'map') === 'map';
  return showsMap ? [...listExplorerChunks(files), files.mapProgram] : listExplorerChunks(files);
}

/** The documentation, the page about the data, and the files that pages need. */
export function findDocs(name: string, { pages }: Service): Route['answer'] | undefined {
  if (name === '') return answerDocumentationPage;
  if (/^data\/?$/i.test(name)) return answerDataGuidePage;
  const file = findPageFile(name, pages);
  return file && ((request) => answerFile(request, file, pages));
}

function answerDocumentationPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages } = service;
  const { base } = getPageAddresses(service);
  const content = html` <div id="operations" data-document="${base}/openapi.json"></div>
    <noscript
      ><p class="notice">
        This page needs JavaScript. The same is in the <a href="${base}/openapi.json">OpenAPI document</a>.
      </p></noscript
    >`;
  const styles = ['swagger-ui.css', 'pages.css', 'operations.css'];
  const scripts = ['swagger-ui-bundle.js'];
  const modules = ['operations.mjs'];
  const page = renderPage({ title: 'Documentation', content, styles, scripts, modules }, service);
  const origin = publicUrl === '' ? '' : ` ${new URL(publicUrl).origin}`;
  return answerPage(request, createContent(page), pages, {
    // The style sheet of the renderer has its icons as data: URLs.
    'img-src': "'self' data:",
    // The member `servers` of the document names this origin.
    'connect-src': `'self'${origin}`,
  });
}

/** GET /openapi.json: the committed document, with the service's address (ADR 0008) and where its keys come from. */
export function answerOpenApi(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages, contact } = service;
  const text = readFileSync(join(findProjectDirectory(), OPENAPI_FILE), 'utf8');
  const committed = JSON.parse(text) as { readonly info: { readonly description: string } }; // It is our own.
  const { info } = committed;
  const contactAddress = /^https?:/i.test(contact) ? { url: contact } : { email: contact };
  const source = describeKeySource(service);
  const description = `${info.description}${source === KEYS_FROM_OPERATOR ? '' : `\n\n**Where keys come from.** ${source}`}`;
  const contactMember = contact === '' ? {} : { contact: { name: 'Access keys', ...contactAddress } };
  const servers = publicUrl === '' ? {} : { servers: [{ url: publicUrl }] };
  const document = { ...committed, info: { ...info, description, ...contactMember }, ...servers };
  return answerFile(request, createContent(JSON.stringify(document), 'application/json'), pages);
}
