// The page at /docs: every operation, parameter and member, to read about and to try. It uses Swagger UI, served from
// our own files.

import type { Outcome } from '../pipeline/outcome';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';
import { answerDataGuidePage } from './data-guide-page';
import { answerGuidePage } from './guide-page';
import { html } from './html';
import { renderPage } from './page';
import { answerFile, answerPage, createContent } from './page-answers';
import { findPageFile, getPageAddresses } from './page-files';

/** Finds the documentation, the page about the data, the guide for submitters, or a file that pages use. */
export function findDocs(name: string, { pages }: Service): Route['answer'] | undefined {
  if (name === '') return answerDocumentationPage;
  if (/^data\/?$/i.test(name)) return answerDataGuidePage;
  if (/^submitting\/?$/i.test(name)) return answerGuidePage;
  const file = findPageFile(name, pages);
  return file && ((request) => answerFile(request, file, pages));
}

function answerDocumentationPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const { publicUrl, pages } = service;
  const { base } = getPageAddresses(service);
  const content = html` <div id="operations" data-document="${base}/openapi.json"></div>
    <noscript
      ><p class="notice">
        This page needs JavaScript. The same content is in the <a href="${base}/openapi.json">OpenAPI document</a>.
      </p></noscript
    >`;
  const styles = ['swagger-ui.css', 'pages.css', 'operations.css'];
  const scripts = ['swagger-ui-bundle.js'];
  const modules = ['operations.mjs'];
  const page = renderPage({ title: 'Documentation', content, styles, scripts, modules }, service);
  const origin = publicUrl === '' ? '' : ` ${new URL(publicUrl).origin}`;
  return answerPage(request, createContent(page), pages, {
    // The style sheet of Swagger UI contains its icons as data: URLs.
    'img-src': "'self' data:",
    // The origin in the member `servers` of the document.
    'connect-src': `'self'${origin}`,
  });
}
