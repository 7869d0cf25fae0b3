// Compares a release with the previous release while it is being built (ADR 0066), and finds quality warnings. Records
// of both releases are not kept in memory, and only a few examples are read again. The data for the next comparison are
// stored with the release.

import type { DataSetKind } from '../../shared/records/data-sets';
import type { ReleaseWriter } from '../../shared/store/port';
import { type Day, formatIsoDate } from '../../shared/values/dates';
import { getStateName } from '../../shared/values/states';
import { FingerprintBuilder } from '../build/fingerprints';
import type { ReleaseInput } from '../build/release-lookups';
import type { ObservedPlace, ObservedRecord, ReleaseObserver } from '../build/release-observer';
import { CountedExamples } from '../format/counted-examples';
import { type QualityWarningName, WARNING_LIMITS } from '../format/quality-warnings';
import type { DataSetOutcome, Difference, Hold, QualityWarning, UncategorizedUse } from '../format/report';
import { formatCount, formatNumber, formatPercent } from '../format/report-numbers';
import { FilledColumns, findColumnsGone } from './filled-columns';
import { findRecordHolds, listDifferences } from './holds';
import { formatDegree, PlaceComparison, type PlaceExample } from './place-comparison';
import { getPlaceWords } from './place-words';
import { type PreviousRelease } from './previous-release';
import { isJump, type RecordChanges, RecordComparison } from './record-comparison';
import { identifyRecord, parseRecord } from './record-differences';
import { compareTotals, measureNames, TotalsBuilder } from './totals';

/** The members of a data set's outcome that come from the comparison. */
export type ComparedMembers = Pick<
  DataSetOutcome,
  'change' | 'examples' | 'totals' | 'qualityWarnings' | 'holds' | 'uncategorizedUses'
>;

/** The members for a data set that was not compared because it is unchanged. */
export const NOT_COMPARED: ComparedMembers = {
  change: null,
  examples: null,
  totals: null,
  qualityWarnings: [],
  holds: [],
  uncategorizedUses: [],
};

/** The result if the previous release was unreadable but had the same content. */
export function clearChanges(compared: ComparedMembers): ComparedMembers {
  const { totals } = compared;
  return {
    ...compared,
    change: { added: 0, removed: 0, changed: 0 },
    examples: { added: [], removed: [], changed: [] },
    totals: totals && {
      ...totals,
      variables: totals.variables.map((total) => ({ ...total, before: total.after })),
      uses: totals.uses.map((total) => ({ ...total, before: total.after })),
    },
  };
}

export class ReleaseComparison implements ReleaseObserver {
  private readonly fingerprints: FingerprintBuilder;
  private readonly totals: TotalsBuilder;
  private readonly filled: FilledColumns;
  private readonly places: PlaceComparison;
  private readonly records: RecordComparison | undefined;
  /** The number of records with both dates, and the number of those that start after their end. */
  private readonly timeframes = { complete: 0, reversed: 0 };
  /** Rights with a priority date in the future. */
  private readonly futurePriorities = new CountedExamples<QualityWarning['examples'][number]>();
  private readonly kind: DataSetKind;
  /** Two-letter code of the organization's state. */
  private readonly state: string;

  /** Data that grow with the number of records are kept in files in the folder of the staged rows. */
  constructor(
    private readonly input: Omit<ReleaseInput, 'writer'>,
    private readonly previous: PreviousRelease | undefined,
    private readonly submissionDay: Day,
  ) {
    const { folder } = input.staging;
    this.kind = input.staged.definition.kind;
    this.state = input.organization.OrganizationState;
    const measures = measureNames[this.kind];
    this.fingerprints = new FingerprintBuilder(folder, measures.length);
    this.totals = new TotalsBuilder(measures);
    this.filled = new FilledColumns(input.staged.definition.file);
    this.places = new PlaceComparison(this.kind, this.state, previous?.positions, folder);
    this.records = previous && new RecordComparison(this.kind, previous);
  }

