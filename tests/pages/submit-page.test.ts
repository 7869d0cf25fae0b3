// The page at /submit and what it hands out (D66).

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { submissionFiles } from '../../data-loaders/format/submission-files';
import { templateFiles } from '../../shared/http/pages/submit-page';
import type { Service } from '../../shared/http/pipeline/service';
import { readPlainCsv } from '../fixtures/plain-csv';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

async function pageWith(submitting: Service['submitting']): Promise<string> {
  return (await service.ask({ ...service.service, submitting }, '/submit', {})).text;
}

test.each(submissionFiles.map((file) => [file.name, file] as const))(
  '%s is handed out empty and filled in, with every column of the format',
  async (name, { columns }) => {
    for (const [folder, isFilled] of [
      ['empty', false],
      ['example', true],
    ] as const) {
      const answer = await service.get(`/submit/${folder}/${name}`, {});
      expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
      const { header, rows } = readPlainCsv(Buffer.from(answer.bytes));
      expect(header.cells).toEqual(Object.keys(columns));
      expect(rows.length > 0).toBe(isFilled);
    }
  },
);

test('the filled example loads without a remark, and again it changes nothing', async () => {
  const folder = mkdtempSync(join(service.folder, 'templates-'));
  for (const [path, text] of templateFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const report = await service.loadFolder(join(folder, 'example'), { holdSubmissions: true, rejectedShareLimit: 0 });
  expect(report).toMatchObject({ verdict: 'published', notes: [] });
  expect(report.dataSets.map(({ records, smells }) => [records, smells])).toEqual([
    [2, []],
    [1, []],
    [2, []],
  ]);
  for (const { accepted, reasons } of report.files) expect([accepted > 0, reasons]).toEqual([true, {}]);
  expect((await service.loadFolder(join(folder, 'example'))).verdict).toBe('unchanged');
});

test('the guide is handed out without the marks of its made parts', async () => {
  const guide = await service.get('/submit/guide.md', {});
  expect(guide).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  expect(guide.text).toMatch(/^# Submitting data\n/);
  expect(guide.text).not.toContain('<!--');
  expect(guide.text).toContain('\n### other-system\n');
});

test('the page says how a submission goes in: in the words of the operator, by the inbox, or by the operator', async () => {
  const asked = await pageWith({ instructions: 'Write to data@example.org & wait.', inbox: 'folder' });
  expect(asked).toContain('<p>Write to data@example.org &#38; wait.</p>');
  expect(asked).not.toContain('inbox');
  expect(await pageWith({ instructions: 'https://example.org/drop', inbox: undefined })).toContain(
    '<a href="https://example.org/drop" rel="noopener">',
  );
  expect(await pageWith({ instructions: '', inbox: 'folder' })).toContain('has an inbox, a shared folder');
  expect(await pageWith({ instructions: '', inbox: 'account' })).toContain('has an inbox, a storage container');
  expect(await pageWith({ instructions: '', inbox: undefined })).toContain(
    'the operator of this service, who loads it',
  );
});
