// Records as features of OGC API - Features (D48): flat properties under the names of the CSV form, with the types of
// the files (D44), one feature a record. They are cut out of the stored texts, which are never parsed (ADR 0098).

import { dataSetLayouts, type DataSetKind, type DataSetLayout } from '../../records/data-sets';
import type { Organization } from '../../records/organization';
import type { SearchCaches } from '../../search/index/search-caches';
import type { JoinedFragments } from '../../store/port';
import type { Allocate, ByteWriter } from '../../values/bytes/byte-writer';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { isNull } from '../../values/bytes/json-values';
import { numberAt } from '../../values/numbers';
import { copiedText, type CopiedBytes } from '../../values/bytes/word-copying';
import { featureId } from './feature-ids';
import { GeometryWriter, LYING_MEMBERS, type GeometrySource } from './feature-geometry';
import { joinedWriter, LookupTexts, type LookupList } from './feature-lookups';
import { PropertiesWriter, type TextWriter } from './feature-members';
import { NamedLookups } from './named-lookups';
import { FeatureSizes } from './feature-sizes';
import { FeatureTextsWriter, type FeatureParts, type FeatureText } from './feature-texts';
import { listBytesOf, type SliceTexts } from '../page-texts';
import { RecordKeys } from './record-keys';
import { ORGANIZATION_COLUMNS, tableColumns } from '../table-columns';

export interface FeatureContext {
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
  /** Whoever gives memory takes it back when the features have been copied. */
  readonly allocate?: Allocate;
  /** Those of the features before them. */
  readonly sizes?: FeatureSizes;
}

/** Memory that nobody takes back. */
export const newMemory: Allocate = (bytes) => Buffer.allocUnsafe(bytes);

export function recordFeaturesOf(kind: DataSetKind, slice: SliceTexts, form: FeatureContext): readonly FeatureText[] {
  const layout = dataSetLayouts[kind];
  const { organization, records, source } = slice;
  const { record: columns, joined } = tableColumns[kind];
  const references = joined.map(({ reference }) => reference.member);
  const { allocate = newMemory, sizes = new FeatureSizes() } = form;
  const name = `${organization.OrganizationUUID} ${kind}`;
  const writer = new FeatureTextsWriter(sizes.expected(name, records.byteLength), allocate);
  const { target } = writer;
  const text = listBytesOf(records, allocate);
  const { placeKind, recordMembers: members } = layout;
  const { joins, lists, writeGeometry } = joinsOf(
    kind,
    { records: text, of: slice.lookups, allocate },
    { placeKind, source, ...form },
    target,
  );
  const named = [...references, ...idMembers(layout)];
  const properties = new PropertiesWriter({ members, columns, lists }, named, target);
  const writeId = idWriter(layout, organization, references.length, target);
  const first = copiedText(`${organizationText(organization)},`);
  const { bytes } = text;
  const { positions } = properties;
  const placeSlot = joined.findIndex(({ reference }) => reference.lookups === placeKind);
  const parts: FeatureParts = {
    writeId: () => {
      writeId(text, positions);
    },
    writeGeometry: () => writeGeometry(bytes, positions[2 * placeSlot] ?? 0, positions[2 * placeSlot + 1] ?? 0),
    writeProperties: () => {
      target.copyText(first);
      properties.write(text);
      joins.forEach((write, slot) => {
        write(bytes, positions[2 * slot] ?? 0, positions[2 * slot + 1] ?? 0);
      });
    },
  };
  for (let at = 0; at < bytes.length; at++) {
    at = properties.locate(text, at);
    writer.add(parts);
  }
  sizes.became(name, records.byteLength, target.length);
  return writer.features();
}

/** Writes the geometry of a record, or returns one that is long, by the text of the member that names its places. */
type RecordGeometryWriter = (bytes: Buffer, start: number, end: number) => JoinedFragments | undefined;

interface Joins {
  /** By reference, in the order of the table's columns. */
  readonly joins: readonly TextWriter[];
  /** By the member that is a list of objects, each of which refers to a lookup. */
  readonly lists: ReadonlyMap<string, NamedLookups>;
  readonly writeGeometry: RecordGeometryWriter;
}

/** The texts of places say where they lie, too: with those members they begin. */
function joinsOf(kind: DataSetKind, texts: LookupList, geometry: GeometrySource, target: ByteWriter): Joins {
  const { placeKind, recordMembers: members } = dataSetLayouts[kind];
  const lists = new Map<string, NamedLookups>();
  let writeGeometry: RecordGeometryWriter | undefined;
  const joins = tableColumns[kind].joined.map((join): TextWriter => {
    const { reference, columns } = join;
    const isPlace = reference.lookups === placeKind;
    // The objects of a list say themselves where they lie.
    const before = isPlace && reference.within === undefined ? LYING_MEMBERS[placeKind] : [];
    const shown = [...before, ...columns.map(({ member }) => member)];
    const lookups = new LookupTexts(reference.lookups, shown, texts);
    const first = before.length;
    if (reference.within === undefined) {
      if (isPlace) writeGeometry = geometryWriter(lookups, geometry, target);
      return joinedWriter(join, { lookups, first }, target);
    }
    const own = tableColumns[kind].record.filter(({ member }) => member === reference.member);
    const source = { records: texts.records, members, reference, own, joined: columns, lookups, geometry };
    const list = new NamedLookups(source, target);
    lists.set(reference.member, list);
    if (isPlace) writeGeometry = list.writePoints;
    return list.writeJoined;
  });
  if (writeGeometry === undefined) throw new Error(`${kind} refer to no places`);
  return { joins, lists, writeGeometry };
}

/** Members with commas between them. */
export function organizationText(organization: Organization): string {
  return JSON.stringify(Object.fromEntries(ORGANIZATION_COLUMNS.map((name) => [name, organization[name]]))).slice(
    1,
    -1,
  );
}

/** The beginning of the JSON of each id of the organization, with its quote. */
export function idStart({ OrganizationUUID: organization }: Organization): CopiedBytes {
  return copiedText(JSON.stringify(featureId(organization, '')).slice(0, -1));
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
): (records: CopiedBytes, positions: Uint32Array) => void {
  const start = idStart(organization);
  if (layout.kind === 'WaterAllocations') {
    return (records, positions) => {
      const own = isNull(records.bytes, numberAt(positions, 2 * first)) ? first + 1 : first;
      target.copyText(start);
      target.copyPart(records, numberAt(positions, 2 * own) + 1, numberAt(positions, 2 * own + 1));
    };
  }
  const keys = new RecordKeys(layout, organization.OrganizationUUID);
  return (records, positions) => {
    target.copyText(start);
    target.ascii(keys.digestOf(records, positions, first));
    target.ascii('"');
  };
}

/** The geometry of a record is that of its place. */
function geometryWriter(lookups: LookupTexts, source: GeometrySource, target: ByteWriter): RecordGeometryWriter {
  const geometries = new GeometryWriter(source, target);
  const written = new Map<number, JoinedFragments | WrittenGeometry>();
  return (bytes, start, end) => {
    const lookup = lookups.find(bytes, start, end);
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
