// The building blocks of pages: sections, lists of facts, tables, and program examples.

import { writeTable } from '../../documents/write-html';
import type { Item } from '../../records/record-references';
import { type Html, html, type HtmlPart, linkAddress, readText } from './html';

/** Renders the headline of a page about the service itself. */
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

/** `more` says how many items are not listed. */
export function listSection(id: string, title: string, items: readonly Html[], more: string): Html {
  const list = html`<ul class="listed">
    ${items}
  </ul>`;
  return section(id, title, [list, more === '' ? '' : html`<p>${more}</p>`]);
}

/** A label and a value. Facts without a value are left out. */
export type Fact = readonly [name: string, value: Html | string | number | null | undefined];

/** Renders a list of facts. With the look `boxes`, the facts are side by side. */
export function factList(facts: readonly Fact[], look?: 'boxes'): Html {
  const shownFacts = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const items = shownFacts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value ?? ''}</dd>`,
  );
  return html`<dl>${look === 'boxes' ? items.map((item) => html`<div>${item}</div> `) : items}</dl>`;
}

/** How to read a fact from a record: its label, and either a member or a function. */
export type FactRule = readonly [label: string, value: string | ((item: Item) => Fact[1])];

export function listFacts(item: Item, columns: readonly FactRule[]): readonly Fact[] {
  return columns.map(([label, value]) => [label, typeof value === 'string' ? readText(item, value) : value(item)]);
}

export function createLinkReader(member: string): (item: Item) => Fact[1] {
  return (item) => linkAddress(readText(item, member));
}

/** `look` aligns the column head with its column. */
export function head(content: HtmlPart, look?: 'number' | 'text'): Html {
  if (look === undefined) return html`<th scope="col">${content}</th>`;
  return html`<th scope="col" class="${look}">${content}</th>`;
}

/** Renders a row. The first cell is the heading of the row. */
export function row(head: HtmlPart, cells: readonly Html[]): Html {
  return html`<tr>
    <th scope="row">${head}</th>
    ${cells}
  </tr> `;
}

export function cell(content: HtmlPart): Html {
  return html`<td>${content}</td>`;
}

/** Renders a cell that contains the name of its column, because narrow screens hide the column heads. */
export function namedCell(column: string, content: HtmlPart): Html {
  return html`<td data-kind="${column}">${content}</td>`;
}

interface TableOptions {
  /** Describes the table for screen readers. */
  readonly label: string;
  /** A `long` table also scrolls vertically. A `figures` table does so too, and its values are aligned to the right. */
  readonly kind?: 'long' | 'figures';
}

/** Renders a table that scrolls in its own box and is accessible by keyboard. Empty if there are no rows. */
export function scrolledTable(
  heads: readonly string[],
  rows: readonly Html[],
  { label, kind }: TableOptions,
): Html | '' {
  if (rows.length === 0) return '';
  return html`<div class="scrolled ${kind ?? 'whole'}" tabindex="0" role="region" aria-label="${label}">
    ${writeTable(
      heads.map((name) => head(name)),
      rows,
    )}
  </div>`;
}

/** Renders a short program to copy. copying.mjs fills in the address of the service and the key. */
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
