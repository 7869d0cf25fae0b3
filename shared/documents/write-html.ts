// Writes a document as a standalone HTML page that needs no other file, script or network. The page can be printed, and
// it can be read with a screen reader.

import { type Block, type DocumentText, type Inline, listInlines, type Table, type Text } from './document';
import { Html, html } from './html';

/** Writes the title and the blocks, for the main part of a page. */
function writeHtmlContent({ title, blocks }: DocumentText): Html {
  return html`<h1>${title}</h1>
    ${blocks.map(blockHtml)}`;
}

/**
 * Writes a complete page. `styles` is the content of its style sheets (`readDocumentStyles`). A server that sends the
 * page should allow only inline styles: `default-src 'none'; style-src 'unsafe-inline'`.
 */
export function writeHtmlPage(document: DocumentText, subject: string, styles: string): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.title} – ${subject}</title>
        <style>
          ${new Html(styles)}
        </style>
      </head>
      <body>
        <main id="content" class="document">${writeHtmlContent(document)}</main>
      </body>
    </html> `;
  return page.text;
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return block.level === 2 ? html`<h2>${block.text}</h2> ` : html`<h3>${block.text}</h3> `;
    case 'paragraph':
      return html`<p>${textHtml(block.text)}</p> `;
    case 'list':
      return html`<ul>
        ${block.items.map((item) => html`<li>${textHtml(item)}</li> `)}
      </ul> `;
    case 'table':
      return tableHtml(block);
  }
}

/** The table scrolls inside its own box, also with the keyboard. The first cell of each row is the row heading. */
function tableHtml({ label, columns, rows }: Table): Html {
  const heads = columns.map(({ name, isNumber }) => html`<th scope="col" ${numberClass(isNumber)}>${name}</th> `);
  const lines = rows.map((row) => {
    const cells = row.map((text, index) => cellHtml(text, columns[index]?.isNumber, index === 0));
    return html`<tr>
      ${cells}
    </tr> `;
  });
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}">${writeTable(heads, lines)}</div> `;
}

/** Writes a table whose cells and rows are already HTML. `foot` is its `tfoot` element. */
export function writeTable(heads: readonly Html[], rows: readonly Html[], foot: Html | '' = ''): Html {
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

function cellHtml(text: Text, isNumber: boolean | undefined, isHead: boolean): Html {
  const content = textHtml(text);
  return isHead
    ? html`<th scope="row" ${numberClass(isNumber)}>${content}</th> `
    : html`<td${numberClass(isNumber)}>${content}</td> `;
}

function numberClass(isNumber: boolean | undefined): Html {
  return isNumber === true ? html` class="number"` : html``;
}

function textHtml(text: Text): readonly Html[] {
  return listInlines(text).map(inlineHtml);
}

function inlineHtml(part: Inline): Html {
  if (typeof part === 'string') return html`${splitCode(part)}`;
  return 'code' in part ? html`<code>${part.code}</code>` : html`<strong>${splitCode(part.strong)}</strong>`;
}

/** Splits a sentence at its backticks: every second part is code. An unpaired backtick stays in the text. */
function splitCode(sentence: string): readonly Html[] {
  const parts = sentence.split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
