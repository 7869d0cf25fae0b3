// From staged rows to a release: lookups numbered and written, records in canonical order (D17), the whole index made in the
// same pass (design.md, section 4). Nothing is readable until the caller finishes the writer.

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import { PeriodColumnBuilder, writePeriodColumn } from '../../shared/search/period-column';
import { FORMAT_VERSION, type ReleaseFacts, type ReleaseWriter } from '../../shared/store/port';
import { isoDateOfDay } from '../../shared/values/dates';
import type { ComparedRecord, ReleaseComparison } from '../publish/comparison/release-comparison';
import { keyFingerprint } from './index/fingerprints';
import { LookupNumbers, tableOfKind } from './index/lookup-numbers';
import { OwnTerms } from './index/own-terms';
import { PlaceWriter } from './index/place-writer';
import { TermIndex } from './index/term-index';
import { termsOf } from './index/term-sources';
import { rowShapeOf } from '../format/row-shape';
import { LookupContext, type ResolvedPlace, type ResolvedRow, type ResolvedSource } from './records/lookup-context';
import { periodOfDay, type AllocationRow, type CommonAmountRow } from '../format/amount-definitions';
import type { SiteRow } from '../format/lookup-files';

import { repeatedLookups, type RepeatedLookups } from './records/repeated-lookups';
import { unstageRow } from '../stage/staged-row';
import type { UseCategories } from './records/use-categories';
import type { LoadProgress } from '../stage/progress';
import type { RuleName } from '../format/rules';
import type { StagedAmount, Staging } from '../stage/staging';
import type { StagedAmounts } from '../read/amount-rows';
import { References } from '../stage/references';
import { LookupDigests } from './content-digest';
import { keyFinding } from './key-finding';
import { RecordLine } from './record-line';
import { resolveKeys } from '../stage/resolve-keys';
import { writeLookups } from './write-lookups';
import { SourceTextWriter } from '../stage/source-text';

export interface BuiltRelease {
  readonly facts: ReleaseFacts;
  readonly comparison: ReleaseComparison;
}

export interface BuildInput {
  readonly staged: StagedAmounts;
  readonly organization: Organization;
  readonly staging: Staging;
  readonly writer: ReleaseWriter;
  readonly categoriesOf: (use: string) => UseCategories;
  /** Fed with every place and record of the release. */
  readonly comparison: ReleaseComparison;
  readonly progress: LoadProgress;
}

/** What is known of a record before its text is made. */
interface IndexedRecord {
  readonly references: readonly number[];
  readonly compared: ComparedRecord;
}

export async function buildRelease(input: BuildInput): Promise<BuiltRelease> {
  const { staged, organization, staging, writer, categoriesOf, comparison, progress } = input;
  const { definition, referenced } = staged;
  markSourcesOfSites(staged, staging);
  const numbers = new LookupNumbers(lookupKindsOf(dataSetLayouts[definition.kind]), staging, referenced);
  const digests = new LookupDigests();
  const terms = new TermIndex();
  const places = new PlaceWriter(definition.kind, writer, staging, (id, box) => {
    comparison.addPlace(id, box);
  });
  const { OrganizationState: state } = organization;
  const context = new LookupContext(
    definition.kind,
    definition.placeTable,
    staging,
    numbers,
    terms,
    state,
    categoriesOf,
  );
  const organizationLists = terms.listsOf(termsOf(definition.kind, 'organization', { state }));
  const ownTerms = new OwnTerms(terms, staging);
  const periods = new PeriodColumnBuilder();
  const publications = new PeriodColumnBuilder();

  progress.startStage(`writing ${definition.kind}`, staged.rows);
  writeLookups({ kind: definition.kind, staging, referenced, numbers, context, writer, digests, places, categoriesOf });
  keepLookupSources(staging, writer);

  const shape = rowShapeOf(definition.file);
  let records = 0;
  let lookups: RepeatedLookups | undefined;
  const line = RecordLine.start<IndexedRecord>({ kind: definition.kind, organization }, staged.rows, {
    record: (made, { references, compared }) => {
      comparison.addRecord(compared, made);
      writer.addRecord(made.json, references);
    },
    sourcePiece: (piece) => {
      writer.addSourcePiece(definition.file.name, piece);
    },
  });
  let releaseId: string;
  try {
    for (const amount of recordRows(staged, staging, progress)) {
      const row = unstageRow(shape, amount.row);
      const resolved = resolve(row, definition.places(row), context);
      const references = indexRecord(records, row, resolved, context, places);
      for (const list of organizationLists) list.add(records);
      if (definition.kind === 'WaterAllocations') ownTerms.add(records, row as AllocationRow); // Rows of that kind.
      periods.add(definition.period(row));
      publications.add(periodOfDay(row.DataPublicationDate));
      digests.refer(references);
      const compared = {
        ...{ key: keyFingerprint(amount.key), variable: resolved.variable.row, uses: usesOf(row) },
        ...{ measures: definition.measures(row), isReversed: definition.isReversed(row) },
      };
      lookups = repeatedLookups(resolved, lookups);
      line.add(amount.row, amount.source, lookups, { references, compared });
      records++;
      if (!line.isBatchFull) continue;
      await line.pass();
      await writer.drain();
    }
    releaseId = await line.finish(() => digests.ofReferred());
  } finally {
    await line.close();
  }
  places.finish();
  ownTerms.finish(writer);
  terms.writeTo(writer);
  writer.addArtifact('periods', writePeriodColumn(periods.build()));
  writer.addArtifact('publications', writePeriodColumn(publications.build()));
  writer.addArtifact('vocabulary', Buffer.from(JSON.stringify(terms.vocabulary())));
  comparison.finish(writer);
  const extent = periods.extent();
  const lastPublication = publications.extent()?.last;
  const facts: ReleaseFacts = {
    releaseId,
    formatVersion: FORMAT_VERSION,
    organization,
    dataSet: definition.kind,
    records,
    lookups: numbers.counts,
    firstDay: extent === undefined ? null : isoDateOfDay(extent.first),
    lastDay: extent === undefined ? null : isoDateOfDay(extent.last),
    lastPublicationDay: lastPublication === undefined ? null : isoDateOfDay(lastPublication),
  };
  return { facts, comparison };
}

