// The glossary has the words of the code: every term in it is used outside of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { sourceFiles } from '../fixtures/project-text';

const glossary = readFileSync(join(PROJECT, 'docs', 'glossary.md'), 'utf8');
const terms = [...glossary.matchAll(/^\| (?<term>[^|]+?) +\| (?<meaning>[^|]+?) *\|$/gm)]
  .map(({ groups }) => groups?.['term'] ?? '')
  .filter((term) => term !== 'Term' && !/^-+$/.test(term));

/** Names such as `releaseFacts` as words. */
const code = sourceFiles()
  .map(({ text }) => text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[\s/*_-]+/g, ' '))
  .join('\n')
  .toLowerCase();

/** `point of diversion (POD)` is one term in two forms, `rollback, withdraw` are two. */
function formsOf(term: string): readonly string[] {
  return term
    .replaceAll(/[()`]/g, ',')
    .split(',')
    .map((form) => form.trim().toLowerCase().replaceAll('-', ' '))
    .filter((form) => form !== '');
}

test('the glossary has terms, each once', () => {
  expect(terms.length).toBeGreaterThan(40);
  expect(new Set(terms).size).toBe(terms.length);
});

test.each(terms)('the term "%s" is used in the code', (term) => {
  expect(formsOf(term).filter((form) => !code.includes(form))).toEqual([]);
});
