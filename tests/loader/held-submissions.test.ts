// Holds of submissions that are probably wrong (D64): a held submission is reported, listed in /health and for
// operators, and published unchanged with its confirmation code.

import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { describeStates, formatStates } from '../../data-loaders/list-releases';
import { rebuild } from '../../data-loaders/manage-releases';
import bounds from '../../data-loaders/publish/state-bounds.json';
import { listStatesAround } from '../../data-loaders/publish/state-boxes';
import { reportMarkdown } from '../../data-loaders/report/report-texts';
import { reportText } from '../../data-loaders/report/terminal-report';
import { SILENT } from '../../data-loaders/stage/progress';
import { HealthMemory } from '../../shared/http/operating/health';
import { createAmounts, createRights, createSites, createUnits } from '../fixtures/many-amounts';
import { loadRawFiles, MERGE } from '../fixtures/raw-submission';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { type Row, siteAmountsSubmission, type Submission } from '../fixtures/submission';
import { getRows, withRows } from '../fixtures/submission-changes';
import { createServiceForEachTest, type LoadOptions, TEST_NOW } from '../fixtures/test-service';

const AMOUNTS = 'sitespecificamounts.csv';
const SITES = 'sites.csv';
const service = createServiceForEachTest();

function load(submission: Submission, options: LoadOptions = {}): Promise<Report> {
  return service().load(submission, { holdSubmissions: true, ...options });
}

function listReasons({ dataSets }: Report): readonly string[] {
  return dataSets.flatMap(({ holds }) => holds.map(({ reason }) => reason));
}

function getCode({ confirmationCode }: Report): string {
  if (confirmationCode === null) throw new Error('the submission is not held');
  return confirmationCode;
}

async function publishedRecords(): Promise<readonly number[]> {
  return (await service().store.currentState()).entries.map(({ records }) => records);
}

test('holds a submission that removes over 20 percent and more than ten records', async () => {
  await load(createAmounts(40));
  const report = await load(createAmounts(30));
  expect(report).toMatchObject({
    verdict: 'held',
    dataVersion: null,
    dataSets: [{ outcome: 'held', releaseId: null }],
  });
  expect(report.sentence).toBe(
    'Held: nothing is published until someone confirms it. ' +
      'SiteVariableAmounts: 10 of the 40 published records would be removed (25 percent).',
  );
  expect(report.dataSets[0]?.holds).toMatchObject([{ reason: 'records-gone', count: 10, of: 40 }]);
  expect(report.dataSets[0]?.holds[0]?.examples[0]?.identity).toMatchObject({ SiteUUID: 'S1', ReportYear: '2020' });
  expect(await publishedRecords()).toEqual([40]);
});

test('reports a probable change of keys if the numbers of new and removed records are about equal', async () => {
  await load(createAmounts(40));
  const renamed = getRows(createAmounts(40), AMOUNTS).map((row) => ({ ...row, TimeframeStart: '', TimeframeEnd: '' }));
  const report = await load(withRows(siteAmountsSubmission, AMOUNTS, renamed));
  expect(report.dataSets[0]?.holds).toMatchObject([
    {
      sentence:
        '40 of the 40 published records would be removed (100 percent). 40 others are new: an identifier or a date in ' +
        'the keys has probably changed.',
    },
  ]);
});

test('holds a submission that changes the amounts of over half of the kept records', async () => {
  await load(createAmounts(20));
  expect(await load(createAmounts(20, 10), { isDryRun: true })).toMatchObject({ verdict: 'would-publish' });
  const report = await load(createAmounts(20, 11));
  expect(report.dataSets[0]?.holds).toMatchObject([
    {
      reason: 'amounts-changed',
      count: 11,
      of: 20,
      sentence: '11 of the 20 records that stay have a different amount (55 percent).',
    },
  ]);
  expect(report.dataSets[0]?.holds[0]?.examples[0]).toMatchObject({ member: 'Amount', before: 5, after: 7 });
});

