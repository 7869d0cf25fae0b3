// The documentation: the page at /docs, with every operation, parameter and member to read and to try, by Swagger UI
// from our own files, and the OpenAPI document that it shows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../project-files';
import { digestNameOf } from '../../values/digest';
import type { Outcome } from '../pipeline/outcome';
import type { AskedRequest, Service } from '../pipeline/service';
import { OPENAPI_FILE, pageAddresses } from './page-files';
import { html, pageFrame } from './page-frame';
import { contentOf, fileOutcome, pageOutcome } from './page-outcome';

export function documentationPage(request: AskedRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages } = service;
  const addresses = pageAddresses(service);
  const { base } = addresses;
  const content = html` <div id="operations" data-document="${base}/openapi.json"></div>
    <noscript
      ><p class="notice">
        This page needs JavaScript. The same is in the <a href="${base}/openapi.json">OpenAPI document</a>.
      </p></noscript
    >`;
  const page = pageFrame({
    title: 'Documentation – Water Data Query Service',
    addresses,
    content,
    styles: ['swagger-ui.css', 'pages.css', 'operations.css'],
    scripts: ['swagger-ui-bundle.js'],
    modules: ['operations.mjs'],
  });
  const origin = publicUrl === '' ? '' : ` ${new URL(publicUrl).origin}`;
  return pageOutcome(request, contentOf(page), pages, {
    // The style sheet of the renderer has its icons as data: URLs.
    'img-src': "'self' data:",
    // The member `servers` of the document names this origin.
    'connect-src': `'self'${origin}`,
  });
}

/** GET /openapi.json: the committed document, with the service's own address (ADR 0030). */
export function openApi(request: AskedRequest, { publicUrl, pages }: Service): Promise<Outcome> {
  const committed = JSON.parse(readFileSync(join(projectDirectory(), OPENAPI_FILE), 'utf8')) as object;
  const document = publicUrl === '' ? committed : { ...committed, servers: [{ url: publicUrl }] };
  const text = JSON.stringify(document);
  const file = { body: Buffer.from(text), contentType: 'application/json', digest: digestNameOf(text) };
  return fileOutcome(request, file, pages);
}
