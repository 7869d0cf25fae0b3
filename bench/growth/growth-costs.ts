// The costs whose growth is shown, and how they are named and put together.

import type { MeasuredRun } from '../report/benchmark-report';

/** The costs at one size. Times are milliseconds unless the name says otherwise. */
export interface GrowthPoint extends MeasuredRun {
  readonly page: number;
  readonly pageCold: number;
  readonly datesCold: number;
  readonly polygonCold: number;
  readonly coldStart: number;
  readonly loadSecondsAMillion: number;
  readonly loadPeakMegabytes: number;
  readonly privateMegabytes: number;
  readonly fileMegabytes: number;
}

export interface CostGroup {
  readonly title: string;
  readonly costs: readonly { readonly cost: Exclude<keyof GrowthPoint, keyof MeasuredRun>; readonly name: string }[];
}

/** Three digits that say something. */
export function costText(cost: number): string {
  return Number(cost.toPrecision(3)).toLocaleString('en-US');
}

export const costGroups: readonly CostGroup[] = [
  {
    title: 'Milliseconds: answers, and the start of a process',
    costs: [
      { cost: 'page', name: 'first page, asked again' },
      { cost: 'pageCold', name: 'any page, never asked' },
      { cost: 'datesCold', name: 'dates, never asked' },
      { cost: 'polygonCold', name: 'polygon, never asked' },
      { cost: 'coldStart', name: 'start to first answer' },
    ],
  },
  {
    title: 'Megabytes: memory and files',
    costs: [
      { cost: 'privateMegabytes', name: 'memory of the server' },
      { cost: 'loadPeakMegabytes', name: 'peak of the loader' },
      { cost: 'fileMegabytes', name: 'files of the store' },
    ],
  },
  { title: 'Seconds: loading a million records', costs: [{ cost: 'loadSecondsAMillion', name: 'a million loaded' }] },
];
