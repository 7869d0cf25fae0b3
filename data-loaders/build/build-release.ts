// Builds a release from staged rows: numbers and writes its lookups, writes its records in canonical order (D17), and
// indexes them in the same pass (docs/release-layout.md). Nothing of it is readable until the caller finishes the
// writer.

import { join } from 'node:path';
import { type DataSetKind, dataSetLayouts, listLookupKinds } from '../../shared/records/data-sets';
import { buildRecordKey } from '../../shared/records/feature-ids';
import { SITE_DETAILS } from '../../shared/render/site-details';
import { hashDigest } from '../../shared/search/index/key-hashes';
import type { DataStatement } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseFacts, type ReleaseWriter } from '../../shared/store/port';
import { TextFile } from '../../shared/store/text-file';
import { digestContent } from '../../shared/values/digest';
import type { Box } from '../../shared/values/geometry';
import { type Point, readPoint } from '../../shared/values/site-point';
import { type AmountDefinition, type CommonAmountRow, isReversed } from '../format/amount-definitions';
import { type CellValue, RowShape } from '../format/column';
import type { RowFinding } from '../format/findings';
import { lookupFiles, type ReportingUnitRow, type SiteRow } from '../format/submission-files';
import { splitCells } from '../read/csv';
import type { LoadProgress } from '../stage/progress';
import { SourceTextWriter } from '../stage/source-text';
import { type KeyOutcome, resolveKeys } from '../stage/staged-amounts';
import { type IndexedRecord, IndexWriter, type NewPlace } from './index-writer';
import { ColumnFile, writeKeyHashChunks } from './record-columns';
import { contentFingerprint, keyFingerprint, ReleaseDigest } from './release-digests';
import {
  recordWriterFactories,
  type SiteLookups,
  writeBeneficialUse,
  writeMethod,
  writeReportingUnit,
  writeReportingUnitText,
  writeSite,
  writeSiteText,
  writeVariable,
  writeWaterSource,
} from './release-json';
import { createRelationReader, lookupTables, readReferencedRows, type ReleaseInput } from './release-lookups';
import { readFieldValues } from './term-sources';

/** A place that records refer to. */
export interface ObservedPlace {
  readonly id: string;
  /** The place's point, or else the box around its geometry; undefined without either. */
  readonly box: Box | undefined;
  /** Undefined when its coordinates are no point on Earth. */
  readonly point: Point | undefined;
  /** The cells of its row; null where they are empty, and of reporting units. */
  readonly coordinates: readonly [longitude: string | null, latitude: string | null];
  /** The row has no text of a geometry, or one that can be used, or not. */
  readonly geometry: 'none' | 'usable' | 'unusable';
}

/** A record as it was built. */
export interface ObservedRecord extends Pick<IndexedRecord, 'variable' | 'uses' | 'measures' | 'period'> {
  /** keyFingerprint of its key. */
  readonly key: number;
  /** Its JSON text in UTF-8. */
  readonly json: Uint8Array;
  /** contentFingerprint of `json`. */
  readonly fingerprint: number;
  /** Whether the timeframe starts after it ends; undefined without both dates. */
  readonly isReversed: boolean | undefined;
}

/** Follows the building of a release, such as to compare it with the former one. */
export interface ReleaseObserver {
  addPlace(place: ObservedPlace): void;
  /** Records come in the order of their numbers. */
  addRecord(record: ObservedRecord): void;
  /** The former release had a record of this key, which a merge deletes. */
  addDeletion(key: number): void;
}

export interface BuildInput extends ReleaseInput {
  readonly statement: DataStatement;
  readonly observer: ReleaseObserver;
  readonly progress: LoadProgress;
}

/** Returns the facts with which the caller finishes the writer. */
export async function buildRelease(input: BuildInput): Promise<ReleaseFacts> {
  const { staged, staging, organization, statement, writer, progress } = input;
  const { kind } = staged.definition;
  progress.startStage(`writing ${kind}`, staged.rows);
  // Amounts are staged with the numbers of what they refer to.
  staging.endAdding();
  const parts = openReleaseParts(input);
  const { index, placeTexts, sources, digest, keyHashes } = parts;
  try {
    await writeLookups(input, parts);
    await writeLookupSources(input, parts);
    await writeRecords(input, parts);
    staging.saveRuns();
  } finally {
    placeTexts.close();
  }
  sources.finish();
  await index.finish();
  if (kind !== 'WaterAllocations') writeKeyHashChunks(keyHashes, writer);
  return {
    releaseId: digest.finish(),
    formatVersion: FORMAT_VERSION,
    organization,
    dataSet: kind,
    statement,
    ...index.getFacts(),
  };
}

