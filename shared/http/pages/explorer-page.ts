// The page at /explore. Its program fills the page in the browser.

import { INTERNAL_ERROR, type Outcome, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import { answerBriefPage } from './brief-page';
import { findExplorerFile, getStateTemplate, readExplorerFiles } from './explorer-files';
import { html } from './html';
import { renderPage } from './page';
import { answerNamedFile, answerPage, createContent } from './page-answers';
import { getPageAddresses } from './page-files';

/**
 * Builds the content security policy. The map needs more than other pages: our own worker, images that the program
 * draws, and the tile host that the operator has set.
 */
function buildMapPolicy(basemap: Service['basemap']): Readonly<Record<string, string>> {
  const host = basemap === undefined ? '' : ` ${new URL(basemap.tiles).origin}`;
  return { 'worker-src': "'self'", 'img-src': `'self' data: blob:${host}`, 'connect-src': `'self'${host}` };
}

/** Finds the explorer, the briefs of counties and watersheds, or a file of their programs. */
export function findExplorer(name: string, { pages }: Service): Route['answer'] | undefined {
  if (name === '') return answerExplorerPage;
  if (/^brief\/?$/i.test(name)) return answerBriefPage;
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
      data-map-shared="${fileAt(files.mapShared)}"
      data-map-worker="${fileAt(files.mapWorker)}"
      data-states="${fileAt(files.states)}"
      data-counties="${fileAt(getStateTemplate(files, 'counties-UT'))}"
      data-water="${fileAt(getStateTemplate(files, 'water-UT'))}"
      data-nature="${fileAt(files.nature)}"
      data-browser-key="${service.selfService?.kind === 'instant' ? fileAddress('browser-key.mjs') : ''}"
      data-contact="${service.contact}"
      data-keyless="${service.access.limits.answersWithoutKey ? 'yes' : ''}"
      data-tiles="${service.basemap?.tiles ?? ''}"
      data-attribution="${service.basemap?.attribution ?? ''}"
    ></div>
    <noscript
      ><p class="notice">
        The explorer needs JavaScript. The same data are available from <a href="${base}/docs">the API</a>.
      </p></noscript
    >`;
  const page = {
    title: 'Explore',
    content,
    styles: [files.style],
    modules: [files.program],
  };
  const framed = renderPage(page, service, {
    base,
    fileAddress: (name) => (name === 'icon.svg' ? fileAddress(name) : fileAt(name)),
  });
  return answerPage(request, createContent(framed), service.pages, buildMapPolicy(service.basemap));
}
