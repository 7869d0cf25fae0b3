// What the pages of the standard doors share: the frame, and buttons that lead to what else is there.

import type { HeaderFields } from '../pipeline/outcome';
import { pageAddresses } from '../pages/page-files';
import { html, pageFrame, type Html } from '../pages/page-frame';
import { pagePolicy } from '../pages/page-outcome';
import type { Service } from '../pipeline/service';
import type { OgcLink } from './addresses';
import { TITLE } from './metadata';

export interface WrittenForm {
  readonly body: string;
  readonly contentType: string;
  readonly headers: HeaderFields;
}

export interface PageText {
  readonly title: string;
  readonly content: Html;
}

export function framed({ title, content }: PageText, service: Service): WrittenForm {
  const page = pageFrame({
    title: title === TITLE ? title : `${title} – ${TITLE}`,
    addresses: pageAddresses(service),
    content,
    styles: ['pages.css', 'features.css', 'things.css'],
    scripts: [],
  });
  return {
    body: page.text,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': pagePolicy() },
  };
}

/** A link each to what else is there, and none to the page itself. */
export function buttons(links: readonly OgcLink[]): Html {
  const others = new Map(links.filter(({ rel }) => rel !== 'self').map((link) => [link.href, link]));
  return html`<p class="actions">
    ${[...others.values()].map(
      ({ href, rel, title }) => html`<a class="button plain" rel="${rel}" href="${href}">${title ?? rel}</a> `,
    )}
  </p>`;
}

/** Scrolls sideways within itself where the window is narrow. Empty without rows. */
export function scrolledTable(heads: readonly string[], rows: readonly Html[]): Html | '' {
  if (rows.length === 0) return '';
  return html`<div class="scrolled whole">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
