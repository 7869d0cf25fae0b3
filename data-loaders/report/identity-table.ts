// Tables of records and places in a report.

import { type Block, column, paragraph, table, type Text } from '../../shared/documents/document';
import type { Identity } from '../format/report';
import { valueText } from './phrases';

/** A table with a column for each member that any of the identities has, and a column for remarks if there are any. */
export function identityTable(
  title: string,
  identities: readonly Identity[],
  remarks?: readonly Text[],
): readonly Block[] {
  if (identities.length === 0) return [];
  const members = [...new Set(identities.flatMap((identity) => Object.keys(identity)))];
  const rows = identities.map((identity, index) => {
    const texts: readonly Text[] = members.map((member) => memberText(identity[member]));
    return remarks === undefined ? texts : [...texts, remarks[index] ?? ''];
  });
  const names = remarks === undefined ? members : [...members, 'What'];
  return [paragraph(`${title}:`), table(title, names.map(column), rows)];
}

/** Shows timestamps at midnight (D28) as days. */
function memberText(value: string | undefined): Text {
  return value === undefined ? '' : valueText(value.replace(/T00:00:00$/, ''));
}
