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
import { geometryMembers, lookupIdentifiers, lookupMembers } from '../records/lookups';
import { readGeometry } from '../values/boundary';
import { digestNameOf } from '../values/digest';
import { type Geometry, withRightHandRule } from '../values/geometry';
import { readPoint } from '../values/numbers';
import { featureId, recordKey } from './feature-ids';
import { enclosed, joinBounded, parseItems, type ReadablePage, type SliceTexts, type WrittenPage } from './read-page';
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
      .map(({ identifier, geometry, properties }) => {
        const id = digestNameOf(key + identifier);
        const head = `{"type":"Feature","id":"${id}","geometry":${geometry}`;
        return `${head},"properties":${members}${organization}${properties}}}`;
      })
      .join();
  }
}

function* placeFeatures(placeKind: PlaceKind, { organization, records }: SliceTexts): Iterable<string> {
  const columns = tableColumns[placeKind].record;
  const ofOrganization = ORGANIZATION_COLUMNS.map((name) => [name, organization[name]] as const);
  for (const item of parseItems(records)) {
    const ofPlace = columns.map((column) => [column.name, columnValue(item, column)] as const);
    const id = featureId(organization.OrganizationUUID, String(item[lookupIdentifiers[placeKind]]));
    const { geometry } = placeGeometry(placeKind, item);
    yield JSON.stringify({
      type: 'Feature',
      id,
      geometry,
      properties: Object.fromEntries([...ofOrganization, ...ofPlace]),
    });
  }
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
