// Conditions find the records of which they are true by the logic of three values, over random submissions (D47, D53).

import fc from 'fast-check';
import { readSlice } from '../../shared/render/read-page';
import { parseItems } from '../../shared/store/port';
import type { Condition } from '../../shared/query/condition';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { openReleases, planPage } from '../../shared/search/plan-page';
import { lookupsOf, siteAmount } from '../fixtures/handmade';
import { answerKey, plainRecords } from '../fixtures/plain-records';
import { plainTruth, randomCondition } from '../fixtures/plain-conditions';
import { randomSubmission } from '../fixtures/random-submission';
import { createTestService } from '../fixtures/test-service';

const SEED = 20_261_122;

const { service, load, close } = createTestService();

afterAll(close);

async function keysMeeting(condition: Condition, kind: DataSetKind): Promise<readonly string[]> {
  const state = await service.store.currentState();
  const releases = await openReleases(service, state, kind, condition);
  const { slices } = await planPage(releases, condition, { startIndex: 0, recordCount: 10_000 });
  const pages = await Promise.all(slices.map((slice) => readSlice(slice, () => undefined)));
  return pages.flatMap(({ records }) => parseItems(records).map((item) => answerKey(kind, item))).sort();
}

test('a condition finds the records of which it is true, neither those of which it is false nor unknown', async () => {
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: 4 })) {
    await load(submission);
    for (const kind of DATA_SET_KINDS) {
      const records = plainRecords(kind, submission);
      for (const condition of fc.sample(randomCondition(kind), { seed: SEED, numRuns: 100 })) {
        const expected = records.filter((record) => plainTruth(condition, record, kind) === true);
        expect({ condition, keys: await keysMeeting(condition, kind) }).toEqual({
          condition,
          keys: expected.map(({ key }) => key).sort(),
        });
      }
    }
  }
});

test('a pattern that many values meet finds what each of them has, in every spelling that meets it', async () => {
  const types = Array.from({ length: 60 }, (_, index) => `Type ${index}`);
  const sites = [...types, 'type 0', 'Other'].map((type, index) => ({ SiteUUID: `S${index}`, SiteTypeCV: type }));
  await load({
    ...lookupsOf({ OrganizationUUID: 'UTwr' }),
    'sites.csv': sites,
    'sitespecificamounts.csv': sites.map(({ SiteUUID }) => siteAmount({ OrganizationUUID: 'UTwr', SiteUUID })),
  });
  const member = { kind: 'field', field: 'siteType' } as const;
  const countLike = async (pattern: string, isFolded: boolean): Promise<number> => {
    const condition: Condition = { kind: 'text', member, test: { kind: 'like', isFolded, pattern } };
    return (await keysMeeting(condition, 'SiteVariableAmounts')).length;
  };
  expect([await countLike('Type%', false), await countLike('type%', false), await countLike('type%', true)]).toEqual([
    ...[60, 1, 61],
  ]);
});
