// Rights in order of priority, with running sums of flow and of volume. Pure.  The order is the same as in the service:
// oldest priority date first, rights without a date last, ties as in D17. Rights without a date have no position in the
// order, so they are counted and summed separately.

import { addDecimals, type Decimal, formatDecimal, parseDecimal, ZERO } from './decimals';

/** Identifies a right: its organization, and its identifier, or else its number within the organization. */
export interface RightKey {
  readonly organization: string;
  readonly identifier: string;
}

/** A right as in answers. Missing values are empty strings. */
export interface PrioritizedRight extends RightKey {
  readonly date: string;
  /** In cubic feet per second (CFS). */
  readonly flow: string;
  /** In acre-feet (AF). */
  readonly volume: string;
}

/** The relation of a right to the right that the list is about; unknown if either right has no date. */
export type Relation = 'this' | 'senior' | 'same day' | 'junior' | 'unknown';

export interface RankedRight<Right extends PrioritizedRight> {
  readonly right: Right;
  /** From 1; undefined for a right without a priority date. */
  readonly position: number | undefined;
  readonly relation: Relation;
  /**
   * The sum of all rights up to and including this one; empty if no right so far has a number, and without a priority
   * date.
   */
  readonly flowSum: string;
  readonly volumeSum: string;
}

/** The sum of one measure over some rights. */
export interface MeasureSum {
  /** Empty if no right has a number. */
  readonly sum: string;
  readonly missing: number;
}

/** The number of rights, and their sums. */
export interface GroupSum {
  readonly count: number;
  readonly flow: MeasureSum;
  readonly volume: MeasureSum;
}

export interface SeniorityList<Right extends PrioritizedRight> {
  readonly rows: readonly RankedRight<Right>[];
  /** All rights with a priority date. */
  readonly dated: GroupSum;
  /** All rights without a priority date. They are in no running sum. */
  readonly undated: GroupSum;
  readonly senior: GroupSum;
  readonly sameDay: GroupSum;
  readonly junior: GroupSum;
  /** The number of rights whose date has no day or no month: they are sorted as its first day. */
  readonly partialDates: number;
}

/** `own` is the right that the list is about; its date is used even if the list does not contain it. */
export function rankRights<Right extends PrioritizedRight>(
  rights: readonly Right[],
  own: PrioritizedRight,
): SeniorityList<Right> {
  const ordered = sortByPriority(rights);
  const ownDay = readPriorityDay(own.date);
  const rows: RankedRight<Right>[] = [];
  let flow: Decimal | undefined;
  let volume: Decimal | undefined;
  for (const [index, { right, day }] of ordered.entries()) {
    const relation = isSameRight(right, own) ? 'this' : compareWithOwn(day, ownDay);
    if (day === undefined) {
      rows.push({ right, position: undefined, relation, flowSum: '', volumeSum: '' });
      continue;
    }
    flow = addText(flow, right.flow);
    volume = addText(volume, right.volume);
    rows.push({ right, position: index + 1, relation, flowSum: formatSum(flow), volumeSum: formatSum(volume) });
  }
  const sumOf = (isMember: (row: RankedRight<Right>) => boolean): GroupSum => {
    return addUp(rows.filter(isMember).map(({ right }) => right));
  };
  return {
    rows,
    dated: sumOf(({ position }) => position !== undefined),
    undated: sumOf(({ position }) => position === undefined),
    senior: sumOf(({ relation }) => relation === 'senior'),
    sameDay: sumOf(({ relation }) => relation === 'same day'),
    junior: sumOf(({ relation }) => relation === 'junior'),
    partialDates: ordered.filter(({ right, day }) => day !== undefined && !isFullDate(right.date)).length,
  };
}

/** The first day of a date as `YYYY-MM-DD`; the date may be only a year or a month. Undefined for anything else. */
export function readPriorityDay(date: string): string | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T.*)?)?)?$/.exec(date.trim()) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

function isSameRight(a: RightKey, b: RightKey): boolean {
  return a.organization === b.organization && a.identifier === b.identifier;
}

function isFullDate(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(date.trim());
}

interface DatedRight<Right> {
  readonly right: Right;
  readonly day: string | undefined;
}

function sortByPriority<Right extends PrioritizedRight>(rights: readonly Right[]): readonly DatedRight<Right>[] {
  const dated = rights.map((right) => ({ right, day: readPriorityDay(right.date) }));
  return dated.toSorted((a, b) => compareDays(a.day, b.day) || compareKeys(a.right, b.right));
}

/** Missing days come last (D69). */
function compareDays(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -1 : 1;
}

/** As in D17: by organization, then by identifier. */
function compareKeys(a: RightKey, b: RightKey): number {
  return compareTexts(a.organization, b.organization) || compareTexts(a.identifier, b.identifier);
}

/** Compares by code points, which is the order of UTF-8 bytes. JavaScript compares strings by UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const first = Array.from(a);
  const second = Array.from(b);
  const at = first.findIndex((character, index) => character !== second[index]);
  // One string is a prefix of the other.
  if (at === -1 || second[at] === undefined) return first.length - second.length;
  return (first[at]?.codePointAt(0) ?? 0) - (second[at].codePointAt(0) ?? 0);
}

function compareWithOwn(day: string | undefined, ownDay: string | undefined): Relation {
  if (day === undefined || ownDay === undefined) return 'unknown';
  if (day === ownDay) return 'same day';
  return day < ownDay ? 'senior' : 'junior';
}

function addUp(rights: readonly PrioritizedRight[]): GroupSum {
  return {
    count: rights.length,
    flow: addMeasure(rights.map(({ flow }) => flow)),
    volume: addMeasure(rights.map(({ volume }) => volume)),
  };
}

function addMeasure(texts: readonly string[]): MeasureSum {
  const numbers = texts.map(parseDecimal).filter((number) => number !== undefined);
  const sum = numbers.length === 0 ? undefined : numbers.reduce(addDecimals, ZERO);
  return { sum: formatSum(sum), missing: texts.length - numbers.length };
}

/** A missing number does not change the sum. */
function addText(sum: Decimal | undefined, text: string): Decimal | undefined {
  const number = parseDecimal(text);
  return number === undefined ? sum : addDecimals(sum ?? ZERO, number);
}

function formatSum(sum: Decimal | undefined): string {
  return sum === undefined ? '' : formatDecimal(sum);
}
