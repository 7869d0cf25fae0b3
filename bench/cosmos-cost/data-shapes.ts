// Test data of several shapes, and the slices of each that are requested: a county, a year, and one place.

import { type Operation, operations } from '../../shared/query/operations';
import type { DataSetKind } from '../../shared/records/data-sets';
import { toListText } from '../../shared/store/joined-fragments';
import type { ReleaseReader } from '../../shared/store/port';

export interface Slices {
  readonly county: string | undefined;
  readonly year: string | undefined;
  readonly place: string | undefined;
}

/** The parameters that request a slice of a kind of data set, and the member of a record that contains its place. */
const SLICE_PARAMETERS: Readonly<Record<DataSetKind, { county?: string; from: string; to: string; place?: string }>> = {
  SiteVariableAmounts: { county: 'County', from: 'StartDate', to: 'EndDate', place: 'SiteUUID' },
  AggregatedAmounts: { from: 'StartDate', to: 'EndDate', place: 'ReportingUnitUUID' },
  WaterAllocations: { county: 'County', from: 'StartPriorityDate', to: 'EndPriorityDate' },
};

export function findOperation(kind: DataSetKind): Operation {
  const operation = operations.find(({ dataSet }) => dataSet === kind);
  if (operation === undefined) throw new Error(`no operation reads ${kind}`);
  return operation;
}

/**
 * The county with the most records, the year three quarters of the way through the period, and the place of the middle
 * record.
 */
export async function findSlices(reader: ReleaseReader): Promise<Slices> {
  const { dataSet, records, firstDay, lastDay } = reader.facts;
  const { county, from, to, place } = SLICE_PARAMETERS[dataSet];
  const counties = (await readVocabulary(reader))['county'] ?? [];
  const [largest] = [...counties].sort(([, a], [, b]) => b - a);
  const [middle = {}] = JSON.parse(
    toListText(await reader.texts('records', Uint32Array.of(records >>> 1))),
  ) as Members[];
  const [first, last] = [firstDay, lastDay].map((day) => Number(day?.slice(0, 4)));
  const year = first === undefined || last === undefined ? NaN : Math.floor(first + 0.75 * (last - first));
  return {
    county: county === undefined || largest === undefined ? undefined : `${county}=${encodeURIComponent(largest[0])}`,
    year: Number.isNaN(year) ? undefined : `${from}=${year}-01-01&${to}=${year}-12-31`,
    place: place === undefined ? undefined : `${place}=${encodeURIComponent(String(middle[place]))}`,
  };
}

type Members = Readonly<Record<string, unknown>>;

async function readVocabulary(
  reader: ReleaseReader,
): Promise<Readonly<Record<string, readonly (readonly [string, number])[]>>> {
  const content = await reader.artifact('vocabulary');
  if (content === undefined) throw new Error('a release without vocabulary');
  // Written by the loader.
  return JSON.parse(Buffer.from(content).toString()) as Awaited<ReturnType<typeof readVocabulary>>;
}
