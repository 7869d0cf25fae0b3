import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { submissionFiles } from '../../data-loaders/format/submission-files';
import { rules, qualityWarnings } from '../../data-loaders/format/rules';
import { generatedDocuments, staleDocuments, submittingDocument } from '../../tools/documents/documents';
import { PROJECT } from '../fixtures/host-process';
import { createTestService } from '../fixtures/test-service';

test('the documents in docs/ that are made from the code are fresh (if not: npm run documents)', async () => {
  const documents = await generatedDocuments();
  const read = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  expect(staleDocuments(documents, read).map(({ path }) => path)).toEqual([]);
  expect(staleDocuments(documents, () => undefined)).toEqual(documents);
  expect(staleDocuments(documents, () => 'other')).toEqual(documents);
});

const document = submittingDocument(readFileSync(join(PROJECT, 'docs', 'submitting.md'), 'utf8'));

/** The text under a heading, up to the next heading of its level or above. */
function section(heading: string): string {
  const [, text = ''] = document.split(`\n### ${heading}\n`);
  return text.split('\n## ')[0]?.split('\n### ')[0] ?? '';
}

test.each(submissionFiles.map((file) => [file.name, file] as const))('lists every column of %s', (name, file) => {
  const lines = section(name).split('\n');
  for (const [column, { isRequired, synonyms }] of Object.entries(file.columns)) {
    const line = lines.find((text) => text.startsWith(`| \`${column}\` |`));
    expect(line?.includes('| yes |')).toBe(isRequired);
    for (const synonym of synonyms) expect(line).toContain(`\`${synonym}\``);
  }
});

test.each(Object.entries(rules))('explains %s with an example and how to mend it', (name, rule) => {
  for (const part of [rule.sentence, rule.mend, rule.example]) expect(section(name)).toContain(part);
});

test.each(Object.keys(qualityWarnings))('names the data-quality warning %s', (name) => {
  expect(document).toContain(`| \`${name}\` |`);
});

const SAMPLES = join(PROJECT, 'data-loaders', 'samples');

describe('the README of the samples', () => {
  const service = createTestService();
  const sections = readFileSync(join(SAMPLES, 'README.md'), 'utf8')
    .split('\n## ')
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text] as const);

  test('is about every sample', () => {
    const folders = readdirSync(SAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(sections.map(([name]) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  test.each(sections)(
    '%s: says how many rows there are, and which are wrong, as the report does',
    async (name, text) => {
      const report = await service.loadFolder(join(SAMPLES, name));
      const rows = report.files.map(({ file, read }) => `${file} ${read}`).join(', ');
      expect(text).toContain(`Rows: ${rows}.`);
      const wrong = [...text.matchAll(/^\| (\S+\.csv) \| (\d+) \| (\w+) \|/gm)].map(([, ...cells]) => cells.join(' '));
      const found = report.findings.map(({ file, line, rule }) => `${file} ${line} ${rules[rule].severity}`);
      expect(found.filter((one) => !one.endsWith('noted')).sort()).toEqual(wrong.sort());
    },
  );
});
