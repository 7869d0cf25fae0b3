// Describes a record and its changes for a report.

import { type DataSetKind, dataSetLayouts } from '../../shared/records/data-sets';
import { type Difference, type Identity } from '../format/report';

/** Longer values, such as a geometry or a list of two hundred sites, are truncated in a report. */
const MAX_CHARACTERS = 200;

/** A record as parsed from its JSON text. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

export function parseRecord(json: string | Uint8Array): ParsedRecord {
  return JSON.parse(Buffer.from(json).toString()) as ParsedRecord; // A record of a release is a JSON object.
}

/** The members that identify a record, without missing ones. */
export function identifyRecord(kind: DataSetKind, record: ParsedRecord): Identity {
  const members = dataSetLayouts[kind].keyMembers.map((name): [string, string] => [
    name,
    formatIdentityValue(record[name]),
  ]);
  return Object.fromEntries(members.filter(([, text]) => text !== ''));
}

export function findDifferences(before: ParsedRecord, after: ParsedRecord): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((member) => ({ member, before: toReportValue(before[member]), after: toReportValue(after[member]) }));
}

/**
 * Formats an identifying value. The uses of an amount are objects with one member (D26), of which only the value is
 * shown.
 */
function formatIdentityValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(formatIdentityValue).join(', ');
  if (typeof value === 'object') return Object.values(value).map(formatIdentityValue).join(' ');
  return truncateText(value);
}

function toReportValue(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : truncateText(value);
}

function truncateText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
