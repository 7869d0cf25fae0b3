// Builds a release from staged rows: numbers and writes its lookups, writes its records in canonical order (D17), and
// indexes them in the same pass (docs/release-layout.md). Nothing of it is readable until the
// caller finishes the writer.

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import type { DataStatement } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseFacts, type ReleaseWriter } from '../../shared/store/port';
import type { Box } from '../../shared/values/geometry';
import { numberAt } from '../../shared/values/numbers';
import type { AmountDefinition } from '../format/amount-definitions';
import type { RowFinding } from '../format/findings';
import { lookupFiles, type VariableRow } from '../format/submission-files';
import type { RuleName } from '../format/rules';
import type { StagedAmounts } from '../read/amount-rows';
import { cellsOfSource } from '../read/row-reader';
import type { LoadProgress } from '../stage/progress';
import { SourceTextWriter } from '../stage/source-text';
import { readReferences, resolveKeys, type KeyOutcome, type StagedAmount } from '../stage/staged-amounts';
import { PLACE_TABLES } from '../stage/staged-places';
import type { Staging } from '../stage/staging';
import { inBatches, PendingBatches, startBuilder } from './builder-thread';
import { PlaceColumnsWriter, PlaceSeriesWriter } from './place-columns';
import { PlaceIndexWriter } from './place-index';
import { askForPostings, PostingLists } from './posting-lists';
import { joinedRows, type BuiltBatch, type FinishedRecords, type RowBatch } from './record-builder';
import { KeyHashWriter, RecordColumns } from './record-columns';
import { RecordIndex } from './record-index';
import { keyFingerprint, LookupDigests } from './release-digests';
import type { RecordLookups, UseCategories } from './release-json';
import { LookupNumbers, ReleaseLookups, type FoundLookups } from './release-lookups';
import { valuesOfRow, type ValuesOfRow } from './row-values';
import { writeLookups } from './write-lookups';

export interface BuiltRecord {
  /** In UTF-8; overwritten after the next record. */
  readonly json: Uint8Array;
  /** contentFingerprint of `json`. */
  readonly fingerprint: number;
  readonly values: ValuesOfRow;
}

export interface ObservedRecord {
  /** keyFingerprint of its key. */
  readonly key: number;
  readonly variable: VariableRow;
  /** The primary use is among them. */
  readonly uses: readonly string[];
  /** In the order of the kind's definition. */
  readonly measures: readonly (number | null)[];
  /** Whether the timeframe starts after it ends; undefined without both dates. */
  readonly isReversed: boolean | undefined;
}

/** Follows the building of a release, such as to compare it with the former one. */
export interface ReleaseObserver {
  /** `box` is the place's point, or else the box around its geometry; a place without either is left out. */
  addPlace(id: string, box: Box): void;
  /** Records come in the order of their numbers. */
  addRecord(record: ObservedRecord, built: BuiltRecord): void;
  /** Everything was added; the observer may add artifacts of its own. */
  finish(writer: ReleaseWriter): void;
}

export interface BuildInput {
  readonly staged: StagedAmounts;
  readonly organization: Organization;
  readonly statement: DataStatement;
  readonly staging: Staging;
  readonly writer: ReleaseWriter;
  readonly categoriesOf: (use: string) => UseCategories;
  readonly observer: ReleaseObserver;
  readonly progress: LoadProgress;
}

type OpenRelease = ReturnType<typeof openRelease>;

/** Returns the facts with which the caller finishes the writer. */
export async function buildRelease(input: BuildInput): Promise<ReleaseFacts> {
  const { staged, staging, organization, statement, writer, observer, progress } = input;
  const { kind } = staged.definition;
  progress.startStage(`writing ${kind}`, staged.rows);
  // Amounts are staged with the numbers of what they refer to.
  staging.endAdding();
  const release = openRelease(input);
  const { releaseId } = await writeContent(input, release).finally(() => release.builder.close());
  const { index, numbers } = release;
  if (kind !== 'WaterAllocations') release.keyHashes.finish(writer);
  observer.finish(writer);
  return {
    releaseId,
    formatVersion: FORMAT_VERSION,
    organization,
    dataSet: kind,
    statement,
    records: index.records,
    lookups: numbers.counts,
    ...index.extent(),
  };
}

