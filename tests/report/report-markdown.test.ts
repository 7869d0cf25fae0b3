// The report of a load for people, as Markdown, and for programs, according to its schema.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { Report } from '../../data-loaders/format/report';
import { submissionFiles } from '../../data-loaders/format/submission-files';
import { reportMarkdown } from '../../data-loaders/report/report-texts';
import { findProjectDirectory } from '../../shared/project-files';
import { createAmounts } from '../fixtures/many-amounts';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { aggregatedSubmission, allocationsSubmission, type Row, siteAmountsSubmission } from '../fixtures/submission';
import { getRows, withCells, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const FILE = 'sitespecificamounts.csv';
const REAL = join(REAL_DATA, 'OK-allocations-caddo');

/** One row in a table of findings. */
interface Named {
  readonly file: string;
  readonly line: number;
  readonly column: string;
  readonly found: string;
}

/** Reads the report like a person: the file from its heading; line, column and value from its table. */
function namedFindings(markdown: string): readonly Named[] {
  let file = '';
  const named: Named[] = [];
  for (const text of markdown.split('\n')) {
    if (text.startsWith('#')) file = text.replace(/^#+ /, '');
    const cells = /^\| (\d+) \| (.+?) \| (.+) \|$/.exec(text);
    if (cells === null || !file.endsWith('.csv')) continue;
    named.push({ file, line: Number(cells[1]), column: cells[2] ?? '', found: plainText(cells[3] ?? '') });
  }
  return named;
}

function plainText(cell: string): string {
  const text = cell
    .replaceAll('\\|', '|')
    .replace(/^`` (.*) ``$/, '$1')
    .replace(/^`(.*)`$/, '$1');
  return text === '(empty)' ? '' : text;
}

/**
 * The part of a finding that must be in the file, without the words that the report adds and without the truncation
 * mark.
 */
function quoted(found: string): string {
  return found
    .replace(/^(a copy of|as) line \d+: /, '')
    .replace(/ \(first: .*\)$/, '')
    .replace(/…$/, '');
}

/** Spoils rows of a real submission, each row in a different way. */
function spoil(folder: string): void {
  const change = (file: string, edit: (lines: string[]) => void): void => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    edit(lines);
    writeFileSync(join(folder, file), lines.join('\n'));
  };
  change('waterallocations.csv', (lines) => {
    lines[10] = (lines[10] ?? '').replace('OKwr_O1', 'OKwr|`O1`');
    lines[20] = `${lines[20] ?? ''},one cell too many`;
    lines[30] = (lines[30] ?? '').replace('Irrigation', 'irrigation');
    lines.push(...lines.slice(40, 42));
  });
  change('sites.csv', (lines) => {
    lines.splice(100, 0, (lines[50] ?? '').trimEnd());
  });
}

test('every finding in the report refers to the correct line of the file', async () => {
  const folder = join(service.folder, 'spoiled');
  mkdirSync(folder);
  cpSync(REAL, folder, { recursive: true });
  spoil(folder);
  const report = await service.loadFolder(folder);
  const markdown = reportMarkdown(report);
  const named = namedFindings(markdown);
  const rulesNamed = [...markdown.matchAll(/rule `([a-z-]+)`/g)].map(([, rule]) => rule);
  expect([...new Set(rulesNamed)].sort()).toEqual([...new Set(report.findings.map(({ rule }) => rule))].sort());
  expect(rulesNamed).toEqual(
    expect.arrayContaining([
      'cell-count',
      'duplicate-amount',
      'duplicate-identifier',
      'duplicate-relation',
      'letter-case',
      'unknown-organization',
    ]),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(markdown).toContain('| sites.csv | `NHDUpdateDate`, `NHDReachCode`, `NHDMeasureNumber` |');
  for (const { file, line, column, found } of named) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const text = lines[line - 1] ?? '';
    const first = lines[Number(/^a copy of line (\d+)/.exec(found)?.[1]) - 1];
    if (first !== undefined) {
      expect(first.trimEnd()).toBe(text.trimEnd());
      expect(text).toContain(quoted(found));
    } else {
      expect(text.replace(/\s+/g, ' ')).toContain(quoted(found));
      if (column !== '(the row)') expect(lines[0]).toContain(column);
    }
  }
});

test('lists verdict, fixes, warnings, changes, data-quality warnings and notes in this order', async () => {
  await service.load(siteAmountsSubmission);
  const bad = withCells(withCells(siteAmountsSubmission, FILE, 0, { Amount: '1,000 AF' }), FILE, 1, {
    WaterSourceUUID: 'WS9',
    BeneficialUseCategory: 'Unheard of',
    Amount: 99_999,
    Remark: 'x',
  });
  const markdown = reportMarkdown(await service.load(bad));
  const headings = markdown.split('\n').filter((line) => /^##? /.test(line));
  expect(headings).toEqual([
    '# Published',
    '## What to fix',
    '## Warnings',
    '## What changed',
    '## What a person should look at',
    '## Uses without a USGS category',
    '## Notes',
    '## Identity',
  ]);
  expect(markdown).toContain('| 2 | Amount | `1,000 AF (write the number without AF)` |');
  expect(markdown).toContain('How to fix it: Write numbers with only digits');
  expect(markdown).toContain('Terms that our table of uses does not list: `Unheard of` (1 record)');
});

test('a refusal says that nothing was published and what to fix', async () => {
  const rows = getRows(siteAmountsSubmission, FILE).map((row) => ({ ...row, MethodUUID: 'M9' }));
  const markdown = reportMarkdown(await service.load(withRows(siteAmountsSubmission, FILE, rows)));
  expect(markdown).toMatch(/^# Refused\n\nRefused: .*\. Nothing was published/);
  expect(markdown).toContain('| 7 | MethodUUID | `M9` |');
  expect(markdown).not.toContain('## What changed');
});

test('shows a hundred causes of a rule and says how many more rows there are', async () => {
  const [first] = getRows(siteAmountsSubmission, FILE);
  const rows = Array.from({ length: 150 }, (_, index) => ({ ...first, ReportYearCV: index, Amount: `no ${index}` }));
  const submission = withRows(siteAmountsSubmission, FILE, [...getRows(siteAmountsSubmission, FILE), ...rows]);
  const markdown = reportMarkdown(await service.load(submission, { rejectedShareLimit: 1 }));
  expect(namedFindings(markdown).filter(({ column }) => column === 'Amount')).toHaveLength(100);
  expect(markdown).toContain(`And 50 more of this kind in ${FILE}.`);
});

test('hundreds of rows with one cause take one line, before rows with other causes', async () => {
  const [first] = getRows(siteAmountsSubmission, FILE);
  const ownRows = getRows(siteAmountsSubmission, FILE);
  const bad = (index: number): string => (index % 100 === 50 ? 'rare' : 'none');
  const rows = Array.from({ length: 300 }, (_, index) => ({ ...first, ReportYearCV: index, Amount: bad(index) }));
  const submission = withRows(siteAmountsSubmission, FILE, [...ownRows, ...rows]);
  const markdown = reportMarkdown(await service.load(submission, { rejectedShareLimit: 1 }));
  const start = ownRows.length + 2;
  const lines = [`${start}–${start + 49}`, `${start + 51}–${start + 149}`];
  lines.push(`${start + 151}–${start + 249}`, `${start + 251}–${start + 299}`);
  expect(markdown).toContain(
    `| ${lines.join(', ')} | Amount | \`none\` |\n| ${start + 50} | Amount | \`rare\` |\n| ${start + 150} |`,
  );
  expect(markdown).not.toContain('more of this kind');
});

test('up to ten separate line ranges of one cause are listed', async () => {
  const amounts = createAmounts(60);
  const rows = getRows(amounts, FILE).map((row, index) => (index % 2 === 0 ? { ...row, WaterSourceUUID: 'WS9' } : row));
  const markdown = reportMarkdown(await service.load(withRows(amounts, FILE, rows)));
  expect(markdown).toContain('| 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 20 more | WaterSourceUUID | `WS9` |');
});

test('the cell precedes the advice', async () => {
  const markdown = reportMarkdown(await service.load(withCells(siteAmountsSubmission, FILE, 0, { Amount: 'a lot' })));
  const cell = markdown.indexOf('`a lot`');
  const advice = markdown.indexOf('How to fix it');
  expect(cell).toBeGreaterThan(0);
  expect(advice).toBeGreaterThan(cell);
});

test('lists all missing columns with complete names, however many there are', async () => {
  const rows = getRows(siteAmountsSubmission, 'sites.csv').map(({ SiteUUID, SiteName }) => ({ SiteUUID, SiteName }));
  const report = await service.load(withRows(siteAmountsSubmission, 'sites.csv', rows as readonly Row[]));
  const known = new Set(submissionFiles.flatMap(({ columns }) => Object.keys(columns)));
  const line = reportMarkdown(report)
    .split('\n')
    .find((text) => text.startsWith('| sites.csv | `'));
  const names = Array.from((line ?? '').matchAll(/`([^`]*)`/g), ([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('a long list is cut after a complete name, and a hint about it is kept', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `SITE-${index}`);
  const report = await service.load(
    withCells(siteAmountsSubmission, FILE, 0, { Amount: `${ids.join(',')} 5 AF`, Remark: 'x' }),
  );
  const [finding] = report.findings.filter(({ column }) => column === 'Amount');
  expect(finding?.value.length).toBeLessThanOrEqual(200);
  expect(finding?.value).toMatch(/^SITE-0,.*SITE-\d+…/);
  const last = /SITE-\d+(?=…)/.exec(finding?.value ?? '')?.[0];
  expect(ids).toContain(last);
});

test.each([
  ['without organizations', { ...siteAmountsSubmission, 'organizations.csv': [] }],
  ['with a broken header', withRows(siteAmountsSubmission, FILE, [])],
])(
  'a submission that is refused as a whole (%s) says what to send again, and lists nothing to fix',
  async (_, files) => {
    const report = await service.load(files);
    const markdown = reportMarkdown(report);
    expect(report.verdict).toBe('refused');
    const hasRejectedRows = report.files.some(({ rejected }) => rejected > 0);
    expect(markdown.includes('## What to fix')).toBe(hasRejectedRows);
    expect(markdown.includes('## What to send again')).toBe(!hasRejectedRows);
    expect(markdown).toMatch(/send .*(?:everything again|whole submission again)/);
  },
);

test('no value can break its table', async () => {
  const Amount = '`a|b`\n| 9 | x | y |';
  const report = await service.load(withCells(siteAmountsSubmission, FILE, 0, { Amount }));
  expect(reportMarkdown(report)).toContain('| 2 | Amount | `` `a\\|b` \\| 9 \\| x \\| y \\| `` |');
});

const schemaService = createTestService();

const path = join(findProjectDirectory(), 'docs', 'report.schema.json');
const schema = JSON.parse(readFileSync(path, 'utf8')) as object;
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

function listSchemaErrors(report: Report): unknown {
  return validate(JSON.parse(JSON.stringify(report))) ? [] : validate.errors;
}

const all = { ...siteAmountsSubmission, ...aggregatedSubmission, ...allocationsSubmission };

const changed = {
  ...withCells(withCells(all, FILE, 0, { Amount: 99_999 }), FILE, 1, { ReportYearCV: 1066, Amount: 'x' }),
  'sites.csv': getRows(all, 'sites.csv').map((row) => ({ ...row, Longitude: 10 })),
};

test('reports of every verdict conform to docs/report.schema.json', async () => {
  const refused = withRows(all, FILE, [{ OrganizationUUID: 'ORG_2' }]);
  const reports = [
    await schemaService.load(all),
    await schemaService.load(all),
    await schemaService.load(changed, { isDryRun: true }),
    await schemaService.load(changed),
    await schemaService.load({
      'organizations.csv': [],
      ...refused,
      'aggregatedamounts.csv': [],
      'waterallocations.csv': [],
    }),
    await schemaService.load(createAmounts(12)),
    await schemaService.load(createAmounts(12, 12), { holdSubmissions: true }),
    await schemaService.load(createAmounts(12, 12), { holdSubmissions: true, isDryRun: true }),
  ];
  expect(reports.map(({ verdict }) => verdict)).toEqual([
    'published',
    'unchanged',
    'would-publish',
    'published',
    'refused',
    'published',
    'held',
    'would-be-held',
  ]);
  expect(reports[6]?.dataSets[0]?.holds).not.toEqual([]);
  expect(reports.map(listSchemaErrors)).toEqual(reports.map(() => []));
  expect(reports[3]?.dataSets[0]?.qualityWarnings).not.toEqual([]);
});

test.each([
  ['an unknown verdict', { verdict: 'accepted' }],
  ['an undeclared member', { more: 1 }],
  ['an unknown rule', { findings: [{ file: 'a.csv', line: 1, column: null, rule: 'odd', value: '' }] }],
  [
    'a line that is not a number',
    { findings: [{ file: 'a.csv', line: '1', column: null, rule: 'cell-count', value: '' }] },
  ],
])('the schema refuses %s', async (_, change) => {
  expect(listSchemaErrors({ ...(await schemaService.load(all)), ...change } as unknown as Report)).not.toEqual([]);
});

test.each(realSubmissions.map(({ folder }) => folder))(
  'the report of the real submission %s conforms to the schema and has no unknown uses',
  async (folder) => {
    const report = await schemaService.loadFolder(join(REAL_DATA, folder));
    expect(listSchemaErrors(report)).toEqual([]);
    const uses = report.dataSets.flatMap(({ uncategorizedUses }) => uncategorizedUses);
    expect(uses.filter(({ primaryUse }) => primaryUse === null)).toEqual([]);
  },
);
