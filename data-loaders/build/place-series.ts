// Counts the records and the series of each place while records are added (D42).

import { toYear } from '../../shared/query/time-groups';
import type { DataSetKind } from '../../shared/records/data-sets';
import { PlaceSeriesBuilder, writePlaceRecordCounts } from '../../shared/search/index/place-series';
import type { ReleaseWriter } from '../../shared/store/port';
import type { DaySpan } from '../../shared/values/dates';
import { numberAt } from '../../shared/values/number-arrays';

/** The series whose records are being added. */
interface OpenSeries {
  readonly rank: number;
  readonly variable: number;
  records: number;
  readonly years: Set<number>;
  days: DaySpan | undefined;
}

export class PlaceSeriesWriter {
  /** Keyed by rank. */
  private readonly records: Uint32Array;
  private readonly series: PlaceSeriesBuilder;
  private open: OpenSeries | undefined;

  constructor(
    private readonly kind: DataSetKind,
    places: number,
  ) {
    this.records = new Uint32Array(places);
    this.series = new PlaceSeriesBuilder(places);
  }

  /** Records must be added in record order, in which the amounts of a series are consecutive. */
  add(places: readonly number[], variable: number, period: DaySpan | undefined): void {
    for (const rank of places) this.records[rank] = numberAt(this.records, rank) + 1;
    const [rank] = places;
    if (this.kind === 'WaterAllocations' || rank === undefined) return;
    if (this.open?.rank !== rank || this.open.variable !== variable) {
      this.close();
      this.open = { rank, variable, records: 0, years: new Set(), days: undefined };
    }
    const { open } = this;
    open.records++;
    if (period === undefined) return;
    const { first, last } = period;
    const year = toYear(first, last);
    if (year !== undefined) open.years.add(year);
    const { days = period } = open;
    open.days = { first: Math.min(days.first, first), last: Math.max(days.last, last) };
  }

  finish(writer: Pick<ReleaseWriter, 'addArtifact'>): void {
    this.close();
    writer.addArtifact('placeRecords', [writePlaceRecordCounts(this.records)]);
    if (this.kind !== 'WaterAllocations') writer.addArtifact('placeSeries', [this.series.build()]);
  }

  private close(): void {
    if (this.open === undefined) return;
    const { rank, variable, records, years, days } = this.open;
    this.series.add(rank, { variable, records, years: years.size, days });
  }
}