function openRelease({ staged, organization, statement, staging, writer, categoriesOf }: BuildInput) {
  const { definition, referenced } = staged;
  const { kind } = definition;
  const { OrganizationState: organizationState } = organization;
  const kinds = lookupKindsOf(dataSetLayouts[kind]);
  const numbers = new LookupNumbers(kinds, staging, referenced, orderPlaces(staged, staging));
  const places = numbers.countOf(dataSetLayouts[kind].placeKind);
  const postings = new PostingLists();
  const indexed = {
    ...{ definition, organizationState, staging, postings, numbers, categoriesOf },
    columns: new RecordColumns(kind, writer),
    placeColumns: new PlaceColumnsWriter(kind, places, postings),
    placeSeries: new PlaceSeriesWriter(kind, places),
  };
  const lookups = new ReleaseLookups(indexed);
  const placeIndex = new PlaceIndexWriter(writer, staging.folder, places);
  const rows = staged.rows + staging.lastNumber(definition.placeTable);
  const identity = { dataSet: kind, organization, statement };
  return {
    ...{ ...indexed, lookups, placeIndex },
    index: new RecordIndex(indexed, placeIndex, lookups),
    builder: startBuilder({ ...identity, folder: staging.folder }, rows),
    digests: new LookupDigests(),
    keyHashes: new KeyHashWriter(staging.folder),
  };
}

async function writeContent(input: BuildInput, release: OpenRelease): Promise<FinishedRecords> {
  const { staged, writer, observer } = input;
  const { builder, index, digests } = release;
  const sources = new SourceTextWriter(writer);
  await writeLookups({ ...release, writer, observer, referenced: staged.referenced, sources });
  await addLookupSources(input, sources);
  await writeRecords(input, release, sources);
  const finished = await builder.finish(digests.ofReferenced());
  await sources.finish();
  const isOfRights = staged.definition.kind === 'WaterAllocations';
  const writeIdentifiers = isOfRights ? askForPostings(() => builder.nextPostings()) : undefined;
  await index.finish(writer, finished.placeTerms, writeIdentifiers);
  return finished;
}

/** Sends the rows to the record builder in batches, and indexes each batch when it comes back. */
async function writeRecords(input: BuildInput, release: OpenRelease, sources: SourceTextWriter): Promise<void> {
  const { writer, staged } = input;
  const { lookups, builder } = release;
  const pending = new PendingBatches();
  for (const { rows, bytes } of inBatches(recordRows(input))) {
    for (const { source } of rows) {
      sources.add(staged.definition.file.name, source);
      if (sources.isFull) await sources.drain();
    }
    const records = rows.map((amount) => ({
      found: lookups.find(readReferences(amount)),
      key: keyFingerprint(amount.key),
    }));
    pending.add(builder.build(batchOf(rows, records, lookups)), (built) => {
      indexRecords(built, records, input, release);
    });
    await pending.settle(bytes);
    await writer.drain();
  }
  await pending.finish();
}

/** A row that was sent to the record builder, as the loader goes on with it. */
interface SentRecord {
  readonly found: FoundLookups;
  readonly key: number;
}

function batchOf(rows: readonly StagedAmount[], records: readonly SentRecord[], lookups: ReleaseLookups): RowBatch {
  const distinct: RecordLookups[] = [];
  const places: number[] = [];
  const placeEnds: number[] = [];
  const lookupsOfRows = records.map(({ found }) => {
    // Rows that follow each other mostly share one object, which is then sent once.
    const ofRow = lookups.recordLookups(found);
    if (distinct.at(-1) !== ofRow) distinct.push(ofRow);
    for (const place of found.places) places.push(place);
    placeEnds.push(places.length);
    return distinct.length - 1;
  });
  return {
    ...{ rows: joinedRows(rows), lookups: distinct, lookupsOfRows: Uint32Array.from(lookupsOfRows) },
    ...{ places: Uint32Array.from(places), placeEnds: Uint32Array.from(placeEnds) },
  };
}

