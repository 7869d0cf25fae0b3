// The rows of totals while the cells of one release after the other are merged into them.

import type { Grouping } from '../query/groupings';
import type { DataSetKind } from '../records/data-sets';
import { VARIABLE_MEMBERS, type VariableTexts } from '../search/columns/column-format';
import { RECORD_COLUMNS } from '../store/artifacts';
import { compareUtf8 } from '../values/text';
import { groupingAxis, variableAxis, type Axis, type ReleaseMeaning } from './axes';
import { CellNumbers, classesOf, stridesOf } from './cells';
import { compareNullsFirst, Dimension } from './dimension';
import type { Scan } from './scan';
import { Statistics } from './statistics';

/** The most rows of an answer (D40). */
export const MOST_ROWS = 100_000;

export type VariableMember = (typeof VARIABLE_MEMBERS)[number];

export interface TotalsRow {
  /** In the order in which the groups were asked for. */
  readonly groups: readonly (string | null)[];
  /** The values of the variable members that tell rows apart. */
  readonly variable: VariableTexts;
  /** The number of its statistics. */
  readonly group: number;
}

export class TotalsRows {
  readonly statistics: Statistics;
  /** The members of variables that tell rows apart: none of allocations, and none that is a group (D40). */
  readonly variableMembers: readonly VariableMember[];
  private readonly groups: readonly Dimension<string>[];
  private readonly variables = new Dimension<VariableTexts>();
  /** By row, its numbers in the dimensions, the variable last. */
  private readonly rows: (readonly number[])[] = [];
  private readonly numbers = new Map<number | string, number>();

  constructor(
    dataSet: DataSetKind,
    private readonly groupBy: readonly Grouping[],
  ) {
    this.statistics = new Statistics(RECORD_COLUMNS[dataSet].numbers.length);
    this.groups = groupBy.map(() => new Dimension());
    const asGroups = new Set(groupBy.map((grouping) => variableMemberOf(grouping)));
    this.variableMembers =
      dataSet === 'WaterAllocations' ? [] : VARIABLE_MEMBERS.filter((member) => !asGroups.has(member));
  }

  /** One axis for each grouping and, of amounts, one for the variable. */
  async axesOf(release: ReleaseMeaning): Promise<readonly Axis[]> {
    const axes: Axis[] = [];
    for (const [index, dimension] of this.groups.entries()) {
      const grouping = this.groupBy[index];
      if (grouping !== undefined) axes.push(await groupingAxis(grouping, release, dimension));
    }
    if (this.variableMembers.length === 0) return axes;
    const shown = this.variableMembers.map((member) => VARIABLE_MEMBERS.indexOf(member));
    return [...axes, variableAxis(release.directory, shown, this.variables)];
  }

  /** Returns for each cell the rows that it counts in; undefined when there are too many rows. */
  merge({ keys, statistics }: Scan, axes: readonly Axis[]): readonly (readonly number[])[] | undefined {
    const counts = axes.map(({ classes }) => classes);
    const rowsOfCells: (readonly number[])[] = [];
    for (const [cell, key] of keys.entries()) {
      const classes = classesOf(key, counts);
      const values = axes.map(({ valuesOf }, index) => valuesOf(classes[index] ?? 0));
      const rows = combinationsOf(values).map((numbers) => this.rowOf(numbers));
      if (this.rows.length > MOST_ROWS) return undefined;
      this.statistics.grow(this.rows.length);
      for (const row of rows) this.statistics.merge(row, statistics, cell);
      rowsOfCells.push(rows);
    }
    return rowsOfCells;
  }

  get count(): number {
    return this.rows.length;
  }

  /** The rows of a page, in the order of their members, null first, by UTF-8 bytes (D40). */
  page(from: number, to: number): readonly TotalsRow[] {
    return [...this.order().subarray(from, to)].map((group) => {
      const row = this.rows[group] ?? [];
      const groups = this.groups.map((dimension, index) => dimension.valueOf(row[index] ?? 0));
      return { groups, variable: this.variables.valueOf(row[groups.length] ?? 0) ?? [], group };
    });
  }

  /** The numbers of the rows in their order. */
  private order(): Uint32Array {
    const ranks = [...this.groups.map((dimension) => dimension.ranks(compareUtf8)), this.variables.ranks(compareTexts)];
    const order = Uint32Array.from(this.rows, (_, number) => number);
    const { strides, space } = stridesOf(ranks.map(({ length }) => length).reverse());
    const rankOf = (row: number, index: number): number => ranks[index]?.[this.rows[row]?.[index] ?? 0] ?? 0;
    if (CellNumbers.canNumber(space)) {
      // The last member has the smallest stride.
      const keys = Float64Array.from(this.rows, (_, row) =>
        strides.reduce((sum, stride, fromEnd) => sum + stride * rankOf(row, strides.length - 1 - fromEnd), 0),
      );
      return order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
    }
    const compare = (a: number, b: number): number =>
      ranks.reduce((found, _, index) => (found === 0 ? rankOf(a, index) - rankOf(b, index) : found), 0);
    return order.sort(compare);
  }

  private rowOf(numbers: readonly number[]): number {
    const key = keyOf(numbers);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.rows.length);
    return this.rows.push(numbers) - 1;
  }
}

/** Numbers below this, four of them, make one exact number. */
const SMALL_NUMBERS = 8192;

/** A number is found faster than a text, which stands for larger numbers. */
function keyOf(numbers: readonly number[]): number | string {
  let key = 0;
  for (const number of numbers) {
    if (number >= SMALL_NUMBERS) return numbers.join();
    key = key * SMALL_NUMBERS + number;
  }
  return key;
}

/** Each choice of one value out of each list. */
function combinationsOf(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  if (lists.every(({ length }) => length === 1)) return [lists.map(([only = 0]) => only)];
  return lists.reduce<readonly (readonly number[])[]>(
    (found, values) => found.flatMap((numbers) => values.map((value) => [...numbers, value])),
    [[]],
  );
}

/** The member of a variable that a grouping stands for. */
function variableMemberOf(grouping: Grouping): VariableMember | undefined {
  if (grouping.kind !== 'term') return undefined;
  const { field } = grouping.filter;
  if (field === 'variable') return 'VariableCV';
  return field === 'variableSpecific' ? 'VariableSpecificTypeCV' : undefined;
}

function compareTexts(a: VariableTexts, b: VariableTexts): number {
  for (let index = 0; index < a.length; index++) {
    const difference = compareNullsFirst(a[index] ?? null, b[index] ?? null, compareUtf8);
    if (difference !== 0) return difference;
  }
  return 0;
}
