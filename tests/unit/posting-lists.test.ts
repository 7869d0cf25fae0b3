// The posting lists of a release while it is built: record numbers as runs, values in their first spelling, counts.

import fc from 'fast-check';
import { askForPostings, IdentifierTerms, PostingLists, RunList } from '../../data-loaders/build/posting-lists';
import type { Term } from '../../data-loaders/build/term-sources';
import type { AllocationRow } from '../../data-loaders/format/amount-definitions';
import { readRecordSet } from '../../shared/search/index/record-set';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();

function term(text: string, value = text): Term {
  return { field: 'siteType', text, value };
}

test('a run list holds every number once, in as few runs as there are gaps plus one', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(60), fc.nat(2 ** 31 - 1)), { maxLength: 80 }), (drawn) => {
      const ascending = [...drawn].sort((a, b) => a - b);
      const list = new RunList();
      for (const number of ascending) list.add(number);
      const numbers = [...new Set(ascending)];
      const pairs = [...list.pairs()];
      const held = pairs.flatMap((bound, index) =>
        index % 2 === 0 ? Array.from({ length: (pairs[index + 1] ?? 0) - bound + 1 }, (_, step) => bound + step) : [],
      );
      expect(held).toEqual(numbers);
      expect(list.size).toBe(numbers.length);
      const gaps = numbers.filter((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1).length;
      expect(pairs.length / 2).toBe(numbers.length === 0 ? 0 : gaps + 1);
    }),
  );
});

test('the vocabulary has each value that a record has, by UTF-8 bytes, with its count and its other spellings', () => {
  const postings = new PostingLists();
  const [stream] = postings.recordsOf([term('siteType:stream', 'Stream')]);
  const [other] = postings.recordsOf([term('siteType:stream', 'STREAM')]);
  const [canal] = postings.recordsOf([term('siteType:canal', 'Canal')]);
  postings.recordsOf([term('siteType:well', 'Well')]);
  stream?.add(0);
  other?.add(1);
  canal?.add(1);
  other?.add(2);
  stream?.add(2);
  expect(postings.vocabulary().values).toEqual({
    siteType: [
      ['Canal', 1],
      ['Stream', 3, ['STREAM']],
    ],
  });
  const written = new Map<string, readonly number[]>();
  postings.writeTo({ addPosting: (text, content) => written.set(text, [...readRecordSet(content).numbers()]) });
  expect(Object.fromEntries(written)).toEqual({
    'siteType:stream': [0, 1, 2],
    '=siteType:Stream': [0, 2],
    '=siteType:STREAM': [1, 2],
    'siteType:canal': [1],
  });
});

test('a term that no record has gets no posting list', () => {
  const postings = new PostingLists();
  postings.recordsOf([term('siteType:well')]);
  postings.recordsOf([term('siteType:canal')])[0]?.add(3);
  const written: string[] = [];
  postings.writeTo({
    addPosting: (text) => {
      written.push(text);
    },
  });
  expect(written).toEqual(['siteType:canal']);
});

/** The columns that are read. */
function right(members: Partial<AllocationRow>): AllocationRow {
  const columns = { AllocationUUID: null, AllocationNativeID: null, AllocationOwner: null };
  return { ...columns, ...members } as unknown as AllocationRow;
}

test('posting lists of identifiers come piece by piece in the order of their terms, with those who have any', async () => {
  const terms = new IdentifierTerms(folder);
  const count = 40_000;
  for (let record = 0; record < count; record++) terms.add(record, right({ AllocationUUID: `é${count - record}` }));
  terms.add(count, right({ AllocationUUID: `É1`, AllocationOwner: 'Town' }));
  const written = new Map<string, Uint8Array>();
  let pieces = 0;
  const nextPiece = (): ReturnType<Parameters<typeof askForPostings>[0]> => {
    const piece = terms.nextPiece();
    if (piece !== undefined) pieces++;
    return Promise.resolve(piece);
  };
  const artifacts: string[] = [];
  await askForPostings(nextPiece)({
    addPosting: (term, content) => written.set(term, content.slice()),
    addArtifact: (name) => artifacts.push(name),
    drain: () => Promise.resolve(),
  });
  terms.close();
  const [presence, ...identifiers] = [...written.keys()].reverse();
  expect(pieces).toBeGreaterThan(1);
  expect(identifiers).toHaveLength(count);
  expect(identifiers.reverse()).toEqual([...identifiers].sort());
  const recordsOf = (term = ''): readonly number[] => [...readRecordSet(written.get(term) ?? Buffer.of()).numbers()];
  expect(recordsOf(identifiers[0])).toEqual([count - 1, count]);
  expect(recordsOf(presence)).toHaveLength(count + 1);
  expect(artifacts).toEqual(['owners']);
});

test('a record builder that fails while it makes posting lists fails their writing', async () => {
  const write = askForPostings(() => Promise.reject(new Error('the thread has ended')));
  const writer = { addPosting: jest.fn(), addArtifact: jest.fn(), drain: () => Promise.resolve() };
  await expect(write(writer)).rejects.toThrow('the thread has ended');
  expect(writer.addPosting).not.toHaveBeenCalled();
});
