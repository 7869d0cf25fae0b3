// The page /explore: the frame that the explorer's program fills. What the program must know of the service stands in
// attributes of its element; it asks the public operations for the rest.

import { isLoopbackHost, usableDevelopmentKey } from '../access';
import { INTERNAL, refused, type Outcome } from '../outcome/outcome';
import type { AskedRequest, Service } from '../service';
import { explorerChunks, explorerFiles, type ExplorerFiles } from './explorer-files';
import { pageAddresses } from './page-files';
import { html, pageFrame } from './page-frame';
import { contentOf, pageOutcome } from './page-outcome';

/** What the map needs beside what all pages may: a worker of our own, and pictures that the program draws. */
const POLICY = { 'worker-src': "'self'", 'img-src': "'self' data: blob:" };

export function explorerPage(request: AskedRequest, service: Service): Promise<Outcome> {
  const files = explorerFiles();
  if (files === undefined) return Promise.resolve(refused(INTERNAL));
  const addresses = pageAddresses(service);
  const { base } = addresses;
  const fileAt = (name: string): string => `${base}/explore/${name}`;
  const content = html`<div
      id="explorer"
      data-base="${base}"
      data-key="${needsKey(request, service) ? 'asked' : 'none'}"
      data-map="${fileAt(files.map)}"
      data-map-worker="${fileAt(files.mapWorker)}"
      data-map-style="${fileAt(files.mapStyle)}"
      data-states="${fileAt(files.states)}"
      data-counties="${fileAt(files.counties)}"
    ></div>
    <noscript
      ><p class="notice">
        The explorer needs JavaScript. The same data can be asked for <a href="${base}/docs">by address</a>.
      </p></noscript
    >`;
  const page = pageFrame({
    title: 'Explore – Water Data Query Service',
    addresses: { base, addressOf: (name) => (name === 'icon.svg' ? addresses.addressOf(name) : fileAt(name)) },
    content,
    styles: showsMap(request) ? [files.style, files.mapStyle] : [files.style],
    modules: [files.program],
    links: fileLinks(request, files, fileAt),
  });
  return pageOutcome(request, contentOf(page), service.pages, POLICY);
}

/**
 * Files that the program will load, so that none waits until another has been read. The worker is loaded by the map
 * itself, so a preload of it would count as unused; a prefetch does not.
 */
function fileLinks(request: AskedRequest, files: ExplorerFiles, fileAt: (name: string) => string) {
  const chunks = explorerChunks(files).map((name) => ({ rel: 'modulepreload', href: fileAt(name) }));
  if (!showsMap(request)) return chunks;
  return [
    ...chunks,
    { rel: 'modulepreload', href: fileAt(files.mapProgram) },
    { rel: 'modulepreload', href: fileAt(files.map) },
    { rel: 'preload', as: 'fetch', crossorigin: 'anonymous', href: fileAt(files.states) },
    { rel: 'prefetch', href: fileAt(files.mapWorker) },
  ];
}

/** The map is what an address without a view shows. */
function showsMap({ url }: AskedRequest): boolean {
  return (new URL(url).searchParams.get('view') ?? 'map') === 'map';
}

/** What the page asks of a service on the same machine goes with the development key (D51). */
function needsKey(request: AskedRequest, service: Service): boolean {
  return usableDevelopmentKey(request, service) === undefined || !isLoopbackHost(request);
}