type ReleaseParts = ReturnType<typeof openReleaseParts>;

function openReleaseParts(input: BuildInput) {
  const { staged, organization, statement, staging, writer } = input;
  const { folder } = staging;
  return {
    index: new IndexWriter(input),
    sources: new SourceTextWriter(writer),
    /** By rank what records repeat of a place: rights may name millions of sites in any order (ADR 0053). */
    placeTexts: new TextFile(join(folder, 'places')),
    digest: new ReleaseDigest({ dataSet: staged.definition.kind, organization, statement }),
    keyHashes: new ColumnFile(join(folder, 'key-hashes'), Uint32Array),
  };
}

/** Writes the lookups in the order of their numbers. */
async function writeLookups(input: BuildInput, parts: ReleaseParts): Promise<void> {
  const { staged, staging, writer, findUseCategories } = input;
  const write = (json: string): void => {
    writer.addFragment('lookups', json);
    parts.digest.addLookup(json);
  };
  for (const kind of listLookupKinds(dataSetLayouts[staged.definition.kind])) {
    if (kind === 'BeneficialUses') {
      for (const use of parts.index.lookups.uses.keys()) write(writeBeneficialUse(use, findUseCategories(use)));
    } else if (kind === 'Sites' || kind === 'ReportingUnits') {
      await writePlaces(input, parts, write);
    } else {
      const writeItem = itemWriters[kind] as (row: unknown) => string; // Its rows are those of the kind's table.
      for (const [, row] of readReferencedRows(lookupTables[kind], staged, staging)) write(writeItem(row));
    }
  }
}

const itemWriters = { VariableSpecifics: writeVariable, Methods: writeMethod, WaterSources: writeWaterSource };

/** Writes the places and indexes them. Places to which no record refers leave their source rows alone. */
async function writePlaces(
  { staged, staging, organization, writer, observer }: BuildInput,
  { index, sources, placeTexts }: ReleaseParts,
  write: (json: string) => void,
): Promise<void> {
  const { kind, placeTable } = staged.definition;
  const readRelations = createRelationReader(staging, placeTable);
  await addInBatches(
    staging.getLookups(placeTable).readRows(),
    writer,
    ({ id, number, source, geometry, ...place }) => {
      sources.add(lookupFiles[placeTable], source);
      const relations = readRelations(id);
      if (staged.referenced.marks[placeTable][number] !== 1) return source.length;
      const waterSources = place.waterSources.map((waterSource) => index.lookups.getWaterSource(waterSource));
      const row: Readonly<Record<string, CellValue>> = place.readRow();
      const lookups = { ...relations, sources: waterSources };
      const { item, text, coordinates, ...indexed } = describePlace(kind, row, lookups, organization.OrganizationState);
      write(item);
      placeTexts.add(text);
      const isDetailed = SITE_DETAILS.some((name) => (row[name] ?? null) !== null);
      const box = index.addPlace({ ...indexed, id, geometry, isDetailed, sources: place.waterSources });
      const hasNoText = (row['Geometry'] ?? null) === null;
      const geometryState = hasNoText ? 'none' : geometry === null ? 'unusable' : 'usable';
      observer.addPlace({ id, box, point: indexed.point, coordinates, geometry: geometryState });
      return source.length + item.length;
    },
  );
  staging.saveRuns();
}

/** What follows from the row of a place; `organizationState` is the two-letter code of its organization. */
function describePlace(
  kind: DataSetKind,
  row: Readonly<Record<string, CellValue>>,
  related: SiteLookups,
  organizationState: string,
): Pick<NewPlace, 'name' | 'nativeId' | 'point' | 'values'> &
  Pick<ObservedPlace, 'coordinates'> & { readonly item: string; readonly text: string } {
  // The staged values are those of the kind's file of places.
  if (kind === 'AggregatedAmounts') {
    const unit = row as Readonly<Record<string, unknown>> as ReportingUnitRow;
    return {
      item: writeReportingUnit(unit),
      text: writeReportingUnitText(unit),
      name: unit.ReportingUnitName,
      nativeId: unit.ReportingUnitNativeID,
      point: undefined,
      coordinates: [null, null],
      values: readFieldValues(kind, 'reportingUnit', { ...unit, organizationState }),
    };
  }
  const site = row as Readonly<Record<string, unknown>> as SiteRow;
  return {
    item: writeSite(site, related),
    text: writeSiteText(kind, site),
    name: site.SiteName,
    nativeId: site.SiteNativeID,
    point: readPoint(site.Longitude, site.Latitude),
    coordinates: [site.Longitude, site.Latitude],
    values: readFieldValues(kind, 'site', { ...site, organizationState }),
  };
}