  addPlace(place: ObservedPlace): void {
    this.places.add(place);
  }

  addDeletion(key: number): void {
    this.records?.addDeletion(key);
  }

  addRecord(record: ObservedRecord): void {
    const { key, json, fingerprint, variable, uses, measures, period, places, isReversed } = record;
    this.fingerprints.add(key, fingerprint, measures, places.length);
    this.filled.add(record.row);
    this.records?.add(record);
    const { VariableSpecificUUID: uuid, VariableSpecificCV: name, AmountUnitCV } = variable;
    // The names of an allocation's measures include the unit.
    const unit = this.kind === 'WaterAllocations' ? null : AmountUnitCV;
    this.totals.add({ uuid, name, unit }, uses, measures);
    if (this.kind === 'WaterAllocations') this.addPriority(json, period);
    if (isReversed === undefined) return;
    this.timeframes.complete++;
    if (isReversed) this.timeframes.reversed++;
  }

  private addPriority(json: Uint8Array, period: ObservedRecord['period']): void {
    if (period === undefined || period.first <= this.submissionDay) return;
    this.futurePriorities.add(() => ({
      identity: identifyRecord(this.kind, parseRecord(json)),
      member: 'AllocationPriorityDate',
      before: null,
      after: formatIsoDate(period.first),
    }));
  }

  /** Writes the data for the next comparison. Must be called after all places and records were added. */
  finish(writer: ReleaseWriter): void {
    writer.addArtifact('fingerprints', this.fingerprints.pieces());
    writer.addArtifact('totals', [Buffer.from(JSON.stringify(this.totals.build(this.filled.build())))]);
    writer.addArtifact('positions', this.places.pieces());
  }

  /**
   * Returns the result. Must be called after all records were added. `unreadable` are the holds for unreadable columns.
   */
  async result(unreadable: readonly Hold[]): Promise<ComparedMembers> {
    const { previous } = this;
    const changes = previous && (await this.records?.changes(previous.reader));
    const { added, removed, changed } = changes ?? { added: this.fingerprints.count, removed: 0, changed: 0 };
    // The members are in the order of the report.
    return {
      change: { added, removed, changed },
      examples: changes?.examples ?? null,
      totals: compareTotals(previous?.totals, this.totals.build(this.filled.build())),
      qualityWarnings: this.buildWarnings(changes).filter(({ count }) => count > 0),
      holds: [...unreadable, ...(await this.findHolds(changes, unreadable))],
      uncategorizedUses: this.findUncategorizedUses(),
    };
  }

  private async findHolds(changes: RecordChanges | undefined, unreadable: readonly Hold[]): Promise<readonly Hold[]> {
    const losses = [...findRecordHolds(this.kind, changes), ...(await this.findPlaceLosses(changes))];
    const before = this.previous?.totals?.filled;
    const columns =
      before === undefined || changes === undefined
        ? []
        : findColumnsGone({ before, after: this.filled.build(), removed: changes.removed }, [...unreadable, ...losses]);
    return [...losses, ...columns, ...this.places.findHolds()];
  }

  /** The holds for places that are gone, and for lost positions and relations of remaining places. */
  private async findPlaceLosses(changes: RecordChanges | undefined): Promise<readonly Hold[]> {
    const { previous, input } = this;
    if (previous === undefined || changes === undefined) return [];
    const { deletedRelations } = input.staged;
    const { ofGoneRecords = changes.removed > 0 ? Infinity : 0 } = changes.links;
    return this.places.findLosses({ deletedRelations, linksOfGoneRecords: ofGoneRecords }, previous.reader);
  }

