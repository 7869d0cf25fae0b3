// Builds a release from staged rows: numbers and writes its lookups, writes its records in canonical order (D17), and
// indexes them in the same pass (docs/release-layout.md). Nothing of it is readable until the
// caller finishes the writer.

import { join } from 'node:path';
import { dataSetLayouts } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/records';
import { recordKey } from '../../shared/records/feature-ids';
import { hashOfDigest } from '../../shared/search/index/hashes';
import type { DataStatement } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type ReleaseFacts, type ReleaseWriter } from '../../shared/store/port';
import { TextFile } from '../../shared/store/text-file';
import { digestNameOf } from '../../shared/values/digest';
import {
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
  type EffectivePeriod,
  isReversed,
} from '../format/amount-definitions';
import { RowShape } from '../format/column';
import type { RowFinding } from '../format/findings';
import { lookupFiles, type VariableRow } from '../format/submission-files';
import type { StagedAmounts } from '../read/amount-rows';
import { cellsOf } from '../read/csv';
import type { LoadProgress } from '../stage/progress';
import { SourceTextWriter } from '../stage/source-text';
import { type KeyOutcome, resolveKeys } from '../stage/staged-amounts';
import { SortedRuns } from '../stage/sorted-runs';
import type { LookupTable } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import { NameIndexWriter } from './name-index';
import { PlaceColumnsWriter, PlaceSeriesWriter } from './place-columns';
import { PlaceIndexWriter } from './place-index';
import { IdentifierTerms, PostingLists, StagedTerms } from './posting-lists';
import { ColumnFile, RecordColumns, writeKeyHashChunks } from './record-columns';
import { RecordIndex } from './record-index';
import { contentFingerprint, keyFingerprint, LookupDigests, ReleaseDigest } from './release-digests';
import type { UseCategories } from '../../shared/records/use-categories';
import { startRecordWriter } from './release-json';
import { ReleaseLookups } from './release-lookups';
import { addInTurns, type ObservedPlace, writeLookups } from './write-lookups';

