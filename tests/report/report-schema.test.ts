import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { Report } from '../../data-loaders/format/report';
import { projectDirectory } from '../../shared/project-files';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import type { Submission } from '../fixtures/submission';
import { rowsOf, withCells, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const path = join(projectDirectory(), 'docs', 'report.schema.json');
const schema = JSON.parse(readFileSync(path, 'utf8')) as object;
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

function errorsOf(report: Report): unknown {
  return validate(JSON.parse(JSON.stringify(report))) ? [] : validate.errors;
}

const all = { ...siteAmountsSubmission, ...aggregatedSubmission, ...allocationsSubmission };
const FILE = 'sitespecificamounts.csv';

const changed = {
  ...withCells(withCells(all, FILE, 0, { Amount: 99_999 }), FILE, 1, { ReportYearCV: 1066, Amount: 'x' }),
  'sites.csv': rowsOf(all, 'sites.csv').map((row) => ({ ...row, Longitude: 10 })),
};

/** Twelve years at one site, with this amount in each. */
function years(Amount: number): Submission {
  const rows = Array.from({ length: 12 }, (_, index) => {
    return { ...rowsOf(siteAmountsSubmission, FILE)[0], ReportYearCV: 2000 + index, Amount };
  });
  return { ...siteAmountsSubmission, [FILE]: rows };
}

test('reports of every verdict fit docs/report.schema.json', async () => {
  const refused = withRows(all, FILE, [{ OrganizationUUID: 'ORG_2' }]);
  const reports = [
    await service.load(all),
    await service.load(all),
    await service.load(changed, { isDryRun: true }),
    await service.load(changed),
    await service.load({
      'organizations.csv': [],
      ...refused,
      ...{ 'aggregatedamounts.csv': [], 'waterallocations.csv': [] },
    }),
    await service.load(years(1)),
    await service.load(years(2), { holdSubmissions: true }),
    await service.load(years(2), { holdSubmissions: true, isDryRun: true }),
  ];
  expect(reports.map(({ verdict }) => verdict)).toEqual([
    ...['published', 'unchanged', 'would-publish', 'published', 'refused', 'published', 'held', 'would-be-held'],
  ]);
  expect(reports[6]?.dataSets[0]?.holds).not.toEqual([]);
  expect(reports.map(errorsOf)).toEqual(reports.map(() => []));
  expect(reports[3]?.dataSets[0]?.smells).not.toEqual([]);
});

test.each([
  ['an unknown verdict', { verdict: 'accepted' }],
  ['a member that is not declared', { more: 1 }],
  ['an unknown rule', { findings: [{ file: 'a.csv', line: 1, column: null, rule: 'odd', value: '' }] }],
  [
    'a line that is no number',
    { findings: [{ file: 'a.csv', line: '1', column: null, rule: 'cell-count', value: '' }] },
  ],
])('the schema refuses %s', async (_, change) => {
  expect(errorsOf({ ...(await service.load(all)), ...change } as unknown as Report)).not.toEqual([]);
});

test.each(realSubmissions.map(({ folder }) => folder))(
  'the report of the real submission %s fits the schema, and the table knows all of its uses',
  async (folder) => {
    const report = await service.loadFolder(join(REAL_DATA, folder));
    expect(errorsOf(report)).toEqual([]);
    const uses = report.dataSets.flatMap(({ uncategorizedUses }) => uncategorizedUses);
    expect(uses.filter(({ primaryUse }) => primaryUse === null)).toEqual([]);
  },
);
