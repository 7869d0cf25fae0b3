// All members of a record or a place, folded: few people need them.

import type { VNode } from 'preact';
import { formatCell, formatColumn } from '../parts/cell-texts';

type Member = readonly [name: string, text: string];

/** The office's own number of a right or site is not hidden: people use it as a name. */
const IDENTIFIER = /UUIDs?$|(?<!Native)IDs?$|^Geometry$|WKT|^DataVersion$|^OrganizationDataMappingURL$/;

/** The polygon of a unit has many thousands. Its own page shows all of them. */
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
