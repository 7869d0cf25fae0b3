// Describes a record and its changes for a report, with values as in a table, including the sites of a right.

import { type DataSetKind, dataSetLayouts } from '../../shared/records/data-sets';
import { type Difference, type Identity } from '../format/report';
import { shortenText } from '../format/shorten-text';

/** A parsed record. */
export type ParsedRecord = Readonly<Record<string, unknown>>;

export function parseRecord(json: string | Uint8Array): ParsedRecord {
  return JSON.parse(Buffer.from(json).toString()) as ParsedRecord; // A record of a release is a JSON object.
}

/** The members that identify a record, without those that are missing. */
export function identifyRecord(kind: DataSetKind, record: ParsedRecord): Identity {
  const members = dataSetLayouts[kind].keyMembers.map((name): [string, string] => [
    name,
    shortenText(formatPlainText(record[name])),
  ]);
  return Object.fromEntries(members.filter(([, text]) => text !== ''));
}

/**
 * The members that differ. The sites of a right are compared one by one: new sites, sites that are gone, and each
 * changed member of a remaining site. Longitude and Latitude form one difference, so that a reader sees the old and the
 * new position.
 */
export function findDifferences(before: ParsedRecord, after: ParsedRecord): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const isMoved = COORDINATES.some((name) => differing.includes(name));
  const position = isMoved ? [comparePositions(before, after)] : [];
  const members = differing.filter((name) => !COORDINATES.includes(name));
  return [...position, ...members.flatMap((member) => compareValues(member, before[member], after[member]))];
}

const COORDINATES: readonly string[] = ['Longitude', 'Latitude'];

const POSITION = COORDINATES.join(', ');

function comparePositions(before: ParsedRecord, after: ParsedRecord): Difference {
  return { member: POSITION, before: formatPosition(before), after: formatPosition(after) };
}

/** Null without coordinates. */
function formatPosition(record: ParsedRecord): string | null {
  const texts = COORDINATES.map((name) => formatPlainText(record[name]));
  return texts.every((text) => text === '') ? null : texts.join(', ');
}

function compareValues(member: string, before: unknown, after: unknown): readonly Difference[] {
  const [itemsBefore, itemsAfter] = [before, after].map(readSites);
  if (itemsBefore === undefined || itemsAfter === undefined || itemsBefore.size + itemsAfter.size === 0) {
    return [{ member, before: toReportValue(before), after: toReportValue(after) }];
  }
  return compareSites(member, itemsBefore, itemsAfter);
}

type SitesByIdentifier = ReadonlyMap<string, ParsedRecord>;

/** Undefined if the value is not a list of sites. A missing value counts as an empty list. */
function readSites(value: unknown): SitesByIdentifier | undefined {
  const items: unknown = value ?? [];
  if (!Array.isArray(items) || !items.every(isSite)) return undefined;
  return new Map(items.map((site) => [site.SiteUUID, site]));
}

function isSite(item: unknown): item is ParsedRecord & { readonly SiteUUID: string } {
  return typeof item === 'object' && item !== null && 'SiteUUID' in item && typeof item.SiteUUID === 'string';
}

function compareSites(member: string, before: SitesByIdentifier, after: SitesByIdentifier): readonly Difference[] {
  const gone = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  const changed = [...after].flatMap(([id, site]) => {
    const previous = before.get(id);
    const differences = previous === undefined ? [] : findDifferences(previous, site);
    return differences.map((difference) => ({ ...difference, member: `${difference.member} of site ${id}` }));
  });
  const differences: readonly Difference[] = [
    ...gone.map((id) => ({ member, before: id, after: null })),
    ...added.map((id) => ({ member, before: null, after: id })),
    ...changed,
  ];
  if (differences.length > 0) return differences;
  const [orderBefore, orderAfter] = [before, after].map((sites) => shortenText([...sites.keys()].join(', ')));
  return [{ member: `Order of ${member}`, before: orderBefore ?? '', after: orderAfter ?? '' }];
}

/** The uses of an amount are objects with one member (D26). Only its value is shown. */
function formatPlainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(formatPlainText).join(', ');
  if (typeof value === 'object') return Object.values(value).map(formatPlainText).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toReportValue(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return shortenText(typeof value === 'string' ? value : JSON.stringify(value));
}
