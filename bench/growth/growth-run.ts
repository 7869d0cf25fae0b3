// How each cost grows with the number of records: a reduced set of the benchmark at several sizes, with site amounts alone.

import { rmSync } from 'node:fs';
import { privateMegabytes } from '../measure/child-process';
import type { RequestName } from '../measure/benchmark-requests';
import { timeColdStarts } from '../measure/cold-start';
import { askShape } from '../measure/data-shape';
import { loadedStore } from '../measure/measure-loading';
import { withServers } from '../measure/measured-servers';
import { describeRun } from '../report/benchmark-report';
import { timeRows } from '../measure/time-rows';
import type { GrowthPoint } from './growth-costs';

const rowOf = {
  page: 'first page of 1,000',
  pageCold: 'a page anywhere, cold',
  datesCold: 'dates alone, cold',
  polygonCold: 'large polygon, cold',
} as const satisfies Partial<Record<keyof GrowthPoint, RequestName>>;

export async function measureGrowth(records: number, log: (line: string) => void): Promise<GrowthPoint> {
  const store = await loadedStore(`growth-${records}`, records, ['SiteVariableAmounts'], log);
  try {
    const [loaded] = store.submissions;
    if (loaded === undefined) throw new Error('nothing was loaded');
    const { toFirstAnswer } = await timeColdStarts(store.environment, store.folder);
    const asked = await withServers(store.environment, async (service, floor) => {
      const shape = await askShape(service, records, 0);
      const rows = await timeRows(service, floor, shape, Object.values(rowOf));
      return { rows, memory: privateMegabytes(service.child.pid) };
    });
    const medianOf = (name: RequestName): number => asked.rows.find((row) => row.name === name)?.median ?? NaN;
    return {
      ...describeRun(records),
      page: medianOf(rowOf.page),
      pageCold: medianOf(rowOf.pageCold),
      datesCold: medianOf(rowOf.datesCold),
      polygonCold: medianOf(rowOf.polygonCold),
      coldStart: toFirstAnswer,
      loadSecondsAMillion: (loaded.seconds / records) * 1e6,
      loadPeakMegabytes: loaded.peakMegabytes ?? NaN,
      privateMegabytes: asked.memory ?? NaN,
      fileMegabytes: store.megabytes,
    };
  } finally {
    rmSync(store.folder, { recursive: true, force: true });
  }
}