/** A record as it was built. */
export interface ObservedRecord {
  /** keyFingerprint of its key. */
  readonly key: number;
  /** Its JSON text in UTF-8. */
  readonly json: Uint8Array;
  /** contentFingerprint of `json`. */
  readonly fingerprint: number;
  readonly variable: VariableRow;
  /** The primary use is among them. */
  readonly uses: readonly string[];
  /** In the order of the kind's definition. */
  readonly measures: readonly (number | null)[];
  /** The effective dates (D7). */
  readonly period: EffectivePeriod | undefined;
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

/** Returns the facts with which the caller finishes the writer. */
export async function buildRelease(input: BuildInput): Promise<ReleaseFacts> {
  const { staged, staging, organization, statement, writer, observer, progress } = input;
  const { kind } = staged.definition;
  progress.startStage(`writing ${kind}`, staged.rows);
  // Amounts are staged with the numbers of what they refer to.
  staging.endAdding();
  const parts = openParts(input);
  const { placeTexts, placeTerms, names, identifiers, sources, index, lookups, digest, digests, keyHashes } = parts;
  try {
    await writeLookups({ ...input, ...parts });
    await addInTurns(lookupSources(input), writer, ({ file, source }) => sources.add(file, source));
    await writeRecords(input, parts);
    placeTexts.close();
    sources.finish();
    await index.finish(writer, { placeTerms, identifiers, names });
    await names.finish(writer);
  } finally {
    placeTexts.close();
    placeTerms.close();
    parts.relationsOfUses.close();
    names.close();
    identifiers?.close();
  }
  if (kind !== 'WaterAllocations') writeKeyHashChunks(keyHashes, writer);
  observer.finish(writer);
  return {
    releaseId: digest.finish(digests.ofReferenced()),
    formatVersion: FORMAT_VERSION,
    organization,
    dataSet: kind,
    statement,
    records: index.records,
    lookups: lookups.counts,
    ...index.extent(),
  };
}

type ReleaseParts = ReturnType<typeof openParts>;

function openParts({ staged, organization, statement, staging, writer, categoriesOf }: BuildInput) {
  const { definition } = staged;
  const { kind } = definition;
  const { folder } = staging;
  const postings = new PostingLists();
  const columns = new RecordColumns(kind, writer);
  const lookups = new ReleaseLookups({ staged, staging, categoriesOf, postings, columns });
  const places = lookups.countOf(dataSetLayouts[kind].placeKind);
  const indexed = {
    ...{ lookups, postings, columns },
    placeIndex: new PlaceIndexWriter(writer, folder, places),
    placeColumns: new PlaceColumnsWriter(kind, places, postings),
    placeSeries: new PlaceSeriesWriter(kind, places),
  };
  const { OrganizationState: organizationState } = organization;
  const index = new RecordIndex({ ...indexed, definition, organizationState, folder });
  return {
    ...{ ...indexed, index },
    sources: new SourceTextWriter(writer),
    placeTexts: new TextFile(join(folder, 'places')),
    placeTerms: new StagedTerms(join(folder, 'place_terms')),
    relationsOfUses: new SortedRuns(join(folder, 'relations_of_uses'), 1),
    names: new NameIndexWriter(folder),
    identifiers: kind === 'WaterAllocations' ? new IdentifierTerms(join(folder, 'record_terms')) : undefined,
    digest: new ReleaseDigest({ dataSet: kind, organization, statement }),
    digests: new LookupDigests(),
    keyHashes: new ColumnFile(join(folder, 'key-hashes'), Uint32Array),
  };
}

/** Makes the record of each row, and indexes it. */
async function writeRecords(input: BuildInput, parts: ReleaseParts): Promise<void> {
  const { writer, staged, observer, organization } = input;
  const { definition } = staged;
  const { kind, file } = definition;
  const { index, sources, placeTexts, names, identifiers, digest, digests, keyHashes } = parts;
  const shape = new RowShape(file);
  const recordWriter = startRecordWriter[kind]((rank) => placeTexts.text(rank));
  await addInTurns(recordRows(input), writer, ({ amount, references: staged }) => {
    sources.add(file.name, amount.source);
    const row = shape.read(amount.row) as CommonAmountRow; // The file is one of amounts.
    const { record: number, references, waterSource, places, ...indexed } = index.add(row, staged);
    const written = recordWriter.write(row, { variable: indexed.variable, waterSource }, places);
    // The rows of a data set are those of its file.
    if (identifiers !== undefined) {
      const right = row as AllocationRow;
      identifiers.add(number, right);
      names.addRight(right);
    } else {
      const key = recordKey(dataSetLayouts[kind], organization.OrganizationUUID, written.record);
      keyHashes.add(hashOfDigest(digestNameOf(key)));
    }
    const json = Buffer.from(written.json);
    digest.addRecord(json);
    digests.addReferences(references);
    const fingerprints = { key: keyFingerprint(amount.key), fingerprint: contentFingerprint(json) };
    observer.addRecord({ ...indexed, ...fingerprints, json, isReversed: isReversed(definition.shownDates(row)) });
    writer.addFragment('records', json, references);
    return amount.source.length + json.length;
  });
}

interface SourceRow {
  readonly file: string;
  readonly source: string | Uint8Array;
}

/** Those of lookups that are no places. */
const OTHER_TABLES = ['beneficialuses', 'methods', 'organizations', 'variables', 'watersources', 'relations'] as const;

/** Those of all accepted lookup rows but of the release's places, which are added with them. */
function* lookupSources({ staged, staging }: BuildInput): Iterable<SourceRow> {
  for (const table of OTHER_TABLES) yield* sourcesOf(table, staging);
  yield* sourcesOf(staged.definition.placeTable === 'sites' ? 'reportingunits' : 'sites', staging);
}

function* sourcesOf(table: LookupTable, staging: Staging): Iterable<SourceRow> {
  for (const { source } of staging.lookups(table).rows()) yield { file: lookupFiles[table].name, source };
}

/** The rows that become records, in canonical order; rejects the others. */
function* recordRows({
  staged: { definition, findings },
  staging,
  progress,
  observer,
}: BuildInput): Iterable<Extract<KeyOutcome, { kind: 'record' }>> {
  for (const outcome of resolveKeys(staging.amounts(definition.kind))) {
    progress.step();
    const { amount } = outcome;
    if (outcome.kind === 'record') yield outcome;
    else if (outcome.kind === 'deleted') observer.addDeletion(keyFingerprint(amount.key));
    else findings?.rejectAccepted(amount.line, keyFinding(outcome, definition), amount.warnings);
  }
}

/** Says which other row has a row's key, or that none has; the value is the cells of the key as the file has them. */
function keyFinding(
  outcome: Exclude<KeyOutcome, { kind: 'record' | 'deleted' }>,
  { file, keyColumns }: AmountDefinition,
): RowFinding {
  const { source, line: ownLine } = outcome.amount;
  const cells = cellsOf(source.toString());
  const names = Object.keys(file.columns);
  const key = keyColumns.map((column) => cells[names.indexOf(column)]?.trim());
  if (key.includes(undefined)) throw new Error(`the source of line ${ownLine} does not have the columns of its file`);
  const value = key.filter((cell) => cell !== '').join(', ');
  if (outcome.kind === 'nothing-to-delete') return { rule: 'nothing-to-delete', column: null, value };
  const { line, source: first } = outcome.first;
  if (first.equals(source))
    return { rule: 'duplicate-amount', column: null, value: `a copy of line ${line}: ${value}` };
  const firstCells = cellsOf(first.toString());
  const amounts = names.flatMap((name, index) => {
    if (file.columns[name]?.type !== 'amount') return [];
    const [there = '', here = ''] = [firstCells[index]?.trim(), cells[index]?.trim()];
    return [`${name} ${there === '' ? '(empty)' : there} there, ${here === '' ? '(empty)' : here} here`];
  });
  return { rule: 'duplicate-amount', column: null, value: `as line ${line} (${amounts.join('; ')}): ${value}` };
}
