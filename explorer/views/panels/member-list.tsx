// All members of a record or a place, initially folded, because few people need them.

import type { VNode } from 'preact';
import { formatCell, formatColumn } from '../parts/cell-texts';

type Member = readonly [name: string, text: string];

/** Identifiers are hidden, except the office's own number of a right or site, which people use as a name. */
const IDENTIFIER = /UUIDs?$|(?<!Native)IDs?$|^Geometry$|WKT|^DataVersion$|^OrganizationDataMappingURL$/;

/**
 * Longer values are cut off, such as the polygon of a unit with thousands of characters. The place's own page shows
 * them whole.
 */
const MAX_CHARACTERS = 300;

/** The members that have a value. */
export function Members({ members }: { readonly members: readonly (readonly [name: string, cell: string])[] }): VNode {
  const shown = members.map(([name, cell]): Member => [name, formatCell(name, cell)]).filter(([, text]) => text !== '');
  const identifiers = shown.filter(([name]) => IDENTIFIER.test(name));
  return (
    <details class="all-fields">
      <summary>All fields</summary>
      <List members={shown.filter(([name]) => !IDENTIFIER.test(name))} />
      {identifiers.length > 0 && (
        <>
          <h3>Identifiers</h3>
          <List members={identifiers} />
        </>
      )}
    </details>
  );
}

function List({ members }: { readonly members: readonly Member[] }): VNode {
  return (
    <dl class="record">
      {members.map(([name, text]) => (
        <div key={name}>
          <dt title={name}>{formatColumn(name)}</dt>
          <dd>{renderText(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function renderText(text: string): VNode | string {
  if (/^https?:\/\//.test(text)) {
    return (
      <a href={text} rel="noopener noreferrer" target="_blank">
        {text}
      </a>
    );
  }
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)} …` : text;
}
