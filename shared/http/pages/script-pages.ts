// Pages that a program fills in the browser: the explorer at /explore, and the documentation at /docs with every
// operation, parameter and member to read and to try, by Swagger UI from our own files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../project-files';
import { KEYS_FROM_OPERATOR, describeKeySource } from '../pipeline/authorize';
import { INTERNAL_ERROR, type Outcome, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { dataGuidePage } from './data-guide-page';
import { contentOf, fileOutcome, html, namedFileOutcome, pageFrame, pageOutcome } from './page';
import {
  explorerChunks,
  explorerFile,
  type ExplorerFiles,
  explorerFiles,
  OPENAPI_FILE,
  pageAddresses,
  pageFile,
} from './page-files';

/**
 * What the map needs beside what all pages may: a worker of our own, pictures that the program draws, and the host of
 * tiles that an operator names.
 */
function policyWith(basemap: Service['basemap']): Readonly<Record<string, string>> {
  const host = basemap === undefined ? '' : ` ${new URL(basemap.tiles).origin}`;
  return { 'worker-src': "'self'", 'img-src': `'self' data: blob:${host}`, 'connect-src': `'self'${host}` };
}

/** The explorer, and the files of its program by their names. */
export function findExplorer(name: string, { pages }: Service): Route['answer'] | undefined {
  if (name === '') return explorerPage;
  const file = explorerFile(name, pages);
  return file && ((request) => namedFileOutcome(request, file, pages));
}

function explorerPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const files = explorerFiles();
  if (files === undefined) return Promise.resolve(refuse(INTERNAL_ERROR));
  const { base, addressOf } = pageAddresses(service);
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
    links: partLinks(request, files).map((name) => ({ rel: 'modulepreload', href: fileAt(name) })),
  };
  const framed = pageFrame(page, service, {
    base,
    addressOf: (name) => (name === 'icon.svg' ? addressOf(name) : fileAt(name)),
  });
  return pageOutcome(request, contentOf(framed), service.pages, policyWith(service.basemap));
}

/**
 * Parts of the program that it will load itself, so that none waits until another has been read; that of the map where
 * the address shows one. The library of maps is not among them: to read it takes so long that filters and counts, which
 * people see first, would wait for it (ADR 0093).
 */
function partLinks({ url }: HttpRequest, files: ExplorerFiles): readonly string[] {
  const showsMap = (new URL(url).searchParams.get('view') ?? 'map') === 'map';
  return showsMap ? [...explorerChunks(files), files.mapProgram] : explorerChunks(files);
}

/** The documentation, the page about the data, and the files that pages need. */
export function findDocs(name: string, { pages }: Service): Route['answer'] | undefined {
  if (name === '') return documentationPage;
  if (/^data\/?$/i.test(name)) return dataGuidePage;
  const file = pageFile(name, pages);
  return file && ((request) => fileOutcome(request, file, pages));
}

function documentationPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages } = service;
  const { base } = pageAddresses(service);
  const content = html` <div id="operations" data-document="${base}/openapi.json"></div>
    <noscript
      ><p class="notice">
        This page needs JavaScript. The same is in the <a href="${base}/openapi.json">OpenAPI document</a>.
      </p></noscript
    >`;
  const styles = ['swagger-ui.css', 'pages.css', 'operations.css'];
  const scripts = ['swagger-ui-bundle.js'];
  const modules = ['operations.mjs'];
  const page = pageFrame({ title: 'Documentation', content, styles, scripts, modules }, service);
  const origin = publicUrl === '' ? '' : ` ${new URL(publicUrl).origin}`;
  return pageOutcome(request, contentOf(page), pages, {
    // The style sheet of the renderer has its icons as data: URLs.
    'img-src': "'self' data:",
    // The member `servers` of the document names this origin.
    'connect-src': `'self'${origin}`,
  });
}

/** GET /openapi.json: the committed document, with the service's address (ADR 0008) and where its keys come from. */
export function openApi(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages, contact } = service;
  const text = readFileSync(join(findProjectDirectory(), OPENAPI_FILE), 'utf8');
  const committed = JSON.parse(text) as { readonly info: { readonly description: string } }; // It is our own.
  const { info } = committed;
  const where = /^https?:/i.test(contact) ? { url: contact } : { email: contact };
  const source = describeKeySource(service);
  const description = `${info.description}${source === KEYS_FROM_OPERATOR ? '' : `\n\n**Where keys come from.** ${source}`}`;
  const more = contact === '' ? {} : { contact: { name: 'Access keys', ...where } };
  const servers = publicUrl === '' ? {} : { servers: [{ url: publicUrl }] };
  const document = { ...committed, info: { ...info, description, ...more }, ...servers };
  return fileOutcome(request, contentOf(JSON.stringify(document), 'application/json'), pages);
}
