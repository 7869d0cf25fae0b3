// `npm run bench -- --growth`: measures at sizes ten times each other and draws docs/growth.svg.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';
import { writeFigures } from '../report/benchmark-report';
import type { Table } from '../report/table-text';
import { costGroups, costText, type GrowthPoint } from './growth-costs';
import { growthPicture } from './growth-picture';
import { measureGrowth } from './growth-run';

const LEAST_RECORDS = 10_000;
const PICTURE = 'growth.svg';

/**
 * Up to `mostRecords`. Sizes that `file` has from an earlier run are drawn as they were measured then; each new one is written
 * there as soon as it is measured.
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
  writeFileSync(join(projectDirectory(), 'docs', PICTURE), growthPicture(points));
  return growthTable(points);
}

function readPoints(file: string): GrowthPoint[] {
  return JSON.parse(readFileSync(file, 'utf8')) as GrowthPoint[]; // What was written there by `growth`.
}

function growthTable(points: readonly GrowthPoint[]): Table {
  const costs = costGroups.flatMap(({ title, costs: group }) => {
    const unit = title.split(':', 1)[0]?.toLowerCase() ?? '';
    return group.map(({ cost, name }) => [`${name}, ${unit}`, ...points.map((point) => costText(point[cost]))]);
  });
  return {
    title: 'Growth',
    picture: { file: PICTURE, meaning: 'How each cost grows with the number of records' },
    columns: ['Cost', ...points.map((point) => point.records.toLocaleString('en-US'))],
    rows: costs,
    notes: points.map(({ records, date, machine }) => `${records.toLocaleString('en-US')}: ${date}, ${machine}.`),
  };
}