  /** All possible warnings. A warning with a count of zero does not apply. */
  private buildWarnings(changes: typeof NO_CHANGES = NO_CHANGES): readonly QualityWarning[] {
    const { kind, state, timeframes, futurePriorities } = this;
    const { moved, outside } = this.places;
    const { twoDigitPriorities } = this.input.staged;
    const { jumpFactor, movedDegrees, outsideDegrees, shareGone } = WARNING_LIMITS;
    const { removed, previousRecords, jumped } = changes;
    const { complete, reversed } = timeframes;
    const { noun } = getPlaceWords(kind);
    return [
      buildWarning(
        'records-gone',
        removed > previousRecords * shareGone ? removed : 0,
        `${formatCount(removed, 'record')} of the ${formatNumber(previousRecords)} of the previous release ${choose(removed, 'is', 'are')} gone (${formatPercent(removed / previousRecords)}).`,
      ),
      buildWarning(
        'place-moved',
        moved.count,
        `${formatCount(moved.count, noun)} ${choose(moved.count, 'is', 'are')} more than ${movedDegrees} degree from ${choose(moved.count, 'its position', 'their positions')} in the previous release.`,
        moved.examples.map((place) => toPlaceExample(kind, place)),
      ),
      buildWarning(
        'amount-jumped',
        jumped.count,
        `${formatCount(jumped.count, 'record')} ${choose(jumped.count, 'has', 'have')} an amount that moved by a factor of ${jumpFactor} or more.`,
        listDifferences(jumped.examples, (difference) => isMeasureJump(kind, difference)),
      ),
      buildWarning(
        'timeframes-reversed',
        reversed === complete ? reversed : 0,
        `TimeframeStart is after TimeframeEnd in ${choose(complete, 'the one record', `each of the ${formatNumber(complete)} records`)} with both dates.`,
      ),
      buildWarning(
        'priority-of-two-digits',
        twoDigitPriorities,
        `${formatCount(twoDigitPriorities, 'row')} ${choose(twoDigitPriorities, 'has', 'have')} an AllocationPriorityDate with a two-digit year, read as a year from 1930 to 2029.`,
      ),
      buildWarning(
        'priority-to-come',
        futurePriorities.count,
        `${formatCount(futurePriorities.count, 'right')} ${choose(futurePriorities.count, 'has', 'have')} a priority date after the day of the submission.`,
        futurePriorities.examples,
      ),
      buildWarning(
        'outside-state',
        outside.count,
        `${formatCount(outside.count, noun)} ${choose(outside.count, 'is', 'are')} more than ${outsideDegrees} degrees outside the box around ${getStateName(state)}.`,
        outside.examples.map((place) => toPlaceExample(kind, place)),
      ),
    ];
  }

  /** Uses without a USGS category. Those with the most records come first. */
  private findUncategorizedUses(): readonly UncategorizedUse[] {
    const uncategorized = [...this.totals.countRecordsByUse()].flatMap(([use, records]) => {
      const { usgs, primaryUse } = this.input.findUseCategories(use);
      return usgs === null ? [{ use, records, primaryUse }] : [];
    });
    return uncategorized.sort((a, b) => b.records - a.records || (a.use < b.use ? -1 : 1));
  }
}

/** The changes for a first release. */
const NO_CHANGES: Pick<RecordChanges, 'removed' | 'previousRecords' | 'jumped'> = {
  removed: 0,
  previousRecords: 0,
  jumped: { count: 0, examples: [] },
};

function buildWarning(
  name: QualityWarningName,
  count: number,
  sentence: string,
  examples: QualityWarning['examples'] = [],
): QualityWarning {
  return { name, sentence, count, examples };
}

function isMeasureJump(kind: DataSetKind, { member, before, after }: Difference): boolean {
  const isMeasure = measureNames[kind].includes(member) && typeof before === 'number' && typeof after === 'number';
  return isMeasure && isJump(before, after);
}

function toPlaceExample(kind: DataSetKind, { id, before, after }: PlaceExample): QualityWarning['examples'][number] {
  const identity = { [getPlaceWords(kind).member]: id };
  return {
    identity,
    member: null,
    before: before === undefined ? null : formatPosition(before),
    after: formatPosition(after),
  };
}

function formatPosition(position: readonly number[]): string {
  return position.map(formatDegree).join(' ');
}

function choose(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
