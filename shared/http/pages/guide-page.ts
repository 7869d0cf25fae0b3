// The page at /docs/submitting: the guide for people who prepare a state's data, rendered from docs/submitting.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_STYLES } from '../../documents/document-styles';
import { findProjectDirectory } from '../../project-files';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { type Html, html } from './html';
import { renderPage } from './page';
import { answerPage, createContent, getOrRender } from './page-answers';
import { getPageAddresses, GUIDE_FILE } from './page-files';
import { type RenderedGuide, renderGuide } from './render-guide';

/** Returns the guide as Markdown, without the markers of generated parts, which are only for editors. */
export function readGuide(): string {
  return readFileSync(join(findProjectDirectory(), GUIDE_FILE), 'utf8').replaceAll(/<!--.*?-->\n*/g, '');
}

export async function answerGuidePage(request: HttpRequest, service: Service): Promise<Outcome> {
  const page = await getOrRender('guide', service.pages, async () => createContent(await renderGuidePage(service)));
  return answerPage(request, page, service.pages);
}

async function renderGuidePage(service: Service): Promise<Html> {
  const { base } = getPageAddresses(service);
  const { title, chapters, body } = await renderGuide(readGuide(), base);
  const content = html`<div class="document">
    <h1>${title}</h1>
    ${listContents(chapters)} ${body}
  </div>`;
  const description = 'How a state submits its data: steps, files, columns, terms, and what each message means.';
  return renderPage({ title: 'Submitting data', description, content, styles: DOCUMENT_STYLES }, service);
}

function listContents(chapters: RenderedGuide['chapters']): Html {
  return html`<nav aria-label="On this page" class="contents">
    <ul>
      ${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li> `)}
    </ul>
  </nav>`;
}
