// Finds what a person should look at in a release, its smells (submissions.md, 5), each with a sentence that counts
// and the first examples.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { stateName } from '../../../shared/values/states';
import { counted, grouped, type Difference, type Smell } from '../../format/report';
import { SMELL_LIMITS } from '../../format/smell-texts';
import type { PlaceExample, PlaceFindings } from './place-comparison';
import { isJump, type RecordFindings } from './record-comparison';
import { differencesOf, identityOf, type RecordPair } from './record-examples';
import { measuresOfKind } from './totals';

interface SmellSubjects {
  readonly kind: DataSetKind;
  /** Two-letter code of the organization's state. */
  readonly state: string;
  readonly places: PlaceFindings;
  /** How many records have both dates, and how many of these start after they end. */
  readonly timeframes: { readonly whole: number; readonly reversed: number };
  /** Undefined without a former release. */
  readonly records: RecordFindings | undefined;
  /** Examples of records whose amounts jumped. */
  readonly jumps: readonly RecordPair[];
}

export function findSmells(subjects: SmellSubjects): readonly Smell[] {
  return [
    recordsGone(subjects),
    placesMoved(subjects),
    amountsJumped(subjects),
    timeframesReversed(subjects),
    outsideState(subjects),
  ].filter((smell) => smell !== undefined);
}

function recordsGone({ records }: SmellSubjects): Smell | undefined {
  if (records === undefined || records.removed <= records.formerRecords * SMELL_LIMITS.shareGone) return undefined;
  const { removed: count, formerRecords } = records;
  const share = ((count / formerRecords) * 100).toFixed(1);
  const sentence = `${counted(count, 'record')} of the ${grouped(formerRecords)} of the former release ${form(count, 'is', 'are')} gone (${share} percent).`;
  return { smell: 'records-gone', sentence, count, examples: [] };
}

function placesMoved({ kind, places }: SmellSubjects): Smell | undefined {
  const { moved: count, movedExamples } = places;
  if (count === 0) return undefined;
  const sentence = `${counted(count, placeNoun(kind))} ${form(count, 'is', 'are')} more than ${SMELL_LIMITS.movedDegrees} degree from where the former release has ${form(count, 'it', 'them')}.`;
  const examples = movedExamples.map((example) => placeExample(kind, example));
  return { smell: 'place-moved', sentence, count, examples };
}

function amountsJumped({ kind, records, jumps }: SmellSubjects): Smell | undefined {
  if (records === undefined || records.jumped === 0) return undefined;
  const { jumped: count } = records;
  const sentence = `${counted(count, 'record')} ${form(count, 'has', 'have')} an amount that moved by a factor of ${SMELL_LIMITS.jumpFactor} or more.`;
  const examples = jumps.flatMap(({ before, after }) =>
    differencesOf(before, after)
      .filter((difference) => measuresOfKind[kind].includes(difference.member) && isJumpOf(difference))
      .map((difference) => ({ identity: identityOf(kind, after), ...difference })),
  );
  return { smell: 'amount-jumped', sentence, count, examples };
}

function timeframesReversed({ timeframes: { whole, reversed: count } }: SmellSubjects): Smell | undefined {
  if (count === 0 || count < whole) return undefined;
  const records = form(whole, 'the one record', `each of the ${grouped(whole)} records`);
  const sentence = `TimeframeStart is after TimeframeEnd in ${records} with both dates.`;
  return { smell: 'timeframes-reversed', sentence, count, examples: [] };
}

function outsideState({ kind, state, places }: SmellSubjects): Smell | undefined {
  const { outside: count, outsideExamples } = places;
  if (count === 0) return undefined;
  const sentence = `${counted(count, placeNoun(kind))} ${form(count, 'lies', 'lie')} more than ${SMELL_LIMITS.outsideDegrees} degrees outside the box around ${stateName(state)}.`;
  const examples = outsideExamples.map((example) => placeExample(kind, example));
  return { smell: 'outside-state', sentence, count, examples };
}

function placeExample(kind: DataSetKind, { id, before, after }: PlaceExample): Smell['examples'][number] {
  const identity = { [kind === 'AggregatedAmounts' ? 'ReportingUnitUUID' : 'SiteUUID']: id };
  return { identity, member: null, before: before === undefined ? null : degrees(before), after: degrees(after) };
}

/** Rounds to a meter, the precision of stored positions. */
function degrees(position: readonly number[]): string {
  return position.map((degree) => String(Number(degree.toFixed(5)))).join(' ');
}

function isJumpOf({ before, after }: Difference): boolean {
  return typeof before === 'number' && typeof after === 'number' && isJump(before, after);
}

function placeNoun(kind: DataSetKind): string {
  return kind === 'AggregatedAmounts' ? 'reporting unit' : 'site';
}

function form(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
