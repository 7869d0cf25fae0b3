// A record as a report names it: the members that identify it, and in which members it differs from its former self.

import { dataSetLayouts, type DataSetKind } from '../../../shared/records/data-sets';
import type { Difference, Identity } from '../../format/comparison-members';

/** A record as its JSON text reads. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** A geometry or a list of two hundred sites is no text for a report. */
const MAX_CHARACTERS = 200;

export function identityOf(kind: DataSetKind, record: AnyRecord): Identity {
  const members = dataSetLayouts[kind].keyMembers.map((name): [string, string] => [name, textOf(record[name])]);
  return Object.fromEntries(members.filter(([, text]) => text !== ''));
}

export function differencesOf(before: AnyRecord, after: AnyRecord): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((member) => ({ member, before: shown(before[member]), after: shown(after[member]) }));
}

/** Uses of amounts are objects of one member (D26). */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object') return Object.values(value).map(textOf).join(' ');
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function shown(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