function indexRecords(
  built: BuiltBatch,
  records: readonly SentRecord[],
  { writer, observer }: BuildInput,
  { index, digests, keyHashes }: OpenRelease,
): void {
  const { texts, ends, fingerprints } = built;
  index.addCombinations(built);
  let start = 0;
  records.forEach(({ found, key }, at) => {
    const end = numberAt(ends, at);
    const values = valuesOfRow(built, at);
    const record = { json: texts.subarray(start, end), fingerprint: numberAt(fingerprints, at), values };
    start = end + 1;
    const { uses, references } = index.add(found, values);
    digests.addReferences(references);
    const { measures, isReversed } = values;
    observer.addRecord({ key, variable: found.variable.row, uses, measures, isReversed }, record);
    writer.addRecord(record.json, references);
  });
  for (const hash of built.keyHashes) keyHashes.add(hash);
}

/**
 * The staged numbers of the places to which records refer, in the order of D17. Marks their water sources, since one to
 * which only a site refers is a lookup of the page too (D24).
 */
function orderPlaces({ definition, referenced }: StagedAmounts, staging: Staging): Uint32Array {
  const order = new Uint32Array(staging.lastNumber(definition.placeTable));
  let count = 0;
  for (const { number, waterSources } of staging.placeOrder(definition.placeTable)) {
    if (!referenced.has(definition.placeTable, number)) continue;
    order[count++] = number;
    for (const source of waterSources) referenced.mark('watersources', source);
  }
  return order.subarray(0, count);
}

async function addLookupSources(input: BuildInput, sources: SourceTextWriter): Promise<void> {
  for (const { file, source } of lookupSources(input)) {
    sources.add(file, source);
    if (sources.isFull) await sources.drain();
  }
}

/** Those of all accepted lookup rows but of the release's places, which are added with them. */
function* lookupSources({
  staged,
  staging,
}: BuildInput): Iterable<{ readonly file: string; readonly source: string | Uint8Array }> {
  yield* staging.sources.all();
  for (const source of staging.relations.sources()) yield { file: lookupFiles.relations.name, source };
  for (const table of PLACE_TABLES) {
    if (table === staged.definition.placeTable) continue;
    for (const { source } of staging.stagedPlaces(table)) yield { file: lookupFiles[table].name, source };
  }
}

/** The rows that become records, in canonical order; rejects the others. */
function* recordRows({ staged: { definition, findings }, staging, progress }: BuildInput): Iterable<StagedAmount> {
  for (const outcome of resolveKeys(staging.amounts(definition.kind))) {
    progress.step();
    const { amount } = outcome;
    if (outcome.kind === 'record') yield amount;
    else {
      // Written by stageAmounts.
      const warnings = amount.warnings === '' ? [] : (amount.warnings.split(' ') as RuleName[]);
      findings?.rejectAccepted(amount.line, keyFinding(outcome, definition), warnings);
    }
  }
}

/** Says which other row has a row's key, or that none has; the value is the cells of the key as the file has them. */
function keyFinding(
  outcome: Exclude<KeyOutcome, { kind: 'record' }>,
  { file, keyColumns }: AmountDefinition,
): RowFinding {
  const { source, line: ownLine } = outcome.amount;
  const cells = cellsOfSource(source.toString());
  const names = Object.keys(file.columns);
  const key = keyColumns.map((column) => cells[names.indexOf(column)]?.trim());
  if (key.includes(undefined)) throw new Error(`the source of line ${ownLine} does not have the columns of its file`);
  const value = key.filter((cell) => cell !== '').join(', ');
  if (outcome.kind === 'nothing-to-delete') return { rule: 'nothing-to-delete', column: null, value };
  const { line, source: first } = outcome.first;
  if (first.equals(source))
    return { rule: 'duplicate-amount', column: null, value: `a copy of line ${line}: ${value}` };
  const firstCells = cellsOfSource(first.toString());
  const amounts = names.flatMap((name, index) => {
    if (file.columns[name]?.type !== 'amount') return [];
    const [there = '', here = ''] = [firstCells[index]?.trim(), cells[index]?.trim()];
    return [`${name} ${there === '' ? '(empty)' : there} there, ${here === '' ? '(empty)' : here} here`];
  });
  return { rule: 'duplicate-amount', column: null, value: `as line ${line} (${amounts.join('; ')}): ${value}` };
}
