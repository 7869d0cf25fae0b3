// The mixed load: a fixed seeded order of the rows, most of them warm, one in eight never asked before.

import { randomOfItem } from '../generate/seeded-random';
import { benchmarkRequests, type DataShape, type RequestName } from './benchmark-requests';
import type { Question } from './http-client';

const SEED = 1;
const MIX_STREAM = 70;

/**
 * Of all requests. They are weighed so that one client of the PostgreSQL service, at its times for these rows, would get the
 * 15 answers a second that were measured there: the two loads are then of one weight.
 */
export const mixWeights: Partial<Readonly<Record<RequestName, number>>> = {
  'first page of 1,000': 13,
  'page at 10 percent': 6,
  'page at 50 percent': 6,
  'page at 99 percent': 6,
  '10,000 records': 4,
  'one long series': 8,
  'one short series': 8,
  'county and dates': 7,
  'use and type, first page': 5,
  'use and type, 50 percent': 4,
  'small polygon': 4,
  'large polygon': 5,
  'large polygon, cold': 5,
  'rights, first page': 8,
  'rights, 10,000': 1,
  'rights, large polygon': 3,
  'rights, large polygon, cold': 2,
  'two terms and dates, cold': 3,
  'dates alone, cold': 2,
};

/** The question at each place of the order, which never ends. */
export function mixedQuestions(shape: DataShape): (place: number) => Question {
  const requests = benchmarkRequests(shape);
  // The keys of an object literal of that type.
  const names = Object.keys(mixWeights) as RequestName[];
  const lots = names.flatMap((name) => Array.from({ length: mixWeights[name] ?? 0 }, () => requests[name]));
  return (place) => randomOfItem(SEED, MIX_STREAM, place).pick(lots).question(place);
}
