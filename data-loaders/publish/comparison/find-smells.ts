// Finds what a person should look at in a release, its smells (submissions.md, 5), each with a sentence that counts
// and the first examples.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { stateName } from '../../../shared/values/states';
import type { Difference, Smell } from '../../format/comparison-members';
import { SMELL_LIMITS } from '../../format/smell-texts';
import { counted, grouped } from '../../format/report';
import type { PlaceExample, PlaceFindings } from './place-comparison';
import { isJump, type RecordFindings } from './record-comparison';
import { differencesOf, identityOf, type RecordPair } from './record-examples';
import { measuresOfKind } from './totals';

export interface SmellSubjects {
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
  const share = ((records.removed / records.formerRecords) * 100).toFixed(1);
  return {
    smell: 'records-gone',
    sentence: `${counted(records.removed, 'record')} of the ${grouped(records.formerRecords)} of the former release ${isOrAre(records.removed)} gone (${share} percent).`,
    count: records.removed,
    examples: [],
  };
}

function placesMoved({ kind, places }: SmellSubjects): Smell | undefined {
  if (places.moved === 0) return undefined;
  return {
    smell: 'place-moved',
    sentence: `${counted(places.moved, placeNoun(kind))} ${isOrAre(places.moved)} more than ${SMELL_LIMITS.movedDegrees} degree from where the former release has ${places.moved === 1 ? 'it' : 'them'}.`,
    count: places.moved,
    examples: places.movedExamples.map((example) => placeExample(kind, example)),
  };
}

function amountsJumped({ kind, records, jumps }: SmellSubjects): Smell | undefined {
  if (records === undefined || records.jumped === 0) return undefined;
  const measures = measuresOfKind[kind];
  return {
    smell: 'amount-jumped',
    sentence: `${counted(records.jumped, 'record')} ${records.jumped === 1 ? 'has' : 'have'} an amount that moved by a factor of ${SMELL_LIMITS.jumpFactor} or more.`,
    count: records.jumped,
    examples: jumps.flatMap(({ before, after }) => {
      const jumped = differencesOf(before, after).filter(
        (difference) => measures.includes(difference.member) && isJumpOf(difference),
      );
      return jumped.map((difference) => ({ identity: identityOf(kind, after), ...difference }));
    }),
  };
}

function timeframesReversed({ timeframes }: SmellSubjects): Smell | undefined {
  if (timeframes.reversed === 0 || timeframes.reversed < timeframes.whole) return undefined;
  return {
    smell: 'timeframes-reversed',
    sentence: `TimeframeStart is after TimeframeEnd in ${timeframes.whole === 1 ? 'the one record' : `each of the ${grouped(timeframes.whole)} records`} with both dates.`,
    count: timeframes.reversed,
    examples: [],
  };
}

function outsideState({ kind, state, places }: SmellSubjects): Smell | undefined {
  if (places.outside === 0) return undefined;
  return {
    smell: 'outside-state',
    sentence: `${counted(places.outside, placeNoun(kind))} ${places.outside === 1 ? 'lies' : 'lie'} more than ${SMELL_LIMITS.outsideDegrees} degrees outside the box around ${stateName(state)}.`,
    count: places.outside,
    examples: places.outsideExamples.map((example) => placeExample(kind, example)),
  };
}

function placeExample(kind: DataSetKind, { id, before, after }: PlaceExample): Smell['examples'][number] {
  const member = kind === 'AggregatedAmounts' ? 'ReportingUnitUUID' : 'SiteUUID';
  const identity = { [member]: id };
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

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
