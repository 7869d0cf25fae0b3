// Finds why a submission is held (D64): what it would publish is probably wrong, so somebody is to confirm it with the
// code that its report ends with.

import type { DataSetKind } from '../../shared/records/data-sets';
import { digestNameOf } from '../../shared/values/digest';
import type { Box } from '../../shared/values/geometry';
import { readNumber, readPoint } from '../../shared/values/numbers';
import { stateName } from '../../shared/values/states';
import type { ObservedPlace } from '../build/build-release';
import {
  counted,
  CountedExamples,
  grouped,
  MAX_EXAMPLES_SHOWN,
  percent,
  type DataSetOutcome,
  type Difference,
  type Hold,
} from '../format/report';
import { HOLD_LIMITS, type HoldReason } from '../format/rules';
import { isOutsideState, statesAround, wordsOfPlaces } from './place-comparison';
import type { ChangedExample, RecordChanges } from './record-comparison';
import { measuresOfKind } from './totals';

/** How many records or places are concerned, of how many, and the first of them. */
type Share = Pick<Hold, 'count' | 'of' | 'examples'>;

/** The holds that follow from the records; none without a former release. */
export function recordHolds(kind: DataSetKind, changes: RecordChanges | undefined): readonly Hold[] {
  if (changes === undefined) return [];
  const { formerRecords, added, removed, gone, otherAmounts, otherPriorities } = changes;
  const staying = { of: formerRecords - removed };
  const isMeasure = ({ member }: Difference): boolean => measuresOfKind[kind].includes(member);
  const isPriority = ({ member }: Difference): boolean => member === 'AllocationPriorityDate';
  const amounts = { ...staying, count: otherAmounts.count, examples: membersOf(otherAmounts.examples, isMeasure) };
  const { count, examples } = otherPriorities;
  const priorities = { ...staying, count, examples: membersOf(examples, isPriority) };
  const lost = gone.examples.map((identity) => ({ identity, member: null, before: null, after: null }));
  return [
    ...goneHold({ count: gone.count, of: formerRecords, examples: lost }, added),
    ...mostHold('amounts-changed', amounts, ['record', 'that stay', 'have another amount']),
    ...mostHold('priorities-changed', priorities, ['right', 'that stay', 'have another priority date']),
  ].map((hold) => ({ ...hold, examples: hold.examples.slice(0, MAX_EXAMPLES_SHOWN) }));
}

/** Each difference of some examples that is to be shown. */
export function membersOf(
  examples: readonly ChangedExample[],
  isShown: (difference: Difference) => boolean,
): Hold['examples'] {
  return examples.flatMap(({ identity, members }) =>
    members.filter(isShown).map((difference) => ({ identity, ...difference })),
  );
}

/** `added` are records that were not there before: where they are as many, the same ones have another key now. */
function goneHold(share: Share, added: number): readonly Hold[] {
  const { goneShare, leastGone, mostShare } = HOLD_LIMITS;
  if (share.count < leastGone || share.count <= share.of * goneShare) return [];
  const hold = holdOf('records-gone', share, ['record', 'that are published', 'are gone']);
  if (added < share.count * mostShare) return [hold];
  const remark = ` ${counted(added, 'other')} ${added === 1 ? 'is' : 'are'} new: an identifier or a date that tells records apart has probably changed.`;
  return [{ ...hold, sentence: hold.sentence + remark }];
}

/** The parts of "12 NOUNs of the 20 OF THESE DO SOMETHING". */
type SentenceParts = readonly [noun: string, ofThese: string, doSomething: string];

/** `remark` follows its sentence. */
function mostHold(reason: HoldReason, share: Share, parts: SentenceParts, remark = ''): readonly Hold[] {
  const { mostShare, leastCompared } = HOLD_LIMITS;
  if (share.of < leastCompared || share.count <= share.of * mostShare) return [];
  const hold = holdOf(reason, share, parts);
  return [{ ...hold, sentence: hold.sentence + remark }];
}

function holdOf(reason: HoldReason, { count, of, examples }: Share, [noun, ofThese, does]: SentenceParts): Hold {
  const share = percent(count / of);
  const sentence = `${counted(count, noun)} of the ${grouped(of)} ${ofThese} ${does} (${share}).`;
  return { reason, sentence, count, of, examples };
}

/** A projection's metres are far beyond all degrees. */
const LEAST_METRES = 1000;

