// The report of a load as a page (report.html): it has the same words as report.md, needs no other files, and shows the
// content of a submission as text.

import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { writeReport } from '../../data-loaders/report/report-files';
import { reportHtml, reportMarkdown } from '../../data-loaders/report/report-texts';
import { readDocumentStyles } from '../../shared/documents/document-styles';
import { createAmounts } from '../fixtures/many-amounts';
import {
  aggregatedSubmission,
  allocationsSubmission,
  siteAmountsSubmission,
  writeSubmission,
} from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const FILE = 'sitespecificamounts.csv';
const HOSTILE = '</td><script>alert("1")</script><img src=x onerror=alert(1)>`&amp;';

/** The words of a page as a reader sees them. */
function readWords(page: string): readonly string[] {
  const main = /<main[^>]*>(?<main>.*)<\/main>/s.exec(page)?.groups?.['main'] ?? '';
  const text = main
    .replaceAll(/<\/?(?:code|strong)>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return splitWords(text);
}

/** The words of Markdown without its syntax. */
function readMarkdownWords(markdown: string): readonly string[] {
  const lines = markdown.split('\n').filter((line) => !/^\|(?: -+:? \|)+$/.test(line));
  return splitWords(lines.map((line) => line.replace(/^#+ |^- /, '').replaceAll('\\|', '|')).join('\n'));
}

/** Syntax characters of Markdown are ignored in both texts, because values may contain them. */
function splitWords(text: string): readonly string[] {
  return text
    .replaceAll('`', '')
    .replaceAll(/[|*]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}

const all = { ...siteAmountsSubmission, ...aggregatedSubmission, ...allocationsSubmission };

const spoiled = withCells(withCells(all, FILE, 0, { Amount: HOSTILE }), FILE, 1, {
  ReportYearCV: 1066,
  WaterSourceUUID: 'WS9',
  BeneficialUseCategory: '<b>Unheard</b> of',
  [HOSTILE]: 'x',
});

describe.each([
  ['published', (): Promise<Report> => service.load(all)],
  ['published with rejected rows, warnings and changes', () => service.load(spoiled)],
  ['unchanged', () => service.load(spoiled)],
  ['refused', () => service.load({ ...all, 'organizations.csv': [] })],
  ['a dry run', () => service.load(all, { isDryRun: true })],
  [
    'held',
    async () => {
      await service.load(createAmounts(12));
      return service.load(createAmounts(12, 12), { holdSubmissions: true });
    },
  ],
])('a report of a submission: %s', (_, load) => {
  let report: Report;
  let page: string;

  beforeAll(async () => {
    report = await load();
    page = reportHtml(report, readDocumentStyles());
  });

  test('has the same words as report.md', () => {
    expect(readWords(page)).toEqual(readMarkdownWords(reportMarkdown(report)));
  });

  test('needs no other file and no script, and shows values as text', () => {
    expect(page).not.toMatch(/<(?:script|img|link|iframe|b)\b|<[^>]* (?:on\w+|src|style)=/i);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test('has headings in order, and tables with named columns and rows', () => {
    const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels[0]).toBe(1);
    levels.slice(1).forEach((level, index) => {
      expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
      expect(level).toBeGreaterThan(1);
    });
    for (const [table] of page.matchAll(/<table>.*?<\/table>/gs)) {
      const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => row);
      expect(rows[0]).toMatch(/^(?:\s*<th scope="col"[^>]*>[^<]+<\/th>)+\s*$/);
      for (const row of rows.slice(1)) expect(row).toMatch(/^\s*<th scope="row"/);
    }
  });
});

test('report.html is written next to report.md and report.json, and does not count as a submitted file', async () => {
  const report = await service.load(spoiled);
  const folder = join(service.folder, 'reported');
  mkdirSync(folder);
  writeReport(report, folder);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toBe(reportHtml(report, readDocumentStyles()));
  expect(['report.json', 'report.md'].filter((name) => !existsSync(join(folder, name)))).toEqual([]);
  const submission = join(service.folder, 'sent again');
  writeSubmission(submission, all);
  cpSync(join(folder, 'report.html'), join(submission, 'report.html'));
  expect((await service.loadFolder(submission)).verdict).not.toBe('refused');
});
