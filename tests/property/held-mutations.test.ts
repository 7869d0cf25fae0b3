// A small submission with random damage (D64): it is not published without its code if it loses a fifth of its records,
// moves half of its places away or changes half of its amounts.

import fc from 'fast-check';
import type { Report } from '../../data-loaders/format/report';
import { chooseSeed, countCases } from '../fixtures/soak';
import { type Row, siteAmountsSubmission, type Submission } from '../fixtures/submission';
import { getRows } from '../fixtures/submission-changes';
import { createServiceMaker, type TestService } from '../fixtures/test-service';

const RUNS = countCases(1000, 0.025);
const SEED = chooseSeed(20_261_123);
const ROWS = 60;
const SITES = 20;
const AMOUNTS = 'sitespecificamounts.csv';
const nextService = createServiceMaker();

/** The rows of the undamaged submission, in which each site has three amounts. */
const [firstSite, firstAmount] = ['sites.csv', AMOUNTS].map((file) => getRows(siteAmountsSubmission, file)[0] ?? {});
const sites = Array.from({ length: SITES }, (_, index) => ({ ...firstSite, SiteUUID: `P${10 + index}` }));
const amounts = Array.from({ length: ROWS }, (_, index): Row => {
  return { ...firstAmount, SiteUUID: `P${10 + (index % SITES)}`, ReportYearCV: 2000 + index, Amount: 1 + index };
});

interface Damage {
  /** The numbers of the affected rows. */
  readonly gone: readonly number[];
  readonly changed: readonly number[];
  readonly moved: readonly number[];
  readonly factor: number;
  readonly way: 'exchanged' | 'metres' | 'without sign' | 'far';
}

const drawIndices = (count: number): fc.Arbitrary<readonly number[]> =>
  fc.oneof(fc.constant([]), fc.shuffledSubarray(Array.from({ length: count }, (_, index) => index)));

const damages: fc.Arbitrary<Damage> = fc.record({
  gone: drawIndices(ROWS),
  changed: drawIndices(ROWS),
  moved: drawIndices(SITES),
  factor: fc.constantFrom(0, 0.5, 1.001, 325_851, -1),
  way: fc.constantFrom('exchanged', 'metres', 'without sign', 'far'),
});

const COORDINATES: Readonly<Record<Damage['way'], Row>> = {
  exchanged: { Longitude: '40.5', Latitude: '-111.5' },
  metres: { Longitude: '431250.5', Latitude: '4490000' },
  'without sign': { Longitude: '111.5', Latitude: '40.5' },
  far: { Longitude: '-80', Latitude: '40.5' },
};

function damaged({ gone, changed, moved, factor, way }: Damage): Submission {
  const other = amounts.map((row, index) => {
    return changed.includes(index) ? { ...row, Amount: Number(row['Amount']) * factor } : row;
  });
  return {
    ...siteAmountsSubmission,
    'podsitetopousiterelationships.csv': [],
    'sites.csv': sites.map((row, index) => (moved.includes(index) ? { ...row, ...COORDINATES[way] } : row)),
    [AMOUNTS]: other.filter((_, index) => !gone.includes(index)),
  };
}

const WHOLE: Damage = { gone: [], changed: [], moved: [], factor: 1, way: 'far' };

/** The expected reasons, derived from the damage itself. */
function expectedReasons({ gone, changed, moved, way }: Damage): readonly string[] {
  const stay = amounts.flatMap((_, index) => (gone.includes(index) ? [] : [index]));
  const places = new Set(stay.map((index) => index % SITES));
  const movedPlaces = moved.filter((index) => places.has(index)).length;
  const isMoved = places.size >= 10 && movedPlaces > places.size / 2;
  const isUnusable = way === 'exchanged' || way === 'metres';
  const isGone = isUnusable && movedPlaces >= 10 && movedPlaces > places.size * 0.2;
  const isChanged = stay.length >= 10 && stay.filter((index) => changed.includes(index)).length > stay.length / 2;
  return [
    ...(gone.length > ROWS * 0.2 ? ['records-gone'] : []),
    ...(isChanged ? ['amounts-changed'] : []),
    ...(isGone ? ['positions-gone'] : []),
    ...(isMoved ? [isUnusable ? 'positions-unusable' : 'outside-states'] : []),
  ];
}

function load(service: TestService, damage: Damage, confirmationCode?: string): Promise<Report> {
  const options = { holdSubmissions: true, ...(confirmationCode !== undefined && { confirmationCode }) };
  return service.load(damaged(damage), options);
}

test('damage to a fifth of the records, or to half of a part of them, is held with the correct reasons', async () => {
  const service = nextService();
  const { store } = service;
  await load(service, WHOLE);
  const whole = await store.currentState();
  let held = 0;
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      fc.pre(damage.gone.length < ROWS);
      const report = await load(service, damage);
      const expected = expectedReasons(damage);
      const reasons = report.dataSets.flatMap(({ holds }) => holds.map(({ reason }) => reason));
      expect(reasons).toEqual(expected);
      expect(report.verdict === 'held').toBe(expected.length > 0);
      if (expected.length > 0) {
        held++;
        const { confirmationCode } = report;
        expect(await load(service, damage, confirmationCode ?? '')).toMatchObject({ verdict: 'published' });
      }
      // Restores the state with which the next damage is compared.
      expect(await store.publish((await store.currentState()).version, whole)).toBe('published');
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(held).toBeGreaterThan(RUNS / 4);
});
