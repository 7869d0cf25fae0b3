// Records and places as features of OGC API - Features (D48): flat properties under the names of the CSV form, with the
// types of the files (D44), one feature a record or place.

import {
  type DataSetKind,
  type DataSetLayout,
  dataSetLayouts,
  type Item,
  type PlaceKind,
  readIdentifiers,
  recordReferences,
} from '../records/data-sets';
import { buildFeatureId, buildRecordId } from '../records/feature-ids';
import { geometryMembers, lookupIdentifiers, type LookupKind } from '../records/lookups';
import { categorizeUse } from '../records/use-categories';
import { loadArtifact } from '../search/index/release-index';
import { getLookupRange } from '../search/index/release-lookups';
import type { SearchCaches } from '../search/index/search-caches';
import { parseItems, type ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { Sections, writeSections } from '../values/bytes/sections';
import { type CoordinateSystem, projectGeometry } from '../values/coordinate-systems';
import { getOrAdd } from '../values/maps';
import { readPoint } from '../values/numbers';
import { indexLookups, type SliceTexts } from './read-page';
import {
  type ColumnValue,
  createJoinWriter,
  type JoinedColumns,
  type LookupItems,
  readColumnValue,
  type TableColumn,
  tableColumns,
  USE_CATEGORY,
} from './table-columns';
import { readPlaceGeometry, writeFeature, writeOrganizationProperties } from './write-geojson';

export interface FeatureText {
  readonly id: string;
  /** The feature as JSON. */
  readonly text: string;
}

export interface FeatureContext {
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

/** A feature for each record of a slice. */
export function* writeRecordFeatures(
  kind: DataSetKind,
  slice: SliceTexts,
  context: FeatureContext,
): Iterable<FeatureText> {
  const layout = dataSetLayouts[kind];
  const { record: columns, joined } = tableColumns[kind];
  const { organization } = slice;
  const lookups = indexLookups(slice);
  const organizationMembers = writeOrganizationProperties(organization);
  const writeProperties = createPropertiesWriter(columns);
  const joins = joined.map((join) => createJoinWriter(join, lookups, (values) => writeJoinedProperties(join, values)));
  const writeCategories = createUseCategoriesWriter(kind);
  const writeGeometry = createGeometryWriter(layout, lookups, { ...context, source: slice.source });
  for (const record of parseItems(slice.records)) {
    let properties = `${organizationMembers},${writeProperties(record)}`;
    for (const join of joins) properties += join(record);
    properties += writeCategories(record);
    const id = buildRecordId(layout, organization.OrganizationUUID, record);
    yield { id, text: writeFeature(id, writeGeometry(record), properties) };
  }
}

/** A feature for each place of a slice that `readPlacePage` read. */
export function* writePlaceFeatures(
  placeKind: PlaceKind,
  slice: SliceTexts,
  context: FeatureContext,
): Iterable<FeatureText> {
  const { organization, records, source } = slice;
  const organizationMembers = writeOrganizationProperties(organization);
  const writeProperties = createPropertiesWriter(tableColumns[placeKind].record);
  for (const place of parseItems(records)) {
    const id = buildFeatureId(organization.OrganizationUUID, String(place[lookupIdentifiers[placeKind]]));
    const geometry = writePlaceGeometry(placeKind, place, { ...context, source });
    yield { id, text: writeFeature(id, geometry, `${organizationMembers},${writeProperties(place)}`) };
  }
}

/** Writes the columns of an object as members with commas between them. */
function createPropertiesWriter(columns: readonly TableColumn[]): (item: Item) => string {
  const blank = Object.fromEntries(columns.map(({ name }): [string, ColumnValue] => [name, null]));
  return (item) => {
    // A copy of an object with all members is made sooner than one after the other is added.
    const properties = { ...blank };
    for (const column of columns) properties[column.name] = toPropertyValue(readColumnValue(item, column), column);
    return JSON.stringify(properties).slice(1, -1);
  };
}

/** The columns that lookups give a record, as members with a comma before each. */
function writeJoinedProperties({ columns }: JoinedColumns, values: readonly ColumnValue[]): string {
  const members = columns.map((column, index) => {
    return `,"${column.name}":${JSON.stringify(toPropertyValue(values[index] ?? null, column))}`;
  });
  return members.join('');
}

/** Lists beside one another have their items at the same places. Days of a timestamp are days in files, too (D53). */
function toPropertyValue(value: ColumnValue, { type }: TableColumn): ColumnValue {
  if (typeof value === 'object' && value !== null) return value.map((item) => String(item ?? ''));
  return type === 'date' && typeof value === 'string' ? value.slice(0, 'YYYY-MM-DD'.length) : value;
}

/** The plain categories of a record's uses (D63), as a member with a comma before it. */
function createUseCategoriesWriter(kind: DataSetKind): (record: Item) => string {
  const reference = recordReferences[kind].find(({ lookups }) => lookups === 'BeneficialUses');
  const texts = new Map<string, string>();
  return (record) => {
    const primary = record['PrimaryUseCategoryCV'] as string | null; // As the member is declared.
    const uses = [...(primary === null ? [] : [primary]), ...(reference ? readIdentifiers(record, reference) : [])];
    return getOrAdd(texts, uses.join('\n'), () => {
      const categories = new Set(uses.flatMap((use) => categorizeUse(use) ?? []));
      return `,"${USE_CATEGORY.name}":${JSON.stringify([...categories])}`;
    });
  };
}

/** What geometries are written from besides the place. */
interface GeometryContext extends FeatureContext {
  /** Names the texts of the places. */
  readonly source: string;
}

/** Writes the geometry of a record as JSON: that of its place, or the points of all its places. */
function createGeometryWriter(
  { kind, placeKind }: DataSetLayout,
  lookups: LookupItems,
  context: GeometryContext,
): (record: Item) => string {
  const [{ member, within }] = recordReferences[kind];
  // The objects of a list say themselves where they lie.
  if (within !== undefined) return (record) => writeSitePoints(record[member] as readonly Item[], context.system);
  const places = lookups.get(placeKind);
  return (record) => {
    const place = places?.get(record[member]);
    return place === undefined ? 'null' : writePlaceGeometry(placeKind, place, context);
  };
}

/** The geometry of a place. Areas, which take longer to read than the rest, stay in memory while there is room. */
function writePlaceGeometry(placeKind: PlaceKind, place: Item, { system, caches, source }: GeometryContext): string {
  const write = (): string => {
    const { geometry } = readPlaceGeometry(placeKind, place);
    return JSON.stringify(geometry === null ? null : projectGeometry(geometry, system));
  };
  if (place[geometryMembers[placeKind]] === null) return write();
  const cache = caches.getCache<string>('geometryTexts');
  const key = `${source} ${system.name} ${String(place[lookupIdentifiers[placeKind]])}`;
  let text = cache.get(key);
  if (text === undefined) {
    text = write();
    cache.set(key, text, text.length);
  }
  return text;
}

/** The points of sites; null where none has one. */
function writeSitePoints(sites: readonly Item[], { fromDegrees }: CoordinateSystem): string {
  const coordinates = sites.flatMap(({ Longitude, Latitude }) => {
    const point = readPoint(Longitude as string | null, Latitude as string | null); // As the members are declared.
    return point === undefined ? [] : [fromDegrees([point.longitude, point.latitude])];
  });
  return coordinates.length === 0 ? 'null' : JSON.stringify({ type: 'MultiPoint', coordinates });
}

/**
 * What sites have that the rights which name them do not repeat, such as identifiers of the USGS and the NHD. Few sites
 * have any of it: a release of rights says which, so that features of rights read the texts of those sites alone.
 */
export const SITE_DETAILS = tableColumns.WaterAllocations.joined
  .filter(({ reference }) => reference.lookups === 'Sites')
  .flatMap(({ columns }) => columns.map(({ member }) => member));

/** `detailed` are the ranks of the sites that have any of SITE_DETAILS. */
export function writeSiteDetails(detailed: BitSet): Uint8Array {
  return writeSections([detailed.words]);
}

/** Which of the lookups of a page, by their ascending numbers, features have anything of. */
export async function selectFeatureLookups(
  reader: ReleaseReader,
  kind: LookupKind,
  numbers: Uint32Array,
  caches: SearchCaches,
): Promise<Uint32Array> {
  if (reader.facts.dataSet !== 'WaterAllocations' || kind !== 'Sites') return numbers;
  const [first, end] = getLookupRange(reader, kind);
  const read = (content: Uint8Array): BitSet => new BitSet(end - first, new Sections(content).numbers(Uint32Array, 0));
  const detailed = await loadArtifact({ reader, caches }, 'siteDetails', read);
  return numbers.filter((number) => detailed.has(number - first));
}
