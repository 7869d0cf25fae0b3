import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../data-loaders/format/rules';
import vocabulary from '../../shared/records/beneficial-uses.json';
import { foldText } from '../../shared/values/fold-text';
import { findStaleDocuments, generateDocuments } from '../../tools/documents/documents';
import { PROJECT } from '../fixtures/host-process';
import { createTestService } from '../fixtures/test-service';

test('generated documents in docs/ are up to date (if not, run npm run documents)', async () => {
  const documents = await generateDocuments();
  expect(findStaleDocuments(documents).map(({ path }) => path)).toEqual([]);
  const others = documents.map(({ path, text }) => ({ path, text: `${text}.` }));
  const missing = documents.map(({ path, text }) => ({ path: `${path}.missing`, text }));
  expect(findStaleDocuments([...others, ...missing])).toEqual([...others, ...missing]);
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

/** The categories of the national water-use reports. */
const EIGHT = [
  'Public Supply',
  'Domestic',
  'Irrigation',
  'Livestock',
  'Aquaculture',
  'Industrial',
  'Mining',
  'Thermoelectric Power',
];

test('every category is one of the eight national water-use categories or none', () => {
  const named = new Set(vocabulary.categories.flatMap(({ usgs }) => usgs ?? []));
  expect([...named].sort()).toEqual([...EIGHT].sort());
});

test('every term is listed once, ignoring letter case', () => {
  const terms = vocabulary.categories.flatMap((category) => category.terms.map(foldText));
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});
