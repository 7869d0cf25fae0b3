// The page at /explore/brief: figures for one county or watershed, to read or print. The page's program reads the area
// from the URL and fills the page in the browser.

import { INTERNAL_ERROR, type Outcome, refuse } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { getStateTemplate, readExplorerFiles } from './explorer-files';
import { html } from './html';
import { renderPage } from './page';
import { answerPage, createContent } from './page-answers';
import { getPageAddresses } from './page-files';

export function answerBriefPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const files = readExplorerFiles();
  if (files === undefined) return Promise.resolve(refuse(INTERNAL_ERROR));
  const { base, fileAddress } = getPageAddresses(service);
  const fileAt = (name: string): string => `${base}/explore/${name}`;
  const content = html`<div
      id="brief"
      data-base="${base}"
      data-counties="${fileAt(getStateTemplate(files, 'counties-UT'))}"
      data-keyless="${service.access.limits.answersWithoutKey ? 'yes' : ''}"
      data-browser-key="${service.selfService?.kind === 'instant' ? fileAddress('browser-key.mjs') : ''}"
    ></div>
    <noscript
      ><p class="notice">
        A brief needs JavaScript. The same figures are available from <a href="${base}/docs">the API</a>.
      </p></noscript
    >`;
  const page = {
    title: 'County and watershed briefs',
    description: 'Water rights, water use and gages of a county or watershed on one page, to read or print.',
    content,
    styles: [files.briefStyle],
    modules: [files.briefProgram],
  };
  const framed = renderPage(page, service, {
    base,
    fileAddress: (name) => (name === 'icon.svg' ? fileAddress(name) : fileAt(name)),
  });
  return answerPage(request, createContent(framed), service.pages);
}
