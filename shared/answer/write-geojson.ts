// A page as GeoJSON (RFC 7946, ADR 0033): a feature for each record and place of it, made from the stored texts.

import type { DataSetLayout } from '../records/data-sets';
import { lookupIdentifiers, lookupMembers } from '../records/lookups';
import { identifiersIn, recordReferences, type Item } from '../records/record-references';
import { joinParts } from '../store/fragments';
import type { JoinedFragments } from '../store/port';
import { readGeometry } from '../values/boundary';
import { digestNameOf } from '../values/digest';
import { type Geometry, withRightHandRule } from '../values/geometry';
import { readPoint } from '../values/numbers';
import { bytesOf, parseItems, type Piece, type ReadablePage, type SliceTexts, type WrittenPage } from './page-texts';

/** The property that holds the text of a geometry which cannot be read, and null elsewhere. */
const UNREADABLE = 'UnreadableGeometry';

export const geometryMembers = { Sites: 'SiteGeometry', ReportingUnits: 'Geometry' } as const;

/** The part of a feature that all records of a place share. */
interface FeaturePlace {
  readonly identifier: string;
  /** JSON. */
  readonly geometry: JoinedFragments;
  /** JSON members, a comma before each. */
  readonly properties: string;
}

/** Features of more than `mostBytes` are too large: each repeats its polygon. */
export function writeGeoJson(layout: DataSetLayout, page: ReadablePage, mostBytes: number): WrittenPage {
  const { total, records, slices } = page;
  const start = `{"type":"FeatureCollection","numberMatched":${total},"numberReturned":${records},"features":[`;
  const pieces: Piece[] = [start];
  let written = 0;
  let bytes = 0;
  for (const slice of slices) {
    for (const features of featuresOf(layout, slice)) {
      bytes += bytesOf(features);
      if (bytes > mostBytes) return { kind: 'too large', fitting: written };
      if (written > 0) pieces.push(',');
      for (const piece of features) pieces.push(piece);
      written++;
    }
  }
  pieces.push(']}');
  return { kind: 'pieces', pieces };
}

/** The features of one record after the other, as pieces. */
function* featuresOf(layout: DataSetLayout, slice: SliceTexts): Iterable<readonly Piece[]> {
  const { records, lookups } = slice;
  const { OrganizationUUID, OrganizationName, OrganizationState } = slice.organization;
  const organization = `,${JSON.stringify({ OrganizationUUID, OrganizationName, OrganizationState }).slice(1, -1)}`;
  const findPlace = placeFinder(layout, parseItems(lookups.get(layout.placeKind)));
  const [placeReference] = recordReferences[layout.kind];
  for (const record of parseItems(records)) {
    const members = JSON.stringify(record).slice(0, -1);
    const key = recordKey(layout, OrganizationUUID, record);
    const identifiers = identifiersIn(record, placeReference);
    yield (identifiers.length === 0 ? [undefined] : identifiers)
      .map(findPlace)
      .flatMap(({ identifier, geometry, properties }, index) => [
        `${index === 0 ? '' : ','}{"type":"Feature","id":"${digestNameOf(key + identifier)}","geometry":`,
        geometry,
        `,"properties":${members}${organization}${properties}}}`,
      ]);
  }
}

/** Stays the same through all publishes, as long as the record is the same by its key. */
export function recordKey({ kind, keyMembers }: DataSetLayout, organizationUuid: string, record: Item): string {
  // The uses of an amount are a set, so their order does not count (submissions.md, 4).
  const values = keyMembers.map((name) => {
    const value = record[name];
    return Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value;
  });
  return JSON.stringify([organizationUuid, kind, values]);
}

/** Finds the place of an identifier among the lookups; without an identifier, what stands for no place. */
function placeFinder(
  { placeKind, recordMembers }: DataSetLayout,
  items: readonly Item[],
): (identifier: string | undefined) => FeaturePlace {
  // A map can show neither lists nor geometries as properties.
  const shown = Object.entries(lookupMembers[placeKind]).filter(
    ([name, { schema }]) => schema['type'] !== 'array' && !name.endsWith('Geometry') && !(name in recordMembers),
  );
  const placeOf = (item: Item, identifier: string): FeaturePlace => {
    const { geometry, unreadable: text } = placeGeometry(placeKind, item);
    const unreadable = [UNREADABLE, text] as const;
    const members = [...shown.map(([name]) => [name, item[name] ?? null] as const), unreadable];
    const properties = members.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`).join('');
    return { identifier, geometry: joinParts([Buffer.from(JSON.stringify(geometry))]), properties };
  };
  const missing = placeOf({}, '');
  const identifier = lookupIdentifiers[placeKind];
  const places = new Map(items.map((item) => [item[identifier], placeOf(item, String(item[identifier]))]));
  return (wanted) => places.get(wanted) ?? missing;
}

/** A site without a geometry that can be read lies at its point (ADR 0009); `unreadable` is the text of one. */
export function placeGeometry(
  placeKind: DataSetLayout['placeKind'],
  item: Item,
): { readonly geometry: Geometry | null; readonly unreadable: string | null } {
  const text = textOf(item[geometryMembers[placeKind]]);
  const read = text === null ? undefined : readGeometry(text);
  const geometry = read?.ok === true ? withRightHandRule(read.value) : pointOf(item);
  return { geometry, unreadable: read?.ok === false ? text : null };
}

function pointOf({ Longitude, Latitude }: Item): Geometry | null {
  const point = readPoint(textOf(Longitude), textOf(Latitude));
  return point === undefined ? null : { type: 'Point', coordinates: [point.longitude, point.latitude] };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
