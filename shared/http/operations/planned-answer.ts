// The page of an operation that lists records, removed records or places: what is found, and how it is read and
// written.

import { answerWriters, writeJson, writeRemoved } from '../../render/answer-writers';
import { readPage, type PageBounds, type PageTexts, type ReadablePage, type WrittenPage } from '../../render/read-page';
import { readPlacePage } from '../../render/read-places';
import { writeCsv } from '../../render/write-csv';
import { writePlaceFeatures } from '../../render/write-geojson';
import { planPlaces } from '../../search/places/plan-places';
import type { Operation } from '../../query/operations';
import type { AnswerFormat } from '../../query/paging-and-format';
import type { OperationRequest } from '../../query/read-request';
import { dataSetLayouts, type DataSetKind } from '../../records/data-sets';
import { placeLayouts } from '../../records/places';
import { planPage, type ReadRelease, planRemoved } from '../../search/plan-page';
import type { Service } from '../service';

/** A query with the releases that its answer is read from. */
export interface ReleasesQuery {
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly format: AnswerFormat;
  readonly releases: () => Promise<readonly ReadRelease[]>;
}

export interface PlannedAnswer {
  /** Records or places over all pages. */
  readonly total: number;
  /** Those on the page. */
  readonly records: number;
  readonly read: (bounds: PageBounds) => Promise<PageTexts>;
  readonly write: (page: ReadablePage, mostBytes: number) => WrittenPage;
}

/** Throws as `planPage` does. */
export async function planAnswer(
  { operation, request, format, ...query }: ReleasesQuery,
  { caches }: Service,
): Promise<PlannedAnswer> {
  const releases = await query.releases();
  const { kind, dataSet } = operation;
  if (kind === 'places') {
    const { total, slices } = await planPlaces(releases, request.condition, request, caches);
    const records = slices.reduce((sum, { places }) => sum + places.length, 0);
    return { total, records, read: (bounds) => readPlacePage(slices, bounds), write: placeWriter(dataSet, format) };
  }
  const isRemoved = kind === 'removed';
  const { total, slices } = isRemoved
    ? await planRemoved(releases, request, caches)
    : await planPage(releases, request.condition, request, caches);
  const records = slices.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const write = isRemoved ? writeRemoved : answerWriters[format].write;
  const read: PlannedAnswer['read'] = (bounds) => readPage(slices, bounds);
  return { total, records, read, write: (page, mostBytes) => write(dataSetLayouts[dataSet], page, mostBytes) };
}

function placeWriter(dataSet: DataSetKind, format: AnswerFormat): PlannedAnswer['write'] {
  const { placeKind } = dataSetLayouts[dataSet];
  const layout = placeLayouts[placeKind];
  switch (format) {
    case 'json':
      return (page) => writeJson(layout, page);
    case 'csv':
      return (page, mostBytes) => writeCsv(layout, page, mostBytes);
    case 'geojson':
      return (page, mostBytes) => writePlaceFeatures(placeKind, page, mostBytes);
  }
}
