// What the index of records needs of their rows, as columns of numbers: the record builder reads it from rows that it
// has parsed anyway, so that the loader, which indexes, parses none (ADR 0114).

import type { DataSetKind } from '../../../shared/records/data-sets';
import { NO_DAY } from '../../../shared/search/index/column-format';
import { numberAt } from '../../../shared/values/numbers';
import {
  amountDefinitions,
  periodOfDay,
  usesOf,
  type AllocationRow,
  type CommonAmountRow,
  type EffectivePeriod,
  type ShownDates,
  type TimeSeriesRow,
} from '../../format/amount-definitions';
import { FirstNumbers } from './first-numbers';
import { fieldValuesOf, termOf, type Term } from './terms/term-sources';

/** What stands in rows of a kind alone: the year of a time series, the terms of vocabulary columns of a right. */
export interface OwnValues {
  readonly reportYear: string | null;
  readonly terms: readonly Term[];
}

/** The rows of a batch. Combinations of values are numbered in the order in which they came first. */
export interface RowValues {
  /** In the order of the kind's definition, row by row; NaN for none. */
  readonly measures: Float64Array<ArrayBuffer>;
  /**
   * First and last day of the period, the day of publication, and the dates of a timeframe as submitted, row by row;
   * NO_DAY for none.
   */
  readonly days: Int32Array<ArrayBuffer>;
  readonly uses: Uint32Array<ArrayBuffer>;
  readonly own: Uint32Array<ArrayBuffer>;
  /** 1 for a row with both dates of a timeframe, or 2 if they are reversed; else 0. */
  readonly timeframes: Uint8Array<ArrayBuffer>;
  /** Combinations that no row before had. The primary use is one of the uses (D13, D24). */
  readonly newUses: readonly (readonly string[])[];
  readonly newOwn: readonly OwnValues[];
}

const DAYS_OF_ROW = 5;

export class RowValuesReader {
  private readonly uses = new FirstNumbers<readonly string[]>();
  private readonly own = new FirstNumbers<OwnValues>();

  constructor(private readonly kind: DataSetKind) {}

  read(rows: readonly CommonAmountRow[]): RowValues {
    const definition = amountDefinitions[this.kind];
    const measures: number[] = [];
    const days = new Int32Array(rows.length * DAYS_OF_ROW);
    const [uses, own] = [new Uint32Array(rows.length), new Uint32Array(rows.length)];
    const timeframes = new Uint8Array(rows.length);
    rows.forEach((row, index) => {
      for (const measure of definition.measures(row)) measures.push(measure ?? NaN);
      const period = definition.period(row);
      const publication = periodOfDay(row.DataPublicationDate);
      const shown = definition.shownDates(row);
      const ofRow = [period?.first, period?.last, publication?.first, shown?.first, shown?.last];
      ofRow.forEach((day, at) => (days[index * DAYS_OF_ROW + at] = day ?? NO_DAY));
      uses[index] = this.usesOf(row);
      own[index] = this.ownOf(row);
      const isReversed = definition.isReversed(row);
      if (isReversed !== undefined) timeframes[index] = isReversed ? 2 : 1;
    });
    const added = { newUses: this.uses.takeNew(), newOwn: this.own.takeNew() };
    return { measures: Float64Array.from(measures), days, uses, own, timeframes, ...added };
  }

  private usesOf(row: CommonAmountRow): number {
    const uses = usesOf(row);
    const [use] = uses;
    // Most rows have one use.
    return use !== undefined && uses.length === 1
      ? this.uses.numberOf('one', use, () => uses)
      : this.uses.numberOf('any', JSON.stringify(uses), () => uses);
  }

  private ownOf(row: CommonAmountRow): number {
    // The rows of a data set are those of its definition's file.
    if (this.kind === 'WaterAllocations') {
      const values = fieldValuesOf('WaterAllocations', 'allocation', row as AllocationRow);
      // The length tells where a value ends, whatever stands in it.
      let key = '';
      for (const { field, value } of values) key += `${field}\n${value.length}\n${value}`;
      return this.own.numberOf('terms', key, () => ({ reportYear: null, terms: values.map(termOf) }));
    }
    const { ReportYearCV: reportYear } = row as TimeSeriesRow;
    // No cell that was read is empty.
    return this.own.numberOf('year', reportYear ?? '', () => ({ reportYear, terms: [] }));
  }
}

/** The values of one row. */
export interface ValuesOfRow {
  readonly measures: readonly (number | null)[];
  readonly period: EffectivePeriod | undefined;
  readonly publication: EffectivePeriod | undefined;
  readonly shownDates: ShownDates;
  /** Numbers of combinations. */
  readonly uses: number;
  readonly own: number;
  /** Undefined without both dates of a timeframe. */
  readonly isReversed: boolean | undefined;
}

export function valuesOfRow({ measures, days, uses, own, timeframes }: RowValues, index: number): ValuesOfRow {
  const each = measures.length / uses.length;
  const dayAt = (column: number): number => numberAt(days, index * DAYS_OF_ROW + column);
  const timeframe = numberAt(timeframes, index);
  return {
    measures: Array.from(measures.subarray(index * each, (index + 1) * each), (measure) =>
      Number.isNaN(measure) ? null : measure,
    ),
    period: periodOf(dayAt(0), dayAt(1)),
    publication: periodOf(dayAt(2), dayAt(2)),
    shownDates: { first: shownDay(dayAt(3)), last: shownDay(dayAt(4)) },
    ...{ uses: numberAt(uses, index), own: numberAt(own, index) },
    isReversed: timeframe === 0 ? undefined : timeframe === 2,
  };
}

function shownDay(day: number): number | undefined {
  return day === NO_DAY ? undefined : day;
}

function periodOf(first: number, last: number): EffectivePeriod | undefined {
  return first === NO_DAY ? undefined : { first, last };
}
