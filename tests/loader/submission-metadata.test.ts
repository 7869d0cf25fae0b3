// What submission.json says besides the mode: kept with what was published (ADR 0105).

import type { Report } from '../../data-loaders/format/report';
import type { SubmissionStatement } from '../../shared/store/catalog-types';
import { loadRaw } from '../fixtures/raw-submission';
import { siteAmountsSubmission, type Submission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';

const service = createTestService();

let amount = 100;

/** Another amount each time, so that something is published. */
function changed(): Submission {
  return withCells(siteAmountsSubmission, FILE, 0, { Amount: ++amount });
}

function load(metadata: object, name = 'third quarter', submission = changed()): Promise<Report> {
  return loadRaw(service, submission, { 'submission.json': JSON.stringify(metadata) }, { name });
}

async function stated(): Promise<SubmissionStatement | undefined> {
  return (await service.store.currentState()).entries[0]?.submission;
}

const terms = {
  termsOfUse: 'Provisional data, subject to revision',
  license: 'https://creativecommons.org/licenses/by/4.0/',
  citation: 'Office of Water (2026)',
};
const whole = { mode: 'replace', contact: 'data@example.org', note: 'first', ...terms };
const none = { contact: null, note: null, termsOfUse: null, license: null, citation: null };

test('the members of submission.json stand in the catalog entry, trimmed, with the name of the submission', async () => {
  expect((await load({ ...whole, contact: ' data@example.org ' })).notes).toEqual([]);
  expect(await stated()).toEqual({ name: 'third quarter', contact: 'data@example.org', note: 'first', ...terms });
});

test('members that are missing or blank are null', async () => {
  await load({ contact: ' ', license: '' });
  expect(await stated()).toEqual({ name: 'third quarter', ...none });
});

test('a submission without submission.json is named by its folder', async () => {
  await service.load(changed());
  expect(await stated()).toEqual({ name: expect.stringMatching(/^submission-\d+$/), ...none });
});

test('the data version does not depend on the name and the note of a submission', async () => {
  const submission = changed();
  await load(whole, 'one', submission);
  const { version } = await service.store.currentState();
  await load({});
  await load({ ...whole, note: 'another' }, 'two', submission);
  expect((await service.store.currentState()).version).toBe(version);
  expect(await stated()).toMatchObject({ name: 'two', note: 'another' });
});

test.each(Object.keys({ contact: '', ...terms }))(
  'another %s is published though the rows are the same, and the report says so',
  async (name) => {
    const submission = changed();
    await load(whole, 'one', submission);
    const { verdict, dataSets, notes } = await load({ ...whole, [name]: 'https://example.org/2' }, 'two', submission);
    expect(verdict).toBe('published');
    expect(dataSets[0]?.change).toEqual({ added: 0, removed: 0, changed: 0 });
    expect(notes).toEqual([
      'The contact, terms, licence or citation of SiteVariableAmounts are not those that were published.',
    ]);
    expect(await stated()).toMatchObject({ name: 'two', [name]: 'https://example.org/2' });
    expect((await load({ ...whole, [name]: 'https://example.org/2' }, 'three', submission)).verdict).toBe('unchanged');
  },
);

test.each([
  [{}, terms],
  [{ contact: 'new@example.org' }, { ...terms, contact: 'new@example.org' }],
  [{ citation: 'Office of Water (2027)' }, { ...terms, citation: 'Office of Water (2027)' }],
  [
    { license: null, termsOfUse: '' },
    { ...terms, license: null, termsOfUse: null },
  ],
])('a merge with %j keeps the contact and the other terms of what it is laid over', async (own, expected) => {
  await load(whole);
  expect((await load({ mode: 'merge', ...own }, 'a merge')).verdict).toBe('published');
  expect(await stated()).toEqual({ name: 'a merge', contact: 'data@example.org', note: null, ...expected });
});

test('a replacement keeps no terms of what it replaces', async () => {
  await load(whole);
  await load({ contact: 'new@example.org' });
  expect(await stated()).toEqual({ name: 'third quarter', ...none, contact: 'new@example.org' });
});

test('members that are not known are named in the report', async () => {
  await load({});
  const { notes, verdict } = await load({ licence: 'x', toString: 1 });
  expect({ notes, verdict }).toEqual({
    notes: ['submission.json: members that are not known and not read: licence, toString.'],
    verdict: 'published',
  });
});

test.each<readonly [content: object, sentence: string]>([
  [{ mode: 'append' }, 'its mode must be "replace" or "merge"'],
  [{ contact: 7 }, 'its contact must be text of at most 2000 characters'],
  [{ note: ['a'] }, 'its note must be text of at most 2000 characters'],
  [{ citation: 'x'.repeat(2001) }, 'its citation must be text of at most 2000 characters'],
  [
    { license: 'CC-BY' },
    'its license must be a web address that starts with https:// or http://, of at most 2000 characters',
  ],
  [
    { license: 'javascript:alert(1)' },
    'its license must be a web address that starts with https:// or http://, of at most 2000 characters',
  ],
  [
    { mode: 1, termsOfUse: {} },
    'its mode must be "replace" or "merge", and its termsOfUse must be text of at most 2000 characters',
  ],
  [[], 'it must be an object, such as {"mode": "replace"}'],
])('refuses %j', async (content, sentence) => {
  expect((await load(content)).sentence).toBe(`Refused: submission.json does not fit: ${sentence}.`);
});

test('refuses a submission.json that is not JSON, and one that is too long', async () => {
  const sentenceOf = async (text: string): Promise<string> =>
    (await loadRaw(service, changed(), { 'submission.json': text })).sentence;
  expect(await sentenceOf('{mode: merge}')).toBe('Refused: submission.json is not readable as JSON.');
  expect(await sentenceOf(' '.repeat(65_537))).toBe('Refused: submission.json is longer than 65536 bytes.');
});
