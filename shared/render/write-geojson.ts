// A page of the query operations as GeoJSON (RFC 7946, ADR 0033): a feature for each record and place of it, or for
// each place of a page of places, with the names of the CSV form as properties (D42, D52).

import {
  type AnswerLayout,
  type DataSetLayout,
  dataSetLayouts,
  identifiersIn,
  type Item,
  type PlaceKind,
  recordReferences,
} from '../records/data-sets';
import { featureId, recordKey } from '../records/feature-ids';
import { geometryMembers, lookupIdentifiers, lookupMembers } from '../records/lookups';
import type { Organization } from '../records/records';
import { parseItems } from '../store/port';
import { readGeometry } from '../values/boundary';
import { digestNameOf } from '../values/digest';
import { type Geometry, withRightHandRule } from '../values/geometry';
import { readPoint } from '../values/numbers';
import { enclosed, joinBounded, type ReadablePage, type SliceTexts, type WrittenPage } from './read-page';
import { columnValue, ORGANIZATION_COLUMNS, tableColumns } from './table-columns';

/** The property that holds the text of a geometry which cannot be read, and null elsewhere. */
const UNREADABLE = 'UnreadableGeometry';

/** The part of a feature that all records of a place share. */
interface FeaturePlace {
  readonly identifier: string;
  /** JSON. */
  readonly geometry: string;
  /** JSON members, a comma before each. */
  readonly properties: string;
}

/** Features of more than `mostBytes` are too large: each repeats its polygon. */
export function writeGeoJson(
  { kind }: AnswerLayout,
  { total, records, slices }: ReadablePage,
  mostBytes: number,
): WrittenPage {
  const features = function* (): Iterable<string> {
    for (const slice of slices) {
      if (kind === 'Sites' || kind === 'ReportingUnits') yield* placeFeatures(kind, slice);
      else yield* recordFeatures(dataSetLayouts[kind], slice);
    }
  };
  const start = `{"type":"FeatureCollection","numberMatched":${total},"numberReturned":${records},"features":[`;
  return enclosed(start, joinBounded(features(), { separator: ',', mostBytes }), ']}');
}

/** The features of one record after the other, with commas between those of a record. */
function* recordFeatures(layout: DataSetLayout, slice: SliceTexts): Iterable<string> {
  const { records, lookups } = slice;
  const { OrganizationUUID } = slice.organization;
  const ofOrganization = organizationProperties(slice.organization);
  const places = lookups.get(layout.placeKind);
  const findPlace = placeFinder(layout, places === undefined ? [] : parseItems(places));
  const [placeReference] = recordReferences[layout.kind];
  for (const record of parseItems(records)) {
    const members = JSON.stringify(record).slice(1, -1);
    const key = recordKey(layout, OrganizationUUID, record);
    const identifiers = identifiersIn(record, placeReference);
    yield (identifiers.length === 0 ? [undefined] : identifiers)
      .map(findPlace)
      .map(({ identifier, geometry, properties }) => {
        return featureJson(digestNameOf(key + identifier), geometry, `${members},${ofOrganization}${properties}`);
      })
      .join();
  }
}

function* placeFeatures(placeKind: PlaceKind, { organization, records }: SliceTexts): Iterable<string> {
  const columns = tableColumns[placeKind].record;
  const ofOrganization = organizationProperties(organization);
  for (const item of parseItems(records)) {
    const ofPlace = Object.fromEntries(columns.map((column) => [column.name, columnValue(item, column)] as const));
    const id = featureId(organization.OrganizationUUID, String(item[lookupIdentifiers[placeKind]]));
    const { geometry } = placeGeometry(placeKind, item);
    yield featureJson(id, JSON.stringify(geometry), `${ofOrganization},${JSON.stringify(ofPlace).slice(1, -1)}`);
  }
}

/** `geometry` is JSON, as `properties` are: members with commas between them. */
export function featureJson(id: string, geometry: string, properties: string): string {
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":{${properties}}}`;
}

/** Members with commas between them. */
export function organizationProperties(organization: Organization): string {
  const members = ORGANIZATION_COLUMNS.map((name) => [name, organization[name]] as const);
  return JSON.stringify(Object.fromEntries(members)).slice(1, -1);
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
    return { identifier, geometry: JSON.stringify(geometry), properties };
  };
  const missing = placeOf({}, '');
  const identifier = lookupIdentifiers[placeKind];
  const places = new Map(items.map((item) => [item[identifier], placeOf(item, String(item[identifier]))]));
  return (wanted) => places.get(wanted) ?? missing;
}

/** A site without a geometry that can be read lies at its point (ADR 0006); `unreadable` is the text of one. */
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
