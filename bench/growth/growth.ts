// `npm run bench -- --growth`: measures a few costs at sizes ten times each other and draws docs/growth.svg.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectDirectory } from '../../shared/project-files';
import { describeRun, timeRows, writeFigures } from '../measure/benchmark';
import { timeColdStarts } from '../measure/cold-start';
import { HttpClient } from '../measure/http-client';
import { loadedStore, makeFiles } from '../measure/loading';
import { privateMegabytes, withServers } from '../measure/programs';
import type { RequestName } from '../measure/requests';
import { askShape } from '../measure/time-requests';
import { withClients } from '../measure/timing-client';
import type { Table } from '../report/table-text';
import { costGroups, costText, growthPicture, type GrowthPoint } from './growth-picture';

const LEAST_RECORDS = 10_000;
const PICTURE = 'growth.svg';

const rowOf = {
  page: 'first page of 1,000',
  pageCold: 'a page anywhere, cold',
  datesCold: 'dates alone, cold',
  polygonCold: 'large polygon, cold',
} as const satisfies Partial<Record<keyof GrowthPoint, RequestName>>;

/**
 * Up to `mostRecords`. Sizes that `file` has from an earlier run are drawn as they were measured then; each new one
 * is written there as soon as it is measured.
 */
export async function growth(
  mostRecords: number,
  file: string | undefined,
  log: (line: string) => void,
): Promise<Table> {
  const points = file !== undefined && existsSync(file) ? readPoints(file) : [];
  for (let records = LEAST_RECORDS; records <= mostRecords; records *= 10) {
    if (points.some((point) => point.records === records)) continue;
    points.push(await measureGrowth(records, log));
    if (file !== undefined) writeFigures(file, points);
  }
  points.sort((a, b) => a.records - b.records);
  writeFileSync(join(findProjectDirectory(), 'docs', PICTURE), growthPicture(points));
  return growthTable(points);
}

/** Measures a store that has site amounts alone. */
async function measureGrowth(records: number, log: (line: string) => void): Promise<GrowthPoint> {
  const store = await loadedStore({ name: `growth-${records}`, records, kinds: ['SiteVariableAmounts'], log });
  try {
    await makeFiles(store, log);
    const [loaded] = store.submissions;
    if (loaded === undefined) throw new Error('nothing was loaded');
    const { toFirstAnswer } = await timeColdStarts(store.environment);
    const { rows, memory } = await withServers(store.environment, (servers) =>
      withClients(HttpClient, servers, async (service, floor) => {
        const shape = await askShape(service, records, 0);
        const timed = await timeRows(Object.values(rowOf), shape, service, floor);
        return { rows: timed, memory: privateMegabytes(servers.service) };
      }),
    );
    const medianOf = (name: RequestName): number => rows.find((row) => row.name === name)?.median ?? NaN;
    return {
      ...describeRun(records),
      page: medianOf(rowOf.page),
      pageCold: medianOf(rowOf.pageCold),
      datesCold: medianOf(rowOf.datesCold),
      polygonCold: medianOf(rowOf.polygonCold),
      coldStart: toFirstAnswer,
      loadSecondsAMillion: (loaded.seconds / records) * 1e6,
      loadPeakMegabytes: loaded.peakMegabytes ?? NaN,
      privateMegabytes: memory ?? NaN,
      fileMegabytes: store.megabytes,
    };
  } finally {
    rmSync(store.folder, { recursive: true, force: true });
  }
}

function readPoints(file: string): GrowthPoint[] {
  return JSON.parse(readFileSync(file, 'utf8')) as GrowthPoint[]; // What `growth` wrote there.
}

function growthTable(points: readonly GrowthPoint[]): Table {
  const rows = costGroups.flatMap(({ title, costs }) => {
    const unit = title.split(':', 1)[0]?.toLowerCase() ?? '';
    return costs.map(({ cost, name }) => [`${name}, ${unit}`, ...points.map((point) => costText(point[cost]))]);
  });
  return {
    title: 'Growth',
    picture: { file: PICTURE, meaning: 'How each cost grows with the number of records' },
    columns: ['Cost', ...points.map((point) => point.records.toLocaleString('en-US'))],
    rows,
    notes: points.map(({ records, date, machine }) => `${records.toLocaleString('en-US')}: ${date}, ${machine}.`),
  };
}
