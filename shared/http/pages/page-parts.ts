// The parts of which pages consist: sections, lists of facts, tables, and examples of programs.

import type { Item } from '../../records/record-references';
import { type Html, html, type HtmlPart, linkAddress, readText } from './html';

/** What a page of the service itself begins with. */
export function hero(title: string, content: Html): Html {
  return html`<section class="hero">
    <h1>${title}</h1>
    ${content}
  </section>`;
}

export function section(id: string, title: string, content: HtmlPart): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** `more` says how many are not listed. */
export function listSection(id: string, title: string, items: readonly Html[], more: string): Html {
  const list = html`<ul class="listed">
    ${items}
  </ul>`;
  return section(id, title, [list, more === '' ? '' : html`<p>${more}</p>`]);
}

/** What it is called, and what it is; without a value it is left out. */
export type Fact = readonly [name: string, value: Html | string | number | null | undefined];

/** Facts in boxes stand beside one another. */
export function factList(facts: readonly Fact[], look?: 'boxes'): Html {
  const shownFacts = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const items = shownFacts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value ?? ''}</dd>`,
  );
  return html`<dl>${look === 'boxes' ? items.map((item) => html`<div>${item}</div> `) : items}</dl>`;
}

/** A fact of each record of a kind: its label, and the member that says it, or what the record says. */
export type FactRule = readonly [label: string, value: string | ((item: Item) => Fact[1])];

export function listFacts(item: Item, columns: readonly FactRule[]): readonly Fact[] {
  return columns.map(([label, value]) => [label, typeof value === 'string' ? readText(item, value) : value(item)]);
}

export function createLinkReader(member: string): (item: Item) => Fact[1] {
  return (item) => linkAddress(readText(item, member));
}

export function table(heads: readonly Html[], rows: readonly Html[], foot: Html | '' = ''): Html {
  return html`<table>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
    ${foot}
  </table>`;
}

/** A column of numbers or texts stands as they do. */
export function head(content: HtmlPart, look?: 'number' | 'text'): Html {
  if (look === undefined) return html`<th scope="col">${content}</th>`;
  return html`<th scope="col" class="${look}">${content}</th>`;
}

/** The first cell says what the row is of. */
export function row(head: HtmlPart, cells: readonly Html[]): Html {
  return html`<tr>
    <th scope="row">${head}</th>
    ${cells}
  </tr> `;
}

export function cell(content: HtmlPart): Html {
  return html`<td>${content}</td>`;
}

/** A cell that says its column by itself, for narrow pages, which show no heads. */
export function namedCell(column: string, content: HtmlPart): Html {
  return html`<td data-kind="${column}">${content}</td>`;
}

interface TableOptions {
  /** What the table is of, for whoever does not see it. */
  readonly label: string;
  /** A long table is scrolled down as well; figures are long, and stand to the right. */
  readonly kind?: 'long' | 'figures';
}

/** Scrolls within itself, with the keyboard too. Empty without rows. */
export function scrolledTable(
  heads: readonly string[],
  rows: readonly Html[],
  { label, kind }: TableOptions,
): Html | '' {
  if (rows.length === 0) return '';
  return html`<div class="scrolled ${kind ?? 'whole'}" tabindex="0" role="region" aria-label="${label}">
    ${table(
      heads.map((name) => head(name)),
      rows,
    )}
  </div>`;
}

/** A short program to copy: copying.mjs puts in the address of the service, and other scripts the key. */
export function example(
  language: string,
  program: string,
  { more = '', isOpen = false }: { readonly more?: Html | ''; readonly isOpen?: boolean } = {},
): Html {
  return html`<details${isOpen ? html` open` : ''}>
    <summary>${language}</summary>
    <div class="code">
      <pre><code>${program}</code></pre>
    </div>
    ${more}
  </details> `;
}
