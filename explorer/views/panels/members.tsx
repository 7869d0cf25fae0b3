// The members of a record or of a place that have a value. Identifiers and coordinates, which say nothing to people,
// wait folded below.

import type { VNode } from 'preact';
import { columnText } from '../parts/cells';

type Member = readonly [name: string, text: string];

/** The number of a right or a site at its own office is what people call it. */
const IDENTIFIER = /UUIDs?$|(?<!Native)IDs?$|^Geometry$|WKT|^DataVersion$|^OrganizationDataMappingURL$/;

/** The polygon of a unit has many thousands; its own page has them all. */
const MOST_CHARACTERS = 300;

export function Members({ members }: { readonly members: readonly Member[] }): VNode {
  const shown = members.filter(([, text]) => text !== '');
  const identifiers = shown.filter(([name]) => IDENTIFIER.test(name));
  return (
    <>
      <List members={shown.filter(([name]) => !IDENTIFIER.test(name))} />
      {identifiers.length > 0 && (
        <details class="identifiers">
          <summary>Identifiers</summary>
          <List members={identifiers} />
        </details>
      )}
    </>
  );
}

function List({ members }: { readonly members: readonly Member[] }): VNode {
  return (
    <dl class="record">
      {members.map(([name, text]) => (
        <div key={name}>
          <dt title={name}>{columnText(name)}</dt>
          <dd>{textOrLink(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function textOrLink(text: string): VNode | string {
  if (/^https?:\/\//.test(text)) {
    return (
      <a href={text} rel="noopener noreferrer" target="_blank">
        {text}
      </a>
    );
  }
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} …` : text;
}
