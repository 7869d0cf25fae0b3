// Tables of records and places in the Markdown report.

import type { Identity } from '../format/report';
import { code, table } from './markdown';

/** A table with a column for each member of any identity, and one for the remarks if there are any. */
export function identityTable(
  title: string,
  identities: readonly Identity[],
  remarks?: readonly string[],
): readonly string[] {
  if (identities.length === 0) return [];
  const members = [...new Set(identities.flatMap((identity) => Object.keys(identity)))];
  const rows = identities.map((identity, index) => {
    const texts = members.map((member) => memberText(identity[member]));
    return remarks === undefined ? texts : [...texts, remarks[index] ?? ''];
  });
  const shown = identities.length === 1 ? title : `${title}, the first ${identities.length}`;
  return [`${shown}:`, ...table(remarks === undefined ? members : [...members, 'What'], rows)];
}

/** Shows timestamps at midnight (D28) as days. */
function memberText(value: string | undefined): string {
  return value === undefined ? '' : code(value.replace(/T00:00:00$/, ''));
}
