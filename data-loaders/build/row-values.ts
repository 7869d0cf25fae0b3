// What the index of records needs of their rows, as numbers: the record builder reads it from rows that it has parsed
// anyway, so that the loader, which indexes, parses none (ADR 0046).

import type { DataSetKind } from '../../shared/records/data-sets';
import { numberAt } from '../../shared/values/numbers';
import {
  amountDefinitions,
  periodOfDay,
  usesOf,
  type AllocationRow,
  type CommonAmountRow,
  type EffectivePeriod,
  type ShownDates,
  type TimeSeriesRow,
} from '../format/amount-definitions';
import { fieldValuesOf, termOf, type Term } from './term-sources';

/** What stands in rows of a kind alone: the year of a time series, the terms of vocabulary columns of a right. */
export interface OwnValues {
  readonly reportYear: string | null;
  readonly terms: readonly Term[];
}

/** The rows of a batch. Combinations of values are numbered in the order in which they came first. */
export interface RowValues {
  readonly rows: number;
  /** As many numbers for each row, row by row: ROW_NUMBERS, then the measures of the kind. NaN stands for none. */
  readonly values: Float64Array<ArrayBuffer>;
  /** Combinations that no row before had. The primary use is one of the uses (D13, D24). */
  readonly newUses: readonly (readonly string[])[];
  readonly newOwn: readonly OwnValues[];
}

/** The values of one row. */
export interface ValuesOfRow {
  /** Numbers of combinations. */
  readonly uses: number;
  readonly own: number;
  /** Whether the timeframe starts after it ends; undefined without both dates. */
  readonly isReversed: boolean | undefined;
  readonly period: EffectivePeriod | undefined;
  readonly publication: EffectivePeriod | undefined;
  /** The dates of a timeframe as submitted. */
  readonly shownDates: ShownDates;
  /** In the order of the kind's definition. */
  readonly measures: readonly (number | null)[];
}

/** Uses, own values, isReversed, first and last day, day of publication, first and last shown day. */
const ROW_NUMBERS = 8;

export class RowValuesReader {
  private readonly uses = new FirstNumbers<readonly string[]>();
  private readonly own = new FirstNumbers<OwnValues>();

  constructor(private readonly kind: DataSetKind) {}

  read(rows: readonly CommonAmountRow[]): RowValues {
    const definition = amountDefinitions[this.kind];
    const values: number[] = [];
    for (const row of rows) {
      const isReversed = definition.isReversed(row);
      const period = definition.period(row);
      const publication = periodOfDay(row.DataPublicationDate);
      const shown = definition.shownDates(row);
      values.push(this.usesOf(row), this.ownOf(row), isReversed === undefined ? NaN : Number(isReversed));
      values.push(period?.first ?? NaN, period?.last ?? NaN, publication?.first ?? NaN);
      values.push(shown?.first ?? NaN, shown?.last ?? NaN);
      for (const measure of definition.measures(row)) values.push(measure ?? NaN);
    }
    return {
      rows: rows.length,
      values: Float64Array.from(values),
      newUses: this.uses.takeNew(),
      newOwn: this.own.takeNew(),
    };
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

/** Numbers values in the order in which they came first, by their keys. */
export class FirstNumbers<Value> {
  /** Keys of each group apart: joined to one text, both would be copied and hashed for each value. */
  private readonly groups = new Map<string, Map<string, number>>();
  private count = 0;
  private added: Value[] = [];

  /** Equal keys of two groups are two values. */
  numberOf(group: string, key: string, valueOf: () => Value): number {
    let numbers = this.groups.get(group);
    if (numbers === undefined) this.groups.set(group, (numbers = new Map<string, number>()));
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, this.count);
    this.added.push(valueOf());
    return this.count++;
  }

  /** The values that came since the last call. */
  takeNew(): readonly Value[] {
    const { added } = this;
    this.added = [];
    return added;
  }
}

export function valuesOfRow({ values, rows }: Pick<RowValues, 'values' | 'rows'>, index: number): ValuesOfRow {
  const width = values.length / rows;
  const start = index * width;
  const at = (number: number): number => numberAt(values, start + number);
  const reversed = orUndefined(at(2));
  const measures = Array.from(values.subarray(start + ROW_NUMBERS, start + width));
  return {
    ...{ uses: at(0), own: at(1), isReversed: reversed === undefined ? undefined : reversed === 1 },
    ...{ period: periodOf(at(3), at(4)), publication: periodOf(at(5), at(5)) },
    shownDates: { first: orUndefined(at(6)), last: orUndefined(at(7)) },
    measures: measures.map((measure) => orUndefined(measure) ?? null),
  };
}

function orUndefined(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number;
}

function periodOf(first: number, last: number): EffectivePeriod | undefined {
  return Number.isNaN(first) ? undefined : { first, last };
}
