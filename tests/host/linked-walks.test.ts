// Walks over HTTP while other processes publish and roll back: a linked walk sees one data version to its end (D33),
// and a client that counts StartIndex up reads the current version at each page.

import { join } from 'node:path';
import { ask, runProgram, startHost, type RunningHost, type WireAnswer } from '../fixtures/host-process';
import { writeSubmission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { submissionOfState } from '../fixtures/two-states';

const folder = temporaryFolder();
const settings = { WATER_DATA_DIR: join(folder, 'data'), LOAD_SAMPLES: 'false' };

const WALKS = 20;
const YEARS = 60;

/** The amounts of a state's n-th load begin at n thousands, so that each amount names its load. */
const loads = [1, 2, 3].map((load) =>
  writeSubmission(join(folder, `load-${load}`), submissionOfState('UT', YEARS + load, load * 1000)),
);
const otherState = writeSubmission(join(folder, 'other'), submissionOfState('CO', 10, 9000));

interface Walk {
  readonly path: string;
  next: string | undefined;
  readonly versions: Set<unknown>;
  readonly amounts: number[];
}

let host: RunningHost;

beforeAll(async () => {
  await load(loads[0]);
  host = await startHost(settings);
});

afterAll(async () => {
  await host.stop();
});

async function load(submission: string | undefined): Promise<void> {
  const { code, errors } = await runProgram('tools/load', [submission ?? ''], settings);
  if (code !== 0) throw new Error(errors);
}

async function rollBack(): Promise<void> {
  const { code, errors } = await runProgram('tools/releases', ['rollback', 'ORG_UT', 'SiteVariableAmounts'], settings);
  if (code !== 0) throw new Error(errors);
}

function get(path: string): Promise<WireAnswer> {
  return ask(host.port, path, { 'x-api-key': host.key ?? '' });
}

function amountsOf({ status, text }: WireAnswer): readonly number[] {
  if (status !== 200) throw new Error(text);
  const { Organizations } = JSON.parse(text) as {
    readonly Organizations: readonly { readonly SiteVariableAmounts: readonly { readonly Amount: number }[] }[];
  };
  return Organizations.flatMap(({ SiteVariableAmounts }) => SiteVariableAmounts.map(({ Amount }) => Amount));
}

/** The amounts of a load, in the order of their years. */
function amountsOfLoad(number: number): readonly number[] {
  return Array.from({ length: YEARS + number }, (_, index) => number * 1000 + index);
}

async function step(walk: Walk): Promise<void> {
  if (walk.next === undefined) return;
  const page = await get(walk.next);
  walk.versions.add(page.headers['data-version']);
  walk.amounts.push(...amountsOf(page));
  walk.next = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1];
}

test(`${WALKS} linked walks across loads and a rollback each end on the data version that they began with`, async () => {
  const walks = Array.from({ length: WALKS }, (_, index): Walk => {
    const path = `/v1/SiteVariableAmounts?OrganizationUUID=ORG_UT&RecordCount=${4 + (index % 3)}`;
    return { path, next: path, versions: new Set(), amounts: [] };
  });
  // Five walks begin before each publish, and all go on by a page before the next.
  const publishes = [() => load(loads[1]), () => load(otherState), () => load(loads[2]), rollBack];
  for (const [index, publish] of publishes.entries()) {
    for (let page = 0; page < 2; page++) await Promise.all(walks.slice(0, (index + 1) * 5).map(step));
    expect(walks.every(({ next }) => next !== undefined)).toBe(true);
    await publish();
  }
  while (walks.some(({ next }) => next !== undefined)) await Promise.all(walks.map(step));

  expect(walks.map(({ versions }) => versions.size)).toEqual(walks.map(() => 1));
  expect(new Set(walks.flatMap(({ versions }) => [...versions])).size).toBe(4);
  const began = walks.map((_, index) => [1, 2, 2, 3][Math.floor(index / 5)] ?? 0);
  expect(walks.map(({ amounts }) => amounts)).toEqual(began.map(amountsOfLoad));
});

test('a client that counts StartIndex up reads the current version at each page, and all of it when nothing is published', async () => {
  const path = '/v1/SiteVariableAmounts?RecordCount=7&OrganizationUUID=ORG_UT';
  const counted = async (onPage: (page: number) => Promise<void>): Promise<readonly (readonly number[])[]> => {
    const pages: (readonly number[])[] = [];
    for (;;) {
      const amounts = amountsOf(await get(`${path}&StartIndex=${pages.length * 7}`));
      if (amounts.length === 0) return pages;
      pages.push(amounts);
      await onPage(pages.length);
    }
  };
  await load(loads[1]);
  const quiet = await counted(() => Promise.resolve());
  expect(quiet.flat()).toEqual(amountsOfLoad(2));
  const across = await counted((page) => (page === 3 ? load(loads[0]) : Promise.resolve()));
  const loadsOfPages = across.map((amounts) => new Set(amounts.map((amount) => Math.floor(amount / 1000))));
  expect(loadsOfPages.map((numbers) => [...numbers])).toEqual([[2], [2], [2], [1], [1], [1], [1], [1], [1]]);
});