test('holds a submission that changes the priority dates of over half of the rights', async () => {
  await load(createRights(12));
  const half = createRights(12, (index) => (index < 6 ? { AllocationPriorityDate: '1903-06-01' } : {}));
  expect(listReasons(await load(half, { isDryRun: true }))).toEqual([]);
  const most = createRights(12, (index) =>
    index < 7 ? { AllocationPriorityDate: index === 0 ? '' : '1903-06-01' } : {},
  );
  const report = await load(most);
  expect(report.dataSets[0]?.holds).toMatchObject([{ reason: 'priorities-changed', count: 7, of: 12 }]);
  expect(report.dataSets[0]?.holds[0]?.examples[1]).toMatchObject({
    identity: { AllocationNativeID: 'R101' },
    member: 'AllocationPriorityDate',
    before: expect.stringContaining('1902-06-01'),
    after: expect.stringContaining('1903-06-01'),
  });
});

test('holds a first submission with unusable coordinates and says what they look like', async () => {
  const exchanged = createSites(12, (index) => (index < 7 ? { Longitude: '40.5', Latitude: '-111.5' } : {}));
  const report = await load(exchanged);
  expect(report.dataSets[0]?.holds).toMatchObject([
    {
      reason: 'positions-unusable',
      count: 7,
      of: 12,
      sentence:
        '7 of the 12 sites with coordinates have none that can be used (58.3 percent).' +
        ' Longitude and Latitude look swapped in 7 of them.',
    },
  ]);
  const projected = await load(createSites(12, () => ({ Longitude: '431250.5', Latitude: '4490000' })));
  expect(projected.sentence).toContain('The coordinates of 12 of them look like meters of a projection, not degrees.');
});

test('counts unusable geometries separately', async () => {
  const report = await load(createUnits(12, (index) => (index < 7 ? { Geometry: 'POLYGON ((oops' } : {})));
  expect(report.dataSets[0]?.holds).toMatchObject([
    {
      reason: 'positions-unusable',
      count: 7,
      of: 12,
      sentence: '7 of the 12 reporting units with a geometry have none that can be used (58.3 percent).',
    },
  ]);
});

test('holds a submission with over half of its places far outside the state', async () => {
  const report = await load(createSites(12, (index) => (index < 7 ? { Longitude: '111.5' } : {})));
  expect(report.dataSets[0]?.holds).toMatchObject([
    {
      reason: 'outside-states',
      count: 7,
      of: 12,
      sentence: '7 of the 12 sites with a position lie outside Utah and its neighbors (58.3 percent).',
      examples: expect.arrayContaining([
        { identity: { SiteUUID: 'P100' }, member: null, before: null, after: '111.5 40.5' },
      ]),
    },
  ]);
  expect(listReasons(await load(createSites(12, () => ({ Longitude: '-106', Latitude: '39' }))))).toEqual([]);
});

test('reports points that lie in the state if latitude and longitude are swapped', async () => {
  const eastern = createSites(12, () => ({ Longitude: '35.5', Latitude: '-79.5' }));
  const organizations = getRows(eastern, 'organizations.csv').map((row) => ({ ...row, State: 'NC' }));
  const report = await load(withRows(eastern, 'organizations.csv', organizations));
  expect(listReasons(report)).toEqual(['outside-states']);
  expect(report.sentence).toContain('Longitude and Latitude look swapped in 12 of them.');
});

test('the relation between neighboring states is symmetric', () => {
  expect([...listStatesAround('UT')].sort()).toEqual(['AZ', 'CO', 'ID', 'NM', 'NV', 'UT', 'WY']);
  expect([listStatesAround('AK'), listStatesAround('US')]).toEqual([['AK'], []]);
  for (const [state, neighbors] of Object.entries(bounds.neighbours)) {
    for (const neighbor of neighbors) expect(listStatesAround(neighbor)).toContain(state);
  }
});

