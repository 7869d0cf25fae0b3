// The generated documents are up to date, and the samples load.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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
const sampleFolders = readdirSync(SAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe('the samples', () => {
  const service = createTestService();

  test.each(sampleFolders.map(({ name }) => name))('%s is published', async (name) => {
    expect(await service.loadFolder(join(SAMPLES, name))).toMatchObject({ verdict: 'published' });
  });
});
