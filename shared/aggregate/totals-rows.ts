// Builds the rows of totals. The cells of each release are merged into them.

import { filterFields } from '../query/filter-fields';
import type { Grouping } from '../query/groupings';
import type { DataSetKind } from '../records/data-sets';
import { VARIABLE_MEMBERS, type VariableTexts } from '../search/index/column-format';
import { loadColumnDirectory } from '../search/index/release-index';
import type { SearchableRelease } from '../search/index/search-caches';
import { RECORD_COLUMNS } from '../store/artifacts';
import { compareUtf8 } from '../values/compare-utf8';
import { numberAt } from '../values/number-arrays';
import { type Axis, createGroupingAxis, createVariableAxis } from './axes';
import { computeStrides, readClasses } from './cells';
import { compareNullsFirst, Dimension } from './dimension';
import { RowNumbers } from './row-numbers';
import type { Scan } from './scan-release';
import { Statistics } from './statistics';

/** The maximum number of rows in an answer (D40). */
export const MAX_ROWS = 100_000;

/** What the rows are grouped by. */
export interface TotalsGroups {
  readonly dataSet: DataSetKind;
  readonly groupBy: readonly Grouping[];
  /** Whether each record counts in only one group of each grouping (D78). */
  readonly countsOnce: boolean;
}

export type VariableMember = (typeof VARIABLE_MEMBERS)[number];

export interface TotalsRow {
  /** In the order of the parameter GroupBy. */
  readonly groups: readonly (string | null)[];
  /** The values of the variable members that distinguish rows. */
  readonly variable: VariableTexts;
  /** The index of the row's statistics. */
  readonly group: number;
}

export interface OrderedRows {
  /** The number of rows on all pages. */
  readonly count: number;
  /** Builds the rows from index `from` up to, but not including, index `to`. */
  readonly page: (from: number, to: number) => readonly TotalsRow[];
}

export class TotalsRows {
  readonly statistics: Statistics;
  /**
   * The variable members that distinguish rows: none for allocations; for amounts, those that are not groupings (D40).
   */
  readonly variableMembers: readonly VariableMember[];
  private readonly groups: readonly Dimension<string>[];
  private readonly variables = new Dimension<VariableTexts>();
  /** Each row is a combination of one value number per dimension in `groups`, and one in `variables`. */
  private readonly rowNumbers: RowNumbers;

  private readonly groupBy: readonly Grouping[];
  private readonly countsOnce: boolean;

  constructor({ dataSet, groupBy, countsOnce }: TotalsGroups) {
    this.groupBy = groupBy;
    this.countsOnce = countsOnce;
    this.statistics = new Statistics(RECORD_COLUMNS[dataSet].numbers.length);
    this.groups = groupBy.map(() => new Dimension());
    this.rowNumbers = new RowNumbers(groupBy.length + 1);
    const groupedMembers = new Set(groupBy.map((grouping) => findVariableMember(grouping)));
    this.variableMembers =
      dataSet === 'WaterAllocations' ? [] : VARIABLE_MEMBERS.filter((member) => !groupedMembers.has(member));
  }

  /** Creates one axis per grouping, and one for the variable. */
  async createAxes(release: SearchableRelease): Promise<readonly Axis[]> {
    const axes: Axis[] = [];
    for (const [index, dimension] of this.groups.entries()) {
      const grouping = this.groupBy[index];
      if (grouping !== undefined)
        axes.push(await createGroupingAxis({ grouping, countsOnce: this.countsOnce }, release, dimension));
    }
    const members = this.variableMembers.map((member) => VARIABLE_MEMBERS.indexOf(member));
    return [...axes, createVariableAxis(await loadColumnDirectory(release), members, this.variables)];
  }

  /** Merges the cells of a release into the rows that they count in. Returns false if there are too many rows. */
  merge({ cells, statistics, places }: Scan, axes: readonly Axis[]): boolean {
    const { rowNumbers } = this;
    const { strides } = computeStrides(axes.map((axis) => axis.classCount));
    const classes: number[] = [];
    const rowsByCell: (readonly number[])[] = [];
    for (let cell = 0; cell < cells.count; cell++) {
      readClasses(cells.getKey(cell), strides, classes);
      const rows = this.findRows(axes, classes);
      if (rowNumbers.count > MAX_ROWS) return false;
      this.statistics.grow(rowNumbers.count);
      for (const row of rows) this.statistics.merge(row, statistics, cell);
      rowsByCell.push(rows);
    }
    places.countPlaces(rowsByCell, rowNumbers.count, this.statistics);
    return true;
  }

  /** Finds the rows in which records of these classes count: one for each combination of one value per axis. */
  private findRows(axes: readonly Axis[], classes: readonly number[]): readonly number[] {
    const combination: number[] = [];
    for (let axis = 0; axis < axes.length; axis++) {
      const values = axes[axis]?.getValueNumbers(classes[axis] ?? 0) ?? [];
      if (values.length > 1) {
        const allValues = axes.map(({ getValueNumbers }, index) => getValueNumbers(classes[index] ?? 0));
        return listCombinations(allValues).map((choice) => this.rowNumbers.getNumber(choice));
      }
      combination.push(values[0] ?? 0);
    }
    return [this.rowNumbers.getNumber(combination)];
  }

  /** Sorts the rows by the value of each dimension in turn: null first, then by UTF-8 bytes (D40). */
  sortRows(): OrderedRows {
    const values = this.rowNumbers.listValues();
    const ranks = [
      ...this.groups.map((dimension) => dimension.rankValues(compareUtf8)),
      this.variables.rankValues(compareTexts),
    ];
    const order = sortByRanks(values, ranks);
    const buildRow = (group: number): TotalsRow => {
      const groups = this.groups.map((dimension, level) => dimension.getValue(values[level]?.[group] ?? 0));
      const variable = this.variables.getValue(values[groups.length]?.[group] ?? 0) ?? [];
      return { groups, variable, group };
    };
    return { count: order.length, page: (from, to) => Array.from(order.subarray(from, to), buildRow) };
  }
}

/**
 * Returns the row numbers in order. `values` has the value of each row, and `ranks` the rank of each value, both by
 * dimension.
 */
function sortByRanks(values: readonly Uint32Array[], ranks: readonly Uint32Array[]): Uint32Array {
  const rankByRow = values.map((rowValues, level) => rowValues.map((value) => ranks[level]?.[value] ?? 0));
  const rows = Uint32Array.from({ length: values[0]?.length ?? 0 }, (_, row) => row);
  return rows.sort((a, b) => {
    for (const levelRanks of rankByRow) {
      if (levelRanks[a] !== levelRanks[b]) return numberAt(levelRanks, a) - numberAt(levelRanks, b);
    }
    return 0;
  });
}

/** Lists every way to choose one value from each list. */
function listCombinations(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return lists.reduce<readonly (readonly number[])[]>(
    (combinations, values) => combinations.flatMap((combination) => values.map((value) => [...combination, value])),
    [[]],
  );
}

/** Returns the variable member that a grouping uses. */
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
