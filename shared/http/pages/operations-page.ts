// The page at /docs: every operation, parameter and member, to read and to try, by Swagger UI from our own files.

import type { AskedRequest } from '../http-function';
import type { Outcome } from '../respond';
import type { Service } from '../service';
import { html } from './html';
import { basePath, pageFrame } from './page-frame';
import { pageOutcome } from './page-outcome';

export function operationsPage(request: AskedRequest, { publicUrl }: Service): Promise<Outcome> {
  const base = basePath(publicUrl);
  const content = html` <div id="operations" data-document="${base}/openapi.json"></div>
    <noscript
      ><p class="notice">
        This page needs JavaScript. The same is in the <a href="${base}/openapi.json">OpenAPI document</a>.
      </p></noscript
    >`;
  const page = pageFrame({
    title: 'Documentation – Water Data Query Service',
    base,
    content,
    styles: ['swagger-ui.css', 'pages.css', 'operations.css'],
    scripts: ['swagger-ui-bundle.js', 'operations.js'],
  });
  const service = publicUrl === '' ? '' : ` ${new URL(publicUrl).origin}`;
  return pageOutcome(request, page, {
    // The renderer has its icons as data: URLs in its style sheet.
    'img-src': "'self' data:",
    // Where the document's `servers` says that the service is.
    'connect-src': `'self'${service}`,
  });
}
