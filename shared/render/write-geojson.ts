// Writes a page of the query operations as GeoJSON (RFC 7946, ADR 0033): one feature for each place of each record, or
// one for each place on a page of places. Properties are named as in the CSV format (D42, D52).

import { type AnswerLayout, type DataSetLayout, dataSetLayouts, type PlaceKind } from '../records/data-sets';
import { buildFeatureId, buildRecordKey } from '../records/feature-ids';
import { lookupIdentifiers, lookupMembers } from '../records/lookups';
import { type Item, readIdentifiers, recordReferences } from '../records/record-references';
import { iterateItems } from '../store/joined-fragments';
import type { JoinedFragments } from '../store/port';
import { digestContent } from '../values/digest';
import { writeFeature, writeOrganizationProperties } from './feature-json';
import { encloseTexts, joinTexts, type TextSteps, type WrittenPage } from './join-texts';
import { inPageOrder } from './page-order';
import { readPlaceGeometry } from './place-geometry';
import type { ReadablePage, SliceTexts } from './read-page';
import { readColumnValue, tableColumns } from './table-columns';
import { writeGeometryInSteps } from './write-geometry';

/** Contains the text of a geometry that cannot be read; otherwise null. */
const UNREADABLE_PROPERTY = 'UnreadableGeometry';

/** The members that are the same in the features of all records of a place. */
interface FeaturePlaceParts {
  readonly identifier: string;
  /** JSON. */
  readonly geometry: string;
  /** JSON members, each with a comma before it. */
  readonly properties: string;
}

/**
 * Writes the page, or reports it as too large if its features take more than `maxBytes`. Each feature repeats the
 * polygon of its place.
 */
export async function writeGeoJson(
  { kind }: AnswerLayout,
  { total, records, slices }: ReadablePage,
  maxBytes: number,
): Promise<WrittenPage> {
  const writeFeatures = (slice: SliceTexts): TextSteps =>
    kind === 'Sites' || kind === 'ReportingUnits'
      ? writePlaceFeatures(kind, slice)
      : writeRecordFeatures(dataSetLayouts[kind], slice, maxBytes);
  const start = `{"type":"FeatureCollection","numberMatched":${total},"numberReturned":${records},"features":[`;
  return encloseTexts(start, await joinTexts(inPageOrder(slices, writeFeatures), { separator: ',', maxBytes }), ']}');
}

/** Yields, for each record, its features separated by commas. */
function* writeRecordFeatures(layout: DataSetLayout, slice: SliceTexts, maxBytes: number): TextSteps {
  const { records, lookups } = slice;
  const { OrganizationUUID } = slice.organization;
  const organizationMembers = writeOrganizationProperties(slice.organization);
  const places = lookups.get(layout.placeKind);
  const findPlace = yield* createPlaceFinder(layout, places);
  const [placeReference] = recordReferences[layout.kind];
  for (const record of iterateItems(records)) {
    const members = JSON.stringify(record).slice(1, -1);
    const key = buildRecordKey(layout, OrganizationUUID, record);
    const identifiers = readIdentifiers(record, placeReference);
    let features = '';
    for (const place of identifiers.length === 0 ? [undefined] : identifiers) {
      const { identifier, geometry, properties } = findPlace(place);
      const id = digestContent(key + identifier);
      const feature = writeFeature(id, geometry, `${members},${organizationMembers}${properties}`);
      if (features !== '') {
        features += ',';
        yield undefined;
      }
      features += feature;
      // The page is already too large. Continuing could take gigabytes, because each of the thousands of sites of a
      // right repeats the right.
      if (features.length > maxBytes) break;
    }
    yield features;
  }
}

function* writePlaceFeatures(placeKind: PlaceKind, { organization, records }: SliceTexts): TextSteps {
  const columns = tableColumns[placeKind].record;
  const organizationMembers = writeOrganizationProperties(organization);
  for (const item of iterateItems(records)) {
    const properties = Object.fromEntries(
      columns.map((column) => [column.name, readColumnValue(item, column)] as const),
    );
    const id = buildFeatureId(organization.OrganizationUUID, String(item[lookupIdentifiers[placeKind]]));
    const { geometry } = readPlaceGeometry(placeKind, item);
    yield undefined;
    yield writeFeature(
      id,
      yield* writeGeometryInSteps(geometry),
      `${organizationMembers},${JSON.stringify(properties).slice(1, -1)}`,
    );
  }
}

/**
 * Returns a function that finds a place by its identifier. Without an identifier, it returns the parts of a feature
 * without a place. Pauses between places, because a page may have thousands.
 */
function* createPlaceFinder(
  { placeKind, recordMembers }: DataSetLayout,
  texts: JoinedFragments | undefined,
): Generator<undefined, (identifier: string | undefined) => FeaturePlaceParts> {
  // Maps cannot show lists or geometries as properties.
  const shownMembers = Object.entries(lookupMembers[placeKind]).filter(
    ([name, { schema }]) => schema['type'] !== 'array' && !name.endsWith('Geometry') && !(name in recordMembers),
  );
  const buildPlace = function* (item: Item, identifier: string): Generator<undefined, FeaturePlaceParts> {
    const { geometry, unreadable: text } = readPlaceGeometry(placeKind, item);
    const unreadable = [UNREADABLE_PROPERTY, text] as const;
    const members = [...shownMembers.map(([name]) => [name, item[name] ?? null] as const), unreadable];
    const properties = members.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`).join('');
    yield undefined;
    return { identifier, geometry: yield* writeGeometryInSteps(geometry), properties };
  };
  const noPlace = yield* buildPlace({}, '');
  const identifierMember = lookupIdentifiers[placeKind];
  const places = new Map<unknown, FeaturePlaceParts>();
  for (const item of texts === undefined ? [] : iterateItems(texts)) {
    places.set(item[identifierMember], yield* buildPlace(item, String(item[identifierMember])));
  }
  return (identifier) => places.get(identifier) ?? noPlace;
}
