// The posting lists of a release while it is built: record numbers as runs, values in their first spelling, counts.

import { join } from 'node:path';
import fc from 'fast-check';
import { IdentifierTerms, PostingLists, RunList } from '../../data-loaders/build/posting-lists';
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

test('posting lists of identifiers come in the order of their terms, with those who have any', async () => {
  const terms = new IdentifierTerms(join(folder, 'terms'));
  const count = 40_000;
  for (let record = 0; record < count; record++) terms.add(record, right({ AllocationUUID: `é${count - record}` }));
  terms.add(count, right({ AllocationUUID: `É1`, AllocationOwner: 'Town' }));
  const written = new Map<string, Uint8Array>();
  const artifacts: string[] = [];
  let drains = 0;
  await terms.writeTo({
    addPosting: (text, content) => written.set(text, content.slice()),
    addArtifact: (name) => artifacts.push(name),
    drain: () => {
      drains++;
      return Promise.resolve();
    },
  });
  terms.close();
  const [presence, ...identifiers] = [...written.keys()].reverse();
  expect(drains).toBeGreaterThan(1);
  expect(identifiers).toHaveLength(count);
  expect(identifiers.reverse()).toEqual([...identifiers].sort());
  const recordsOf = (text = ''): readonly number[] => [...readRecordSet(written.get(text) ?? Buffer.of()).numbers()];
  expect(recordsOf(identifiers[0])).toEqual([count - 1, count]);
  expect(recordsOf(presence)).toHaveLength(count + 1);
  expect(artifacts).toEqual(['owners']);
});
