// The page /explore: the frame that the explorer's program fills. What the program must know of the service stands in
// attributes of its element; it asks the public operations for the rest.

import { INTERNAL, refused, type Outcome } from '../pipeline/outcome';
import type { AskedRequest, Service } from '../pipeline/service';
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
    styles: [files.style],
    modules: [files.program],
    links: partLinks(request, files).map((name) => ({ rel: 'modulepreload', href: fileAt(name) })),
  });
  return pageOutcome(request, contentOf(page), service.pages, POLICY);
}

/**
 * Parts of the program that it will load itself, so that none waits until another has been read; that of the map where
 * the address shows one. The library of maps is not among them: to read it takes so long that filters and counts, which
 * people see first, would wait for it (ADR 0127).
 */
function partLinks({ url }: AskedRequest, files: ExplorerFiles): readonly string[] {
  const showsMap = (new URL(url).searchParams.get('view') ?? 'map') === 'map';
  return showsMap ? [...explorerChunks(files), files.mapProgram] : explorerChunks(files);
}
