// Totals of what a search finds, in groups, over all releases (D38 to D40). No record is read: each release is one pass
// over its columns, whose cells are then merged into rows.

import { buildConditionKey, type Condition } from '../query/condition';
import { filterFields } from '../query/filter-fields';
import type { Grouping } from '../query/groupings';
import type { DataSetKind } from '../records/data-sets';
import { evaluate } from '../search/evaluate';
import { VARIABLE_MEMBERS, type VariableTexts } from '../search/index/column-format';
import { loadColumnDirectory } from '../search/index/release-index';
import type { SearchableRelease, SearchCaches } from '../search/index/search-caches';
import { CatalogRelease } from '../search/open-releases';
import { RECORD_COLUMNS } from '../store/artifacts';
import { getOrAdd } from '../values/maps';
import { numberAt } from '../values/numbers';
import { failure, type Result, success } from '../values/result';
import { compareUtf8 } from '../values/text';
import { type Axis, compareNullsFirst, createGroupingAxis, createVariableAxis, Dimension } from './axes';
import { computeStrides, readClasses } from './cells';
import { type Scan, scanRelease } from './scan';
import { Statistics } from './statistics';

export interface GroupedTotals extends OrderedRows {
  /** What `variable` of the rows holds, in order. */
  readonly variableMembers: readonly VariableMember[];
  readonly statistics: Statistics;
}

export interface TotalsQuery {
  readonly dataSet: DataSetKind;
  readonly condition: Condition;
  readonly groupBy: readonly Grouping[];
}

/** What a row takes in memory beside its statistics, about: its values and its place in the order. */
const ROW_BYTES = 100;

/**
 * A failure is a sentence about GroupBy. Throws as a search does. The rows stay in memory, so that all pages of a query
 * are cut from them (ADR 0062).
 */
export async function computeTotals(
  releases: readonly CatalogRelease[],
  query: TotalsQuery,
  caches: SearchCaches,
): Promise<Result<GroupedTotals>> {
  const cache = caches.getCache<GroupedTotals>('totals');
  const key = getTotalsKey(releases, query);
  const known = cache.get(key);
  if (known !== undefined) return success(known);
  const totals = await computeRows(releases, query);
  if (totals.ok) cache.set(key, totals.value, totals.value.statistics.byteLength + totals.value.count * ROW_BYTES);
  return totals;
}

/** What the rows follow from; releases never change. */
function getTotalsKey(releases: readonly CatalogRelease[], { condition, groupBy }: TotalsQuery): string {
  const read = releases.map(({ reader, comparedWith }) => [reader.facts.releaseId, comparedWith?.facts.releaseId]);
  return JSON.stringify([read, buildConditionKey(condition), groupBy.map(({ name }) => name)]);
}

async function computeRows(
  releases: readonly CatalogRelease[],
  { dataSet, condition, groupBy }: TotalsQuery,
): Promise<Result<GroupedTotals>> {
  const rows = new TotalsRows(dataSet, groupBy);
  for (const release of releases) {
    const found = await evaluate(condition, release);
    if (found.size === 0) continue;
    const axes = await rows.createAxes(release);
    const scan = await scanRelease(release, found, axes);
    if (scan === undefined || !rows.merge(scan, axes)) {
      return failure(`gives more than ${MAX_ROWS} rows; ask for fewer groups, or filter more`);
    }
  }
  const { variableMembers, statistics } = rows;
  return success({ ...rows.sortRows(), variableMembers, statistics });
}

// The rows of totals while the cells of one release after the other are merged into them.

/** The most rows of an answer (D40). */
export const MAX_ROWS = 100_000;

export type VariableMember = (typeof VARIABLE_MEMBERS)[number];

export interface TotalsRow {
  /** In the order in which the groups were asked for. */
  readonly groups: readonly (string | null)[];
  /** The values of the variable members that tell rows apart. */
  readonly variable: VariableTexts;
  /** The number of its statistics. */
  readonly group: number;
}

export interface OrderedRows {
  /** How many rows there are, over all pages. */
  readonly count: number;
  /** The rows of a page, made when they are asked for. */
  readonly page: (from: number, to: number) => readonly TotalsRow[];
}

export class TotalsRows {
  readonly statistics: Statistics;
  /** The members of variables that tell rows apart: none of allocations, and none that is a group (D40). */
  readonly variableMembers: readonly VariableMember[];
  private readonly groups: readonly Dimension<string>[];
  private readonly variables = new Dimension<VariableTexts>();
  /** By the number of a row, its numbers in the dimensions, the variable last. */
  private readonly numbers: RowNumbers;

  constructor(
    dataSet: DataSetKind,
    private readonly groupBy: readonly Grouping[],
  ) {
    this.statistics = new Statistics(RECORD_COLUMNS[dataSet].numbers.length);
    this.groups = groupBy.map(() => new Dimension());
    this.numbers = new RowNumbers(groupBy.length + 1);
    const asGroups = new Set(groupBy.map((grouping) => findVariableMember(grouping)));
    this.variableMembers =
      dataSet === 'WaterAllocations' ? [] : VARIABLE_MEMBERS.filter((member) => !asGroups.has(member));
  }