/** Positions that are not where they should be, and what they look like. */
class WrongPositions extends CountedExamples<Hold['examples'][number]> {
  of = 0;
  private exchanged = 0;
  private projected = 0;

  constructor(private readonly placeMember: string) {
    super();
  }

  /** `isInside` tells whether a point lies where the organization's places do. */
  addPosition(id: string, texts: ObservedPlace['coordinates'], isInside: (point: Box) => boolean): void {
    const [longitude, latitude] = texts;
    this.addPlace(id, null, texts.map((text) => text ?? '(empty)').join(' '));
    const swapped = readPoint(latitude, longitude);
    if (swapped !== undefined && isInside(boxOf(swapped))) this.exchanged++;
    else if (texts.some((text) => Math.abs(readNumber(text ?? '') ?? 0) > LEAST_METRES)) this.projected++;
  }

  /** A geometry can be a polygon of megabytes; the warning on its row says what is wrong with it. */
  addUnusable(id: string): void {
    this.addPlace(id, 'Geometry', 'cannot be used');
  }

  private addPlace(id: string, member: string | null, after: string): void {
    this.add(() => ({ identity: { [this.placeMember]: id }, member, before: null, after }));
  }

  /** What follows a sentence about them. */
  remark(): string {
    const exchanged = `Longitude and Latitude look exchanged in ${grouped(this.exchanged)} of them.`;
    const projected = `The coordinates of ${grouped(this.projected)} of them look like metres of a projection, not degrees.`;
    return `${this.exchanged > 0 ? ` ${exchanged}` : ''}${this.projected > 0 ? ` ${projected}` : ''}`;
  }
}

function boxOf({ longitude, latitude }: { readonly longitude: number; readonly latitude: number }): Box {
  return [longitude, latitude, longitude, latitude];
}

/** Follows the places of a release and finds the holds that follow from where they lie. */
export class PositionCheck {
  private readonly noun: string;
  private readonly coordinates: WrongPositions;
  private readonly geometries: WrongPositions;
  private readonly outside: WrongPositions;
  private readonly states: readonly string[];

  /** `state` is the organization's two-letter code. */
  constructor(
    kind: DataSetKind,
    private readonly state: string,
  ) {
    const { noun, member } = wordsOfPlaces(kind);
    this.noun = noun;
    this.coordinates = new WrongPositions(member);
    this.geometries = new WrongPositions(member);
    this.outside = new WrongPositions(member);
    this.states = statesAround(state);
  }

  add({ id, box, point, coordinates, geometry }: ObservedPlace): void {
    const isInside = (at: Box): boolean => !this.isOutside(at);
    if (coordinates.some((text) => text !== null)) {
      this.coordinates.of++;
      if (point === undefined) this.coordinates.addPosition(id, coordinates, isInside);
    }
    if (geometry !== 'none') this.geometries.of++;
    if (geometry === 'unusable') this.geometries.addUnusable(id);
    if (box === undefined) return;
    this.outside.of++;
    const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2].map((degree) => String(Number(degree.toFixed(5))));
    if (this.isOutside(box)) this.outside.addPosition(id, [middle[0] ?? null, middle[1] ?? null], isInside);
  }

  holds(): readonly Hold[] {
    const { noun, coordinates, geometries, outside, state } = this;
    const useless = 'have none that can be used';
    const around = `lie outside ${stateName(state)} and its neighbours`;
    return [
      ...mostHold('positions-unusable', coordinates, [noun, 'with coordinates', useless], coordinates.remark()),
      ...mostHold('positions-unusable', geometries, [noun, 'with a geometry', useless]),
      ...mostHold('outside-states', outside, [noun, 'with a position', around], outside.remark()),
    ];
  }

  private isOutside(box: Box): boolean {
    return this.states.length > 0 && this.states.every((state) => isOutsideState(state, box));
  }
}

const CODE_LENGTH = 12;

/** Names what would be published, over what, and the reasons for which it is held. */
export function confirmationCode(dataSets: readonly DataSetOutcome[]): string {
  const content = dataSets.map(({ organizationUuid, dataSet, releaseId, formerReleaseId, holds }) => {
    return [organizationUuid, dataSet, releaseId, formerReleaseId, holds.map(({ reason }) => reason)];
  });
  return digestNameOf(JSON.stringify(content)).slice(0, CODE_LENGTH);
}