/** Lookups that are no places. */
const OTHER_TABLES = ['beneficialuses', 'methods', 'organizations', 'variables', 'watersources', 'relations'] as const;

/** Keeps the sources of all accepted lookup rows but of the release's places, which are kept with them. */
async function writeLookupSources({ staged, staging, writer }: BuildInput, { sources }: ReleaseParts): Promise<void> {
  const otherPlaces = staged.definition.placeTable === 'sites' ? 'reportingunits' : 'sites';
  for (const table of [...OTHER_TABLES, otherPlaces] as const) {
    const rows = staging.getLookups(table).readRows();
    await addInBatches(rows, writer, ({ source }) => sources.add(lookupFiles[table], source));
  }
}

/** Makes the record of each row, and indexes it. */
async function writeRecords(input: BuildInput, parts: ReleaseParts): Promise<void> {
  const { writer, staged, observer, organization } = input;
  const { definition } = staged;
  const { kind, file } = definition;
  const { index, sources, placeTexts, digest, keyHashes } = parts;
  const shape = new RowShape(file);
  const recordWriter = recordWriterFactories[kind]((rank) => placeTexts.readText(rank));
  await addInBatches(readRecordRows(input), writer, ({ amount, references: staged }) => {
    sources.add(file, amount.source);
    const row = shape.read(amount.row) as CommonAmountRow; // The file is one of amounts.
    const { references, ...indexed } = index.add(row, staged);
    const written = recordWriter.write(row, indexed);
    if (kind !== 'WaterAllocations') {
      const key = buildRecordKey(dataSetLayouts[kind], organization.OrganizationUUID, written.record);
      keyHashes.add(hashDigest(digestContent(key)));
    }
    const json = Buffer.from(written.json);
    digest.addRecord(json, references);
    const fingerprints = { key: keyFingerprint(amount.key), fingerprint: contentFingerprint(json) };
    observer.addRecord({ ...indexed, ...fingerprints, json, isReversed: isReversed(definition.shownDates(row)) });
    writer.addFragment('records', json, references);
    return amount.source.length + json.length;
  });
}

/** Rows are added until they and what is made of them have so many bytes; then the store is waited for. */
const BATCH_BYTES = 512 * 1024;

/** `add` returns how many bytes it has made of a row. */
async function addInBatches<Row>(
  rows: Iterable<Row>,
  writer: Pick<ReleaseWriter, 'drain'>,
  add: (row: Row) => number,
): Promise<void> {
  let bytes = 0;
  for (const row of rows) {
    bytes += add(row);
    if (bytes < BATCH_BYTES) continue;
    await writer.drain();
    bytes = 0;
  }
}

/** The rows that become records, in canonical order; rejects the others. */
function* readRecordRows({
  staged: { definition, findings },
  staging,
  progress,
  observer,
}: BuildInput): Iterable<Extract<KeyOutcome, { kind: 'record' }>> {
  for (const outcome of resolveKeys(staging.readAmounts(definition.kind))) {
    progress.step();
    const { amount } = outcome;
    if (outcome.kind === 'record') yield outcome;
    else if (outcome.kind === 'deleted') observer.addDeletion(keyFingerprint(amount.key));
    else findings?.rejectAccepted(amount.line, buildKeyFinding(outcome, definition), amount.warnings);
  }
}

/** Says which other row has a row's key, or that none has; the value is the cells of the key as the file has them. */
function buildKeyFinding(
  outcome: Exclude<KeyOutcome, { kind: 'record' | 'deleted' }>,
  { file, keyColumns }: AmountDefinition,
): RowFinding {
  const { source, line: ownLine } = outcome.amount;
  const cells = splitCells(source.toString());
  const names = Object.keys(file.columns);
  const key = keyColumns.map((column) => cells[names.indexOf(column)]?.trim());
  if (key.includes(undefined)) throw new Error(`the source of line ${ownLine} does not have the columns of its file`);
  const value = key.filter((cell) => cell !== '').join(', ');
  if (outcome.kind === 'nothing-to-delete') return { rule: 'nothing-to-delete', column: null, value };
  const { line, source: first } = outcome.first;
  if (first.equals(source))
    return { rule: 'duplicate-amount', column: null, value: `a copy of line ${line}: ${value}` };
  const firstCells = splitCells(first.toString());
  const amounts = names.flatMap((name, index) => {
    if (file.columns[name]?.type !== 'amount') return [];
    const [there = '', here = ''] = [firstCells[index]?.trim(), cells[index]?.trim()];
    return [`${name} ${there === '' ? '(empty)' : there} there, ${here === '' ? '(empty)' : here} here`];
  });
  return { rule: 'duplicate-amount', column: null, value: `as line ${line} (${amounts.join('; ')}): ${value}` };
}