/** Water sources that only a site refers to are lookups of the page too (D24). */
function markSourcesOfSites({ definition, referenced }: StagedAmounts, staging: Staging): void {
  if (definition.placeTable !== 'sites') return;
  const references = new References(staging);
  for (const { number, row } of staging.lookups('sites')) {
    if (!referenced.has('sites', number)) continue;
    for (const id of (JSON.parse(row) as SiteRow).WaterSourceUUIDs) {
      // Staged by stageLookups.
      const source = references.find(tableOfKind.WaterSources, id);
      if (source !== undefined) referenced.mark('watersources', source);
    }
  }
}

/** All accepted lookup rows; those of the amounts file follow in canonical order. */
function keepLookupSources(staging: Staging, writer: ReleaseWriter): void {
  const sources = new SourceTextWriter((file, piece) => {
    writer.addSourcePiece(file, piece);
  });
  for (const { file, source } of staging.sources()) sources.add(file, source);
  sources.flush();
}

/** The rows that become records, in canonical order; the others are rejected. */
function* recordRows(
  { definition, findings }: StagedAmounts,
  staging: Staging,
  progress: LoadProgress,
): Iterable<StagedAmount> {
  for (const outcome of resolveKeys(staging.amounts(definition.kind))) {
    progress.step();
    const { amount } = outcome;
    if (outcome.kind === 'record') yield amount;
    else findings?.rejectAccepted(amount.line, keyFinding(outcome, definition), warningsOf(amount));
  }
}

function warningsOf({ warnings }: StagedAmount): readonly RuleName[] {
  return warnings === '' ? [] : (warnings.split(' ') as RuleName[]); // Written by stageAmounts.
}

function resolve(row: CommonAmountRow, placeIds: readonly string[], context: LookupContext): ResolvedRow {
  const places = placeIds.map((id) => context.place(id));
  return {
    places,
    variable: context.variable(row.VariableSpecificUUID),
    waterSource: waterSourceOf(row, places, context),
  };
}

/** An allocation's own source, else the first of its first site that has one (D27); an amount has its own or none. */
function waterSourceOf(
  row: CommonAmountRow,
  places: readonly ResolvedPlace[],
  context: LookupContext,
): ResolvedSource | undefined {
  if (row.WaterSourceUUID !== null) return context.waterSource(row.WaterSourceUUID);
  if (context.kind !== 'WaterAllocations') return undefined;
  const source = places.find(({ firstSource }) => firstSource !== null)?.firstSource;
  return source === undefined || source === null ? undefined : context.waterSource(source);
}

/** Adds the record to the posting lists of everything it refers to; returns the numbers of its lookups. */
function indexRecord(
  record: number,
  row: CommonAmountRow,
  { places, variable, waterSource }: ResolvedRow,
  context: LookupContext,
  placeWriter: PlaceWriter,
): readonly number[] {
  const references = [variable.number, context.method(row.MethodUUID)];
  for (const list of variable.lists) list.add(record);
  if (waterSource !== undefined) {
    references.push(waterSource.number);
    for (const list of waterSource.lists) list.add(record);
  }
  for (const place of places) {
    placeWriter.addRecord(record, place.rank);
    for (const list of place.lists) list.add(record);
    references.push(...place.references);
  }
  for (const use of usesOf(row)) {
    const resolved = context.use(use);
    references.push(resolved.number);
    for (const list of resolved.lists) list.add(record);
  }
  return references;
}

/** The primary use is one of the uses for filters and lookups alike (D13, D24). */
function usesOf(row: CommonAmountRow): readonly string[] {
  const { BeneficialUseCategory: uses, PrimaryUseCategory: primary } = row;
  return primary === null || uses.includes(primary) ? uses : [...uses, primary];
}
