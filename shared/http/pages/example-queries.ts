// Example queries for the landing page: the states that have records, and a query that matches some.

import { accessKey } from '../../query/access-key-parameter';
import { state } from '../../query/filters';
import { recordCount } from '../../query/page-parameters';
import type { DataSetKind } from '../../records/data-sets';
import type { PublishedRelease } from './published-releases';

export const KEY = accessKey.example;

export function countRecords(releases: readonly PublishedRelease[], kind: DataSetKind): number {
  return releases.reduce((sum, { facts }) => sum + (facts.dataSet === kind ? facts.records : 0), 0);
}

export type StateName = readonly [code: string, name: string];

/** Lists the states that have records, sorted by name. */
export function listStates(releases: readonly PublishedRelease[], kind: DataSetKind): readonly StateName[] {
  const states = releases.flatMap(({ facts: { dataSet, organization } }) =>
    dataSet === kind ? [[organization.OrganizationState, organization.State] as const] : [],
  );
  return [...new Map(states)].sort(([, a], [, b]) => (a < b ? -1 : 1));
}

/** Builds a query that matches records if anything is published. */
export function buildExampleQuery(states: readonly StateName[], records: number): string {
  return `${buildStateQuery(states)}${recordCount.name}=${records}`;
}

export function buildStateQuery([first]: readonly StateName[]): string {
  return first === undefined ? '' : `${state.name}=${first[0]}&`;
}