  /** One axis for each grouping, and one for the variable. */
  async createAxes(release: SearchableRelease): Promise<readonly Axis[]> {
    const axes: Axis[] = [];
    for (const [index, dimension] of this.groups.entries()) {
      const grouping = this.groupBy[index];
      if (grouping !== undefined) axes.push(await createGroupingAxis(grouping, release, dimension));
    }
    const shown = this.variableMembers.map((member) => VARIABLE_MEMBERS.indexOf(member));
    return [...axes, createVariableAxis(await loadColumnDirectory(release), shown, this.variables)];
  }

  /** Adds the cells of a release to the rows that they count in; false when there are too many rows. */
  merge({ cells, statistics, places }: Scan, axes: readonly Axis[]): boolean {
    const { numbers } = this;
    const { strides } = computeStrides(axes.map((axis) => axis.classCount));
    const classes: number[] = [];
    const rowsOfCells: (readonly number[])[] = [];
    for (let cell = 0; cell < cells.count; cell++) {
      readClasses(cells.getKey(cell), strides, classes);
      const rows = this.findRows(axes, classes);
      if (numbers.count > MAX_ROWS) return false;
      this.statistics.grow(numbers.count);
      for (const row of rows) this.statistics.merge(row, statistics, cell);
      rowsOfCells.push(rows);
    }
    places.countPlaces(rowsOfCells, numbers.count, this.statistics);
    return true;
  }

  /** The rows that records of these classes count in: one for each choice of one value on each axis. */
  private findRows(axes: readonly Axis[], classes: readonly number[]): readonly number[] {
    const choice: number[] = [];
    for (let axis = 0; axis < axes.length; axis++) {
      const values = axes[axis]?.getValueNumbers(classes[axis] ?? 0) ?? [];
      if (values.length > 1) {
        const all = axes.map(({ getValueNumbers: valuesOf }, index) => valuesOf(classes[index] ?? 0));
        return listCombinations(all).map((combination) => this.numbers.getNumber(combination));
      }
      choice.push(values[0] ?? 0);
    }
    return [this.numbers.getNumber(choice)];
  }

  /** The rows in the order of their members, null first, by UTF-8 bytes (D40). */
  sortRows(): OrderedRows {
    const values = this.numbers.values();
    const dimensions = [
      ...this.groups.map((dimension) => dimension.rankValues(compareUtf8)),
      this.variables.rankValues(compareTexts),
    ];
    const order = sortByRanks(values, dimensions);
    const rowAt = (group: number): TotalsRow => {
      const groups = this.groups.map((dimension, level) => dimension.getValue(values[level]?.[group] ?? 0));
      return { groups, variable: this.variables.getValue(values[groups.length]?.[group] ?? 0) ?? [], group };
    };
    return { count: order.length, page: (from, to) => Array.from(order.subarray(from, to), rowAt) };
  }
}

/** The numbers of rows in their order: by the ranks of their values, of which the first decides. */
function sortByRanks(values: readonly Uint32Array[], ranks: readonly Uint32Array[]): Uint32Array {
  const keys = values.map((ofRows, level) => ofRows.map((value) => ranks[level]?.[value] ?? 0));
  return Uint32Array.from({ length: values[0]?.length ?? 0 }, (_, row) => row).sort((a, b) => {
    for (const ofRows of keys) if (ofRows[a] !== ofRows[b]) return numberAt(ofRows, a) - numberAt(ofRows, b);
    return 0;
  });
}

/** Each choice of one value out of each list. */
function listCombinations(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return lists.reduce<readonly (readonly number[])[]>(
    (found, values) => found.flatMap((numbers) => values.map((value) => [...numbers, value])),
    [[]],
  );
}

/** The member of a variable that a grouping stands for. */
function findVariableMember(grouping: Grouping): VariableMember | undefined {
  if (grouping.kind !== 'term') return undefined;
  const { member } = filterFields[grouping.filter.field];
  return VARIABLE_MEMBERS.find((name) => name === member);
}

function compareTexts(a: VariableTexts, b: VariableTexts): number {
  for (let index = 0; index < a.length; index++) {
    const difference = compareNullsFirst(a[index] ?? null, b[index] ?? null, compareUtf8);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers the combinations of values that rows are told apart by, in the order in which they come first. */
class RowNumbers {
  private readonly numbers = new Map<string, number>();
  /** By the place of a value in a combination, the values of all. */
  private readonly lists: readonly number[][];

  /** For combinations of so many values, one at least. */
  constructor(length: number) {
    this.lists = Array.from({ length }, () => []);
  }

  get count(): number {
    return this.numbers.size;
  }

  getNumber(values: readonly number[]): number {
    return getOrAdd(this.numbers, values.join(), () => {
      this.lists.forEach((list, place) => list.push(values[place] ?? 0));
      return this.count;
    });
  }

  /** By place the value of each combination. */
  values(): readonly Uint32Array[] {
    return this.lists.map((list) => Uint32Array.from(list));
  }
}