describe('confirmation', () => {
  const held = createAmounts(20, 20);

  test('the code publishes exactly the held submission, in any letter case, and the report says so', async () => {
    await load(createAmounts(20));
    const code = getCode(await load(held));
    const report = await load(held, { confirmationCode: ` ${code.toUpperCase()}` });
    expect(report).toMatchObject({ verdict: 'published', confirmationCode: code });
    expect(listReasons(report)).toEqual(['amounts-changed']);
    expect(reportMarkdown(report)).toContain('## What was confirmed');
    expect(await load(held)).toMatchObject({ verdict: 'unchanged', confirmationCode: null });
  });

  test('a code for something else holds the submission again, and the report says why', async () => {
    await load(createAmounts(20));
    const report = await load(held, { confirmationCode: '0123456789ab' });
    expect(report.verdict).toBe('held');
    expect(report.sentence).toContain('The confirmation code does not match this submission.');
  });

  test('content that changed after it was held gets another code', async () => {
    await load(createAmounts(20));
    const code = getCode(await load(held));
    const report = await load(createAmounts(20, 19), { confirmationCode: code });
    expect(report.verdict).toBe('held');
    expect(report.confirmationCode).not.toBe(code);
  });

  test('a code is not valid if another release was published in the meantime', async () => {
    await load(createAmounts(20));
    const code = getCode(await load(held));
    await load(createAmounts(20, 3));
    expect(await load(held, { confirmationCode: code })).toMatchObject({ verdict: 'held' });
  });

  test('a dry run reports the hold and its code', async () => {
    await load(createAmounts(20));
    const report = await load(held, { isDryRun: true });
    expect(report).toMatchObject({ verdict: 'would-be-held', dataSets: [{ outcome: 'would-be-held' }] });
    expect(report.sentence).toMatch(/^Dry run: would be held/);
    expect(getCode(report)).toBe(getCode(await load(held)));
  });

  test('reports in all formats end with how to confirm the submission', async () => {
    await load(createAmounts(20));
    const report = await load(held);
    const code = getCode(report);
    for (const text of [reportText(report), reportMarkdown(report).trimEnd()]) {
      expect(text).toContain('20 of the 20 records that stay have a different amount');
      expect(text.split('\n').at(-1)).toContain(`--confirm ${code}.`);
    }
    expect(reportText(report)).toMatch(/^Held: /);
    expect(reportMarkdown(report)).toMatch(/^# Held\n\nHeld: /);
  });
});

describe('the list of held submissions in /health and in the list of releases', () => {
  const held = async (): Promise<readonly (readonly string[])[]> => {
    // A health result is cached for a second, and the tests' clock does not advance.
    const testedService = { ...service().service, health: new HealthMemory() };
    const { json } = await service().getFrom(testedService, '/health', {});
    const list = await service().store.held.list();
    expect(json.held).toEqual(
      list.map(({ organizationUuid, dataSet, heldAt, reasons }) => ({ organizationUuid, dataSet, heldAt, reasons })),
    );
    return list.map(({ dataSet, reasons }) => [dataSet, ...reasons]);
  };

  test('contains a held data set until it is published or sent unchanged', async () => {
    await load(createAmounts(20));
    await load(createAmounts(20, 20), { isDryRun: true });
    expect(await held()).toEqual([]);
    await load(createAmounts(20, 20), { name: 'wrong' });
    const { confirmationCode } = await load(createAmounts(20, 20), { name: 'wrong again' });
    const code = String(confirmationCode);
    await load(createRights(3));
    expect(await held()).toEqual([['SiteVariableAmounts', 'amounts-changed']]);
    expect(formatStates(describeStates(await service().store.history(), await service().store.held.list()))).toContain(
      [
        'Held and not published until someone confirms it:',
        '  ORG_1 SiteVariableAmounts: amounts-changed, since 2026-01-02T03:04:05.000Z',
        '    submission: wrong again',
        `    confirmed by: ${code}`,
      ].join('\n'),
    );
    await load(createAmounts(20));
    expect(await held()).toEqual([]);
    await load(createAmounts(20, 20));
    await load(createAmounts(20, 20), { confirmationCode: code });
    expect(await held()).toEqual([]);
  });

  test('contains a held first submission', async () => {
    await load(createSites(12, () => ({ Longitude: '111.5' })));
    expect(await held()).toEqual([['SiteVariableAmounts', 'outside-states']]);
    expect(formatStates(describeStates([], await service().store.held.list()))).toContain('no data set');
  });
});

test('records that a merge deletes or keeps do not count as removed', async () => {
  await load(createAmounts(20));
  const deleted = getRows(createAmounts(15), AMOUNTS).map((row) => ({ ...row, Delete: 1 }));
  const submission = withRows(siteAmountsSubmission, AMOUNTS, deleted);
  const report = await loadRawFiles(service(), submission, MERGE, { holdSubmissions: true });
  expect(report).toMatchObject({ verdict: 'published', dataSets: [{ change: { removed: 15 } }] });
  expect(report.dataSets[0]?.examples?.removed).toHaveLength(15);
});

test('a refusal takes precedence over a hold', async () => {
  await load(createAmounts(40));
  const bad = getRows(createAmounts(20), AMOUNTS).map((row, index) => (index < 10 ? { ...row, Amount: 'x' } : row));
  const report = await load(withRows(siteAmountsSubmission, AMOUNTS, bad), { rejectedShareLimit: 0.1 });
  expect(report).toMatchObject({ verdict: 'refused', confirmationCode: null });
});

test('an unchanged data set does not cause another data set to be held', async () => {
  const far = createSites(12, () => ({ Longitude: '111.5' }));
  await load(far, { confirmationCode: getCode(await load(far)) });
  const report = await load({ ...far, ...createRights(3, () => ({ SiteUUID: 'P100' })), [SITES]: getRows(far, SITES) });
  expect(report.dataSets.map(({ dataSet, outcome }) => [dataSet, outcome])).toEqual([
    ['SiteVariableAmounts', 'unchanged'],
    ['WaterAllocations', 'published'],
  ]);
});

test('a rebuild is never held', async () => {
  const far = createSites(12, () => ({ Longitude: '111.5' }));
  await load(far, { holdSubmissions: false });
  const { store, folder } = service();
  const [entry] = (await store.currentState()).entries;
  if (entry === undefined) throw new Error('nothing was published');
  const stagingDirectory = join(folder, 'staging');
  const report = await rebuild({ entry, store, stagingDirectory, progress: SILENT, now: () => TEST_NOW });
  expect(report.verdict).toBe('unchanged');
});

test.each(realSubmissions)('$folder is never held', async ({ folder }) => {
  const options = { holdSubmissions: true };
  expect((await service().loadFolder(join(REAL_DATA, folder), options)).verdict).toBe('published');
  expect((await service().loadFolder(join(REAL_DATA, folder), options)).verdict).toBe('unchanged');
});

describe('a column that was lost although its records stay', () => {
  const rows = getRows(createAmounts(40), AMOUNTS).map((row, index): Row => ({
    ...row,
    PopulationServed: 100 + index,
  }));
  const withAmounts = (changed: readonly Row[]): Submission => withRows(createAmounts(40), AMOUNTS, changed);
  const change = (cells: (index: number) => Row): Submission =>
    withAmounts(rows.map((row, index) => ({ ...row, ...cells(index) })));
  const without = getRows(createAmounts(40), AMOUNTS);

  test.each<[string, Submission, string]>([
    ['left out', withAmounts(without), '40 of the 40'],
    ['renamed', withAmounts(without.map((row, index) => ({ ...row, Population: 100 + index }))), '40 of the 40'],
    ['emptied', change(() => ({ PopulationServed: '' })), '40 of the 40'],
    ['filled with error texts', change(() => ({ PopulationServed: '#REF!' })), '40 of the 40'],
    ['emptied in most rows', change((index) => (index < 21 ? { PopulationServed: 'NULL' } : {})), '21 of the 40'],
  ])('is held: %s', async (_, submission, lost) => {
    await load(withAmounts(rows));
    const report = await load(submission);
    expect(listReasons(report)).toEqual(['column-gone']);
    expect(report.sentence).toContain(`${lost} published values of PopulationServed would be removed`);
    expect((await load(submission, { confirmationCode: getCode(report) })).verdict).toBe('published');
  });

  test.each<[string, Submission]>([
    ['emptied in half of the rows', change((index) => (index < 20 ? { PopulationServed: '' } : {}))],
    ['lost together with its records', withAmounts(rows.slice(8))],
  ])('is not held for this: %s', async (_, submission) => {
    await load(withAmounts(rows));
    expect((await load(submission)).verdict).toBe('published');
  });

  test('is held only for unreadable cells if they are the reason for the loss', async () => {
    await load(withAmounts(rows));
    expect(listReasons(await load(change(() => ({ PopulationServed: 'many' }))))).toEqual(['column-unreadable']);
  });
});
