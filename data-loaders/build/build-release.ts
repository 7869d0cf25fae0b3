// Builds a release from staged rows: numbers and writes its lookups, writes its records in canonical order (D17), and
// indexes them in the same pass (architecture.md, "How a release is laid out"). Nothing of it is readable until the
// caller finishes the writer.

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import type { DataStatement } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseFacts, type ReleaseWriter } from '../../shared/store/port';
import type { Box } from '../../shared/values/geometry';
import type { AmountDefinition } from '../format/amount-definitions';
import type { RowFinding } from '../format/findings';
import { lookupFiles, type VariableRow } from '../format/submission-files';
import type { RuleName } from '../format/rules';
import type { StagedAmounts } from '../read/amount-rows';
import { cellsOfSource } from '../read/rows/visited-row';
import type { LoadProgress } from '../stage/progress';
import { SourceTextWriter } from '../stage/source-text';
import { PLACE_TABLES } from '../stage/staged-places';
import { readReferences, resolveKeys, type KeyOutcome, type StagedAmount } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import { PlaceColumnsWriter } from './columns/place-columns-writer';
import { PlaceSeriesWriter } from './columns/place-series-writer';
import { RecordColumns } from './columns/record-columns';
import { SiteDetailsWriter } from './columns/site-details-writer';
import { keyFingerprint } from './index/fingerprints';
import { IdentifierPostings } from './index/terms/identifier-terms';
import { KeyHashWriter } from './index/key-hash-writer';
import { LookupNumbers } from './index/lookup-numbers';
import { PlaceIndexWriter } from './index/place-index-writer';
import { PlaceSummaries } from './index/terms/place-summaries';
import { PostingLists } from './index/terms/posting-lists';
import { RecordIndex } from './index/record-index';
import { ReleaseLookups, type FoundLookups } from './index/release-lookups';
import { startBuilder } from './pending-batches';
import { RecordBatches, type BuiltRecord } from './record-batches';
import type { FinishedRecords } from './record-builder';
import type { UseCategories } from './records/lookup-json';
import { LookupDigests } from './release-digest';
import { writeLookups } from './write-lookups';

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
  const numbers = new LookupNumbers(
    lookupKindsOf(dataSetLayouts[kind]),
    staging,
    referenced,
    orderPlaces(staged, staging),
  );
  const postings = new PostingLists();
  const places = new PlaceIndexWriter(writer, staging.folder);
  const columns = new RecordColumns(kind, writer);
  const placeCount = numbers.countOf(dataSetLayouts[kind].placeKind);
  const placeColumns = new PlaceColumnsWriter(placeCount);
  const placeSeries = new PlaceSeriesWriter(kind, placeCount);
  const siteDetails = new SiteDetailsWriter(kind, placeCount);
  const summaries = new PlaceSummaries(postings);
  const indexed = {
    ...{ definition, organizationState, staging, postings, columns, placeColumns, placeSeries, siteDetails },
    ...{ summaries, numbers, categoriesOf },
  };
  const lookups = new ReleaseLookups(indexed);
  const index = new RecordIndex(indexed, places, lookups);
  const rows = staged.rows + staging.lastNumber(definition.placeTable);
  const identity = { dataSet: kind, organization, statement };
  const builder = startBuilder({ ...identity, folder: staging.folder }, rows);
  return {
    ...indexed,
    digests: new LookupDigests(),
    keyHashes: new KeyHashWriter(staging.folder),
    places,
    lookups,
    index,
    builder,
  };
}

async function writeContent(input: BuildInput, release: OpenRelease): Promise<FinishedRecords> {
  const { staged, writer, observer } = input;
  const sources = new SourceTextWriter(writer);
  await writeLookups({ ...release, writer, observer, referenced: staged.referenced, sources });
  await addLookupSources(input, sources);
  const finished = await writeRecords(input, release, sources);
  await sources.finish();
  const { builder, index, definition } = release;
  const identifiers =
    definition.kind === 'WaterAllocations' ? new IdentifierPostings(() => builder.nextPostings()) : undefined;
  await index.finish(writer, finished.placeTerms, identifiers);
  return finished;
}

/** Sends each row to the record builder, and indexes it when it comes back. */
async function writeRecords(
  input: BuildInput,
  { digests, keyHashes, lookups, index, builder }: OpenRelease,
  sources: SourceTextWriter,
): Promise<FinishedRecords> {
  const { writer, observer, staged } = input;
  const batches = new RecordBatches<{ found: FoundLookups; key: number }>(builder, {
    combinations: (added) => {
      index.addCombinations(added);
    },
    record: (built, { found, key }) => {
      const { uses, references } = index.add(found, built.values);
      digests.addReferences(references);
      const { measures, isReversed } = built.values;
      observer.addRecord({ key, variable: found.variable.row, uses, measures, isReversed }, built);
      writer.addRecord(built.json, references);
      keyHashes.add(built.keyHash);
    },
  });
  for (const amount of recordRows(input)) {
    const found = lookups.find(readReferences(amount));
    const row = { row: amount.row, lookups: lookups.recordLookups(found), places: found.places };
    batches.add(row, { found, key: keyFingerprint(amount.key) });
    sources.add(staged.definition.file.name, amount.source);
    if (sources.isFull) await sources.drain();
    if (!batches.isBatchFull) continue;
    await batches.send();
    await writer.drain();
  }
  return batches.finish(() => digests.ofReferenced());
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
  const relation = first.equals(source) ? 'a copy of' : 'as';
  return { rule: 'duplicate-amount', column: null, value: `${relation} line ${line}: ${value}` };
}
