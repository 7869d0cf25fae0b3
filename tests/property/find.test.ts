// The search for names finds what a plain scan of the submitted rows finds, in the same order (D60), over random and
// real submissions; and each thing that is found says how its records are asked for.

import fc from 'fast-check';
import type { DataSetKind } from '../../shared/records/data-sets';
import {
  OPERATION_OF,
  plainItem,
  plainNames,
  plainThings,
  type NamesQuery,
  type Records,
} from '../fixtures/plain-names';
import { plainRecords } from '../fixtures/plain-records';
import { randomSubmission } from '../fixtures/random-submission';
import { loadRealRecords } from '../fixtures/real-submissions';
import { servicesOfTests } from '../fixtures/test-service';
import { soakCases } from '../fixtures/soak';
import type { Row, Submission } from '../fixtures/submission';

const SEED = 20_261_124;

const serviceOfTest = servicesOfTests();

interface Item {
  readonly Filter: string;
  readonly RecordsCounts: Readonly<Record<(typeof OPERATION_OF)[DataSetKind], number>>;
}

async function find(path: string): Promise<{ readonly total: number; readonly found: readonly Item[] }> {
  const { status, json, text } = await serviceOfTest().get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return { total: json.TotalFoundCount as number, found: json.Found as readonly Item[] };
}

/** Beginnings of words of names and identifiers, whole ones, and words that nothing has. */
function randomQueries(texts: readonly string[]): fc.Arbitrary<NamesQuery> {
  const cut = fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 12 }));
  const beginnings = fc
    .tuple(fc.constantFrom(...texts), fc.array(cut, { minLength: 1, maxLength: 3 }))
    .map(([text, cuts]) => {
      const words = text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '');
      return cuts
        .map(([word, letters]) =>
          Array.from(words[word % words.length] ?? '')
            .slice(0, letters)
            .join(''),
        )
        .join(' ');
    });
  const text = fc.oneof(
    { weight: 4, arbitrary: beginnings },
    { weight: 2, arbitrary: fc.constantFrom(...texts) },
    { weight: 1, arbitrary: fc.constantFrom('zzz', "O'Neil", 'b', 'é', '1') },
  );
  const kinds = fc.subarray(['Site', 'ReportingUnit', 'Right', 'Owner', 'County', 'HUC8', 'Use', 'Organization']);
  const state = fc.option(fc.constantFrom('UT', 'CO', 'OK'), { nil: undefined, freq: 4 });
  return fc.record({ text, kinds: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, kinds), state });
}

async function expectAsPlain(records: Records, names: ReadonlyMap<string, string>, numRuns: number): Promise<number> {
  const things = plainThings(records, names);
  const texts = things.flatMap(({ name, identifier }) => [name ?? '', identifier ?? '']);
  const readable = texts.filter((text) => /[\p{L}\p{N}]/u.test(text));
  let total = 0;
  for (const query of fc.sample(randomQueries(readable), { seed: SEED, numRuns })) {
    const parameters = new URLSearchParams({ Query: query.text, RecordCount: '100' });
    for (const kind of query.kinds) parameters.append('Kind', kind);
    if (query.state !== undefined) parameters.append('State', query.state);
    const expected = plainNames(things, query);
    const path = `/v1/Find?${parameters.toString()}`;
    const answer = await find(path);
    const found = answer.found.map((item) => plainItem({ ...item }));
    expect({ path, total: answer.total, found }).toEqual({
      ...{ path, total: expected.length, found: expected.slice(0, 100) },
    });
    const page = await find(`${path.replace('RecordCount=100', 'RecordCount=3')}&StartIndex=2`);
    expect(page.found).toEqual(answer.found.slice(2, 5));
    total += expected.length;
  }
  return total;
}

const SITE_NAMES = ['Bear River', "O'Neil Ditch", 'Bear Río upper', 'ONEIL DITCH', 'Upper Bear-River', '', 'Well 7'];

/** Sites and units with names; counties are spelled in one way. */
function named(submission: Submission): Submission {
  const plainCounty = (text: string | number | undefined): string => String(text ?? '').replace(/ county$/i, '');
  const sites = submission['sites.csv']?.map((row, at): Row => {
    const own = { SiteName: SITE_NAMES[at % SITE_NAMES.length] ?? '', SiteNativeID: `00-${at % 4}` };
    return { ...row, ...own, County: plainCounty(row['County']) };
  });
  const units = submission['reportingunits.csv']?.map((row): Row => ({
    ...row,
    ReportingUnitName: plainCounty(row['ReportingUnitName']),
  }));
  return { ...submission, 'sites.csv': sites ?? [], 'reportingunits.csv': units ?? [] };
}

test('random words over random submissions', async () => {
  let total = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: soakCases(6, 0.3) }).map(named)) {
    await serviceOfTest().load(submission);
    const records = {
      SiteVariableAmounts: plainRecords('SiteVariableAmounts', submission),
      AggregatedAmounts: plainRecords('AggregatedAmounts', submission),
      WaterAllocations: plainRecords('WaterAllocations', submission),
    };
    const [organization] = submission['organizations.csv'] ?? [];
    const names = new Map([[String(organization?.['OrganizationUUID']), String(organization?.['OrganizationName'])]]);
    total += await expectAsPlain(records, names, soakCases(250, 0.25));
  }
  expect(total).toBeGreaterThan(100);
});

test('random words over the real submissions, of whose finds the filters find as many records as they say', async () => {
  const records = await loadRealRecords(serviceOfTest());
  const { json } = await serviceOfTest().get('/v1/Inventory');
  const organizations = json.Organizations as readonly Record<'OrganizationUUID' | 'OrganizationName', string>[];
  const names = new Map(organizations.map((one) => [one.OrganizationUUID, one.OrganizationName]));
  expect(await expectAsPlain(records, names, soakCases(1500, 0.03))).toBeGreaterThan(1500);
  const kinds = ['Site', 'ReportingUnit', 'Right', 'Owner', 'County', 'HUC8', 'HUC12', 'Use', 'Variable'];
  for (const kind of [...kinds, 'Organization']) {
    for (const query of ['a', 'c', '1', 'w']) {
      const { found } = await find(`/v1/Find?Query=${query}&Kind=${kind}&RecordCount=2`);
      for (const { Filter, RecordsCounts } of found) {
        for (const [dataSet, operation] of Object.entries(OPERATION_OF)) {
          const count = RecordsCounts[operation];
          if (count === 0) continue;
          const answer = await serviceOfTest().get(`/v1/${operation}?${Filter}&RecordCount=1`);
          expect({ Filter, total: answer.json[`Total${dataSet}Count`] }).toEqual({ Filter, total: count });
        }
      }
    }
  }
}, 300_000);
