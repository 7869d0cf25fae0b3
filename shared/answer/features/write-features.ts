// Records as features of OGC API - Features (D48): flat properties under the names of the CSV form, with the types of
// the files (D44), one feature a record. They are cut out of the stored texts, which are never parsed (ADR 0098).

import { dataSetLayouts, type DataSetKind, type DataSetLayout } from '../../records/data-sets';
import type { Organization } from '../../records/organization';
import type { SearchCaches } from '../../search/release/search-caches';
import type { JoinedFragments } from '../../store/port';
import type { ByteWriter } from '../../values/byte-writer';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { isNull } from '../../values/json-members';
import { numberAt } from '../../values/numbers';
import { featureId } from './feature-ids';
import { GeometryWriter, LYING_MEMBERS, type GeometrySource } from './feature-geometry';
import { joinedWriter, lookupFinder, LookupTexts, type LookupFinder } from './feature-lookups';
import { PropertiesWriter, type TextWriter } from './feature-members';
import { FeatureTextsWriter, type FeatureParts, type FeatureText } from './feature-texts';
import { listBytesOf, type SliceTexts } from '../page-texts';
import { RecordKeys } from './record-keys';
import { ORGANIZATION_COLUMNS, tableColumns } from '../table-columns';

export interface FeatureContext {
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

export function recordFeaturesOf(kind: DataSetKind, slice: SliceTexts, form: FeatureContext): readonly FeatureText[] {
  const layout = dataSetLayouts[kind];
  const { organization, records, source } = slice;
  const { record: columns, joined } = tableColumns[kind];
  const references = joined.map(({ reference }) => reference.member);
  const writer = new FeatureTextsWriter(records.byteLength);
  const { target } = writer;
  const properties = new PropertiesWriter(layout.recordMembers, columns, [...references, ...idMembers(layout)], target);
  const { joins, places } = joinsOf(kind, slice, properties, target);
  const { placeKind } = layout;
  const writeGeometry = geometryWriter(kind, places, { placeKind, source, ...form }, target);
  const writeId = idWriter(layout, organization, references.length, target);
  const first = Buffer.from(`${organizationText(organization)},`);
  const bytes = listBytesOf(records);
  const { positions } = properties;
  const placeSlot = joined.findIndex(({ reference }) => reference.lookups === placeKind);
  const [placeStart, placeEnd] = [2 * placeSlot, 2 * placeSlot + 1];
  const parts: FeatureParts = {
    writeId: () => {
      writeId(bytes, positions);
    },
    writeGeometry: () => writeGeometry(bytes, numberAt(positions, placeStart), numberAt(positions, placeEnd)),
    writeProperties: () => {
      target.copyAll(first);
      properties.write(bytes);
      joins.forEach((write, slot) => {
        write(bytes, numberAt(positions, 2 * slot), numberAt(positions, 2 * slot + 1));
      });
    },
  };
  for (let at = 0; at < bytes.length; at++) {
    at = properties.locate(bytes, at);
    writer.add(parts);
  }
  return writer.features();
}

/** The places of a page's records, and who finds those of one record. */
interface FoundPlaces {
  readonly lookups: LookupTexts;
  readonly find: LookupFinder;
}

interface Joins {
  /** By reference, in the order of the table's columns. */
  readonly joins: readonly TextWriter[];
  readonly places: FoundPlaces;
}

/** The texts of places say where they lie, too: with those members they begin. */
function joinsOf(kind: DataSetKind, slice: SliceTexts, properties: PropertiesWriter, target: ByteWriter): Joins {
  const { placeKind } = dataSetLayouts[kind];
  let places: FoundPlaces | undefined;
  const joins = tableColumns[kind].joined.map((join) => {
    const { reference, columns } = join;
    const before = reference.lookups === placeKind ? LYING_MEMBERS[placeKind] : [];
    const members = [...before, ...columns.map(({ member }) => member)];
    const lookups = new LookupTexts(reference.lookups, members, slice.lookups.get(reference.lookups));
    const find = lookupFinder(reference, lookups, properties);
    if (reference.lookups === placeKind) places = { lookups, find };
    return joinedWriter(join, { lookups, find, first: before.length }, target);
  });
  if (places === undefined) throw new Error(`${kind} refer to no places`);
  return { joins, places };
}

/** Members with commas between them. */
export function organizationText(organization: Organization): string {
  return JSON.stringify(Object.fromEntries(ORGANIZATION_COLUMNS.map((name) => [name, organization[name]]))).slice(
    1,
    -1,
  );
}

/** The beginning of the JSON of each id of the organization, with its quote. */
export function idStart({ OrganizationUUID: organization }: Organization): Buffer {
  return Buffer.from(JSON.stringify(featureId(organization, '')).slice(0, -1));
}

function idMembers({ kind, keyMembers }: DataSetLayout): readonly string[] {
  return kind === 'WaterAllocations' ? ['AllocationUUID', 'AllocationNativeID'] : keyMembers;
}

/** Ids are stable over releases. The members that `idMembers` names are found from the pair `first` on. */
function idWriter(
  layout: DataSetLayout,
  organization: Organization,
  first: number,
  target: ByteWriter,
): (bytes: Buffer, positions: Uint32Array) => void {
  const start = idStart(organization);
  if (layout.kind === 'WaterAllocations') {
    return (bytes, positions) => {
      const own = isNull(bytes, numberAt(positions, 2 * first)) ? first + 1 : first;
      target.copyAll(start);
      target.copy(bytes, numberAt(positions, 2 * own) + 1, numberAt(positions, 2 * own + 1));
    };
  }
  const keys = new RecordKeys(layout, organization.OrganizationUUID);
  return (bytes, positions) => {
    target.copyAll(start);
    target.ascii(keys.digestOf(bytes, positions, first));
    target.ascii('"');
  };
}

/** Writes the geometry of a record, a right's being its points, by the text of the member that names its places. */
function geometryWriter(
  kind: DataSetKind,
  { lookups, find }: FoundPlaces,
  source: GeometrySource,
  target: ByteWriter,
): (bytes: Buffer, start: number, end: number) => JoinedFragments | undefined {
  const geometries = new GeometryWriter(source, target);
  if (kind === 'WaterAllocations') {
    return (bytes, start, end) => {
      const found = find(bytes, start, end);
      geometries.writePoints(found.filter((lookup) => lookup !== -1).map((lookup) => lookups.placeAt(lookup)));
      return undefined;
    };
  }
  const written = new Map<number, JoinedFragments | WrittenGeometry>();
  return (bytes, start, end) => {
    const lookup = find(bytes, start, end)[0] ?? -1;
    const known = written.get(lookup);
    if (known === undefined) {
      const first = target.length;
      if (lookup === -1) target.ascii('null');
      const content = lookup === -1 ? undefined : geometries.write(lookups.placeAt(lookup), () => lookups.idOf(lookup));
      written.set(lookup, content ?? { first, last: target.length });
      return content;
    }
    if (!('first' in known)) return known;
    target.repeat(known.first, known.last);
    return undefined;
  };
}

/** Where a short geometry stands in what was written. */
interface WrittenGeometry {
  readonly first: number;
  readonly last: number;
}
