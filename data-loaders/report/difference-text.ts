// Describes one difference between a record and its previous version.

import type { Inline } from '../../shared/documents/document';
import type { Difference } from '../format/report';
import { scalarText } from './phrases';

/** Members of an answer that always have the same value as another member. */
const REPEATED_MEMBERS: Readonly<Record<string, string>> = {
  AllocationAmount: 'AllocationFlow_CFS',
  AllocationMaximum: 'AllocationVolume_AF',
  ReportingUnitUID: 'ReportingUnitUUID',
};

/** The maximum number of differences to describe, because a right can have hundreds of sites. */
const MAX_DIFFERENCES_SHOWN = 10;

/** The differences of a record, separated by semicolons, such as "site S4 moved 1.2 km: Longitude, Latitude … → …". */
export function differencesText(differences: readonly Difference[]): readonly Inline[] {
  const names = new Set(differences.map(({ member }) => member));
  const own = differences.filter(({ member }) => !names.has(REPEATED_MEMBERS[member] ?? ''));
  const texts = own.slice(0, MAX_DIFFERENCES_SHOWN).map(differenceText);
  const more = own.length - texts.length;
  const all = more === 0 ? texts : [...texts, [`and ${more} more`]];
  return all.flatMap((text, index) => (index === 0 ? text : ['; ', ...text]));
}

function differenceText({ member, before, after }: Difference): readonly Inline[] {
  if (member === 'Sites' && before === null) return ['site ', scalarText(after), ' added'];
  if (member === 'Sites' && after === null) return ['site ', scalarText(before), ' removed'];
  const values = [listText(before), ' → ', listText(after)];
  const { position, site } = POSITION_MEMBER.exec(member)?.groups ?? {};
  if (position === undefined) return [`${member} `, ...values];
  const kilometers = measureMove(before, after);
  const subject = site === undefined ? 'moved' : `site ${site} moved`;
  return kilometers === undefined ? [`${member} `, ...values] : [`${subject} ${kilometers}: ${position} `, ...values];
}

const POSITION_MEMBER = /^(?<position>Longitude, Latitude)(?: of site (?<site>.*))?$/;

/** Formats a JSON list as its items, as in the cell of a file. */
function listText(value: Difference['before']): Inline {
  if (typeof value !== 'string' || !value.startsWith('[')) return scalarText(value);
  try {
    // The text starts like a list.
    return scalarText((JSON.parse(value) as readonly unknown[]).map(itemText).join(', '));
  } catch {
    return scalarText(value); // The text was truncated, or is not JSON.
  }
}

function itemText(item: unknown): string {
  return typeof item === 'object' && item !== null ? Object.values(item).map(String).join(' ') : String(item);
}

const EARTH_RADIUS_KM = 6371;

/** The distance between two positions, "longitude, latitude" in degrees; undefined if either is missing or invalid. */
function measureMove(before: Difference['before'], after: Difference['before']): string | undefined {
  const [from, to] = [before, after].map((text) => String(text).split(', ').map(toRadians));
  const [x1 = NaN, y1 = NaN] = from ?? [];
  const [x2 = NaN, y2 = NaN] = to ?? [];
  // The haversine formula.
  const chord = Math.sin((y2 - y1) / 2) ** 2 + Math.cos(y1) * Math.cos(y2) * Math.sin((x2 - x1) / 2) ** 2;
  const kilometers = 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, chord)));
  if (Number.isNaN(kilometers)) return undefined;
  return kilometers < 1 ? `${Math.round(kilometers * 1000)} m` : `${kilometers.toFixed(1)} km`;
}

function toRadians(degrees: string): number {
  return degrees === '' ? NaN : (Number(degrees) * Math.PI) / 180;
}
