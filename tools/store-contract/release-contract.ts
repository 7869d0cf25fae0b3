// The part of the store contract about releases.

import { expect } from 'expect';
import { toListText } from '../../shared/store/joined-fragments';
import type { ReleasePart, Store } from '../../shared/store/port';
import type { DeclareCheck } from './declare-check';
import {
  createFacts,
  finishRelease,
  listRecordReferences,
  openExistingRelease,
  readRecords,
  writeRecords,
  writeRecordText,
} from './release-content';

const RECORDS = 3000;

const selections: Readonly<Record<string, readonly number[]>> = {
  'the first record': [0],
  'the last record': [RECORDS - 1],
  'one record in the middle': [1500],
  'neighbors within a block': [100, 101, 102],
  'a record larger than a block': [777],
  'neighbors across blocks': Array.from({ length: 900 }, (_, index) => 50 + index),
  'scattered records': Array.from({ length: 300 }, (_, index) => index * 10),
  'runs and single records': [0, 1, 2, 5, 9, 10, 500, 776, 777, 778, 2998, 2999],
  'all records': Array.from({ length: RECORDS }, (_, index) => index),
};

const MEGABYTE = 1024 * 1024;

const PIECE_LENGTHS: readonly (readonly number[])[] = [
  [],
  [7],
  [4 * MEGABYTE],
  [MEGABYTE, 3 * MEGABYTE, 0, 5],
  [9 * MEGABYTE + 1, 2 * MEGABYTE],
];

const EMPTY_FRAGMENTS: readonly { readonly where: string; readonly texts: readonly string[] }[] = [
  { where: 'before another', texts: ['', 'x'] },
  { where: 'between others', texts: ['x', '', 'y'] },
  { where: 'next to each other', texts: ['', '', 'x', '', ''] },
];

/** A fragment in comparable form. Bytes are represented by the first ones and their number. */
function partText(part: ReleasePart): string {
  if (part.kind === 'record' || part.kind === 'lookups') return JSON.stringify(part);
  const { content, ...rest } = part;
  return JSON.stringify({ ...rest, content: [...content.subarray(0, 9), content.length] });
}

export function declareReleaseContract(test: DeclareCheck, storeOf: () => Store): void {
  test('reads and measures records by number, with their lookups', async () => {
    const reader = await openExistingRelease(storeOf(), await finishRelease(storeOf(), 'many', RECORDS));
    for (const [name, numbers] of Object.entries(selections)) {
      const asked = Uint32Array.from(numbers);
      expect([name, await readRecords(reader, numbers)]).toEqual([name, numbers.map(writeRecordText).join(',')]);
      const references = [...new Set(numbers.flatMap(listRecordReferences))].sort((a, b) => a - b);
      expect([...(await reader.texts('records', asked)).references]).toEqual(references);
      const measured = (await reader.measure('records', asked)).map(({ bytes, references }) => [bytes, ...references]);
      expect(measured).toEqual(
        numbers.map((number) => [Buffer.byteLength(writeRecordText(number)), ...listRecordReferences(number)]),
      );
      const heard: number[] = [];
      const { byteLength } = await reader.texts('records', asked, (bytes) => heard.push(bytes));
      expect(heard).toEqual([byteLength]);
      const refuse = (): never => {
        throw new Error('too many');
      };
      await expect((async () => reader.texts('records', asked, refuse))()).rejects.toThrow('too many');
    }
  });

  test('measures lookups of any length before they are read', async () => {
    const lookups = ['{"a":1}', '', '{"b":"ü☂"}', 'x'.repeat(MEGABYTE), '{"last":true}'];
    const writer = await storeOf().startRelease();
    for (const text of lookups) writer.addFragment('lookups', text);
    await writer.finish(createFacts('measured', 0));
    const reader = await openExistingRelease(storeOf(), createFacts('measured', 0));
    for (const numbers of [[], [1], [0, 2, 3, 4], [...lookups.keys()]]) {
      const asked = Uint32Array.from(numbers);
      const lengths = (await reader.measure('lookups', asked)).map(({ bytes }) => bytes);
      expect(lengths).toEqual(numbers.map((number) => Buffer.byteLength(lookups[number] ?? '')));
      const heard: number[] = [];
      const { byteLength } = await reader.texts('lookups', asked, (bytes) => heard.push(bytes));
      expect(heard).toEqual([byteLength]);
    }
  });

  test('reads nothing for an empty list of records', async () => {
    const reader = await openExistingRelease(storeOf(), await finishRelease(storeOf(), 'some'));
    const records = await reader.texts('records', new Uint32Array());
    expect([records.byteLength, records.references.length]).toEqual([0, 0]);
    expect((await reader.texts('lookups', new Uint32Array())).byteLength).toBe(0);
    expect(await reader.blobs('geometries', new Uint32Array())).toEqual([]);
  });

  test('a finished release passes its check, with and without records', async () => {
    for (const records of [0, 200]) {
      const facts = await finishRelease(storeOf(), `whole ${records}`, records);
      expect(await (await openExistingRelease(storeOf(), facts)).findFault()).toBeUndefined();
    }
  });

  test('keeps the facts of a release', async () => {
    const facts = await finishRelease(storeOf(), 'facts');
    expect((await openExistingRelease(storeOf(), facts)).facts).toEqual(facts);
  });

  test('reads records of nearly 2 MB, and many of 60,000 wide letters at once', async () => {
    const texts = [1.9 * MEGABYTE, ...Array.from({ length: 60 }, () => 60_000), 1.9 * MEGABYTE].map((length, number) =>
      JSON.stringify({ number, filling: (number % 2 === 0 ? '☂' : 'x').repeat(length) }),
    );
    const writer = await storeOf().startRelease();
    for (const text of texts) writer.addFragment('records', text);
    await writer.finish(createFacts('large', texts.length));
    const read = await readRecords(await openExistingRelease(storeOf(), createFacts('large', texts.length)), [
      ...texts.keys(),
    ]);
    expect(read === texts.join(',')).toBe(true);
  });

  test('reads fragments by number, texts and bytes, of up to a megabyte', async () => {
    const lookups = ['{"a":1}', '{"b":"ü☂"}', 'x'.repeat(MEGABYTE), '{"last":true}'];
    const geometries = [Uint8Array.of(0, 255, 44, 10), new Uint8Array(MEGABYTE).fill(7), Uint8Array.of(1)];
    const writer = await storeOf().startRelease();
    for (const text of lookups) writer.addFragment('lookups', Buffer.from(text));
    for (const bytes of geometries) writer.addFragment('geometries', bytes);
    for (const family of ['places', 'names'] as const) {
      for (const bytes of geometries.toReversed()) writer.addFragment(family, bytes);
    }
    await writer.finish(createFacts('fragments', 0));
    const reader = await openExistingRelease(storeOf(), createFacts('fragments', 0));
    const texts = await reader.texts('lookups', Uint32Array.from(lookups.keys()));
    expect(toListText(texts) === `[${lookups.join(',')}]`).toBe(true);
    const [second, last] = await reader.blobs('geometries', Uint32Array.of(1, 2));
    expect(second === undefined ? -1 : Buffer.compare(second, geometries[1] ?? second)).toBe(0);
    expect(last).toEqual(Uint8Array.of(1));
    for (const family of ['places', 'names'] as const) {
      const [first, large] = await reader.blobs(family, Uint32Array.of(0, 1));
      expect(first).toEqual(Uint8Array.of(1));
      expect(large?.length).toBe(MEGABYTE);
    }
  });

  test('returns bytes that share no memory with other results, because caches keep them', async () => {
    const contents = [Uint8Array.of(1, 2), new Uint8Array(5000).fill(7), Uint8Array.from({ length: 700 }, Math.random)];
    const writer = await storeOf().startRelease();
    for (const [index, content] of contents.entries()) writer.addPosting(`use:${index}`, content);
    writer.addArtifact('periods', contents);
    writer.addArtifact('places', [new Uint8Array(50_000)]);
    for (const family of ['geometries', 'places', 'names'] as const) {
      for (const content of contents) writer.addFragment(family, content);
    }
    const facts = createFacts('own memory', 0);
    await writer.finish(facts);
    const reader = await openExistingRelease(storeOf(), facts);
    const numbers = Uint32Array.from(contents.keys());
    const read = {
      postings: await reader.postings(contents.map((_, index) => `use:${index}`)),
      artifacts: [await reader.artifact('periods'), await reader.artifact('places')],
      geometries: await reader.blobs('geometries', numbers),
      places: await reader.blobs('places', numbers),
      names: await reader.blobs('names', numbers),
    };
    for (const [kind, found] of Object.entries(read)) {
      const shared = found.filter((bytes) => bytes?.byteLength !== bytes?.buffer.byteLength);
      expect({ kind, shared: shared.map((bytes) => bytes?.byteLength) }).toEqual({ kind, shared: [] });
    }
  });

  for (const lengths of PIECE_LENGTHS) {
    test(`an artifact in pieces of ${JSON.stringify(lengths)} bytes is read as one`, async () => {
      const memory = new Uint8Array(Math.max(0, ...lengths));
      function* pieces(): Iterable<Uint8Array> {
        // The memory of a fragment is reused for the next one.
        for (const [index, length] of lengths.entries()) yield memory.fill(index + 1).subarray(0, length);
      }
      const writer = await storeOf().startRelease();
      writer.addArtifact('fingerprints', pieces());
      const facts = createFacts(`pieces ${lengths.join()}`, 0);
      await writer.finish(facts);
      const content = await (await openExistingRelease(storeOf(), facts)).artifact('fingerprints');
      const expected = Buffer.concat(lengths.map((length, index) => Buffer.alloc(length, index + 1)));
      expect(content === undefined ? -1 : Buffer.compare(content, expected)).toBe(0);
    });
  }

  for (const { where, texts } of EMPTY_FRAGMENTS) {
    test(`reads empty fragments ${where}`, async () => {
      const writer = await storeOf().startRelease();
      for (const text of texts) writer.addFragment('lookups', text);
      await writer.finish(createFacts('empty fragments', 0));
      const reader = await openExistingRelease(storeOf(), createFacts('empty fragments', 0));
      const found = await reader.texts('lookups', Uint32Array.from(texts.keys()));
      expect(toListText(found)).toBe(`[${texts.join(',')}]`);
    });
  }

  test('reads posting lists in the order of the terms, undefined for a term that it does not have', async () => {
    const writer = await storeOf().startRelease();
    const large = new Uint8Array(MEGABYTE).fill(3);
    writer.addPosting('county:cache', Uint8Array.of(1, 2, 3));
    writer.addPosting('use:ünknown üse', Uint8Array.of(9));
    writer.addPosting('large:term', large);
    await writer.finish(createFacts('postings', 0));
    const reader = await openExistingRelease(storeOf(), createFacts('postings', 0));
    const terms = ['use:ünknown üse', 'county:none', 'large:term', 'county:cache', 'County:Cache'];
    const found = await reader.postings(terms);
    const lists = found.map((list) => (list === undefined ? undefined : [...list.subarray(0, 4)]));
    expect(lists).toEqual([[9], undefined, [3, 3, 3, 3], [1, 2, 3], undefined]);
    expect(found[2]?.length).toBe(MEGABYTE);
    expect(await reader.postings([])).toEqual([]);
  });

  test('reads artifacts by name, and returns undefined for an artifact that was not written', async () => {
    const writer = await storeOf().startRelease();
    writer.addArtifact('periods', [Uint8Array.of(5, 6)]);
    writer.addArtifact('places', [new Uint8Array(3 * MEGABYTE).fill(8)]);
    await writer.finish(createFacts('artifacts', 0));
    const reader = await openExistingRelease(storeOf(), createFacts('artifacts', 0));
    expect([...((await reader.artifact('periods')) ?? [])]).toEqual([5, 6]);
    expect((await reader.artifact('places'))?.length).toBe(3 * MEGABYTE);
    expect(await reader.artifact('vocabulary')).toBeUndefined();
  });

  test('returns all parts as they were written', async () => {
    const large = 'x'.repeat(MEGABYTE);
    const written: ReleasePart[] = [
      ...['{"a":1}', `"${large}"`, '{"b":"ü☂"}'].map((content) => ({ kind: 'lookups', content }) as const),
      ...Array.from({ length: 900 }, (_, number) => number).map(
        (number) =>
          ({ kind: 'record', json: writeRecordText(number), references: listRecordReferences(number) }) as const,
      ),
      { kind: 'record', json: `{"large":"${large}"}`, references: [] },
      { kind: 'geometries', content: Uint8Array.of(0, 255, 44, 10) },
      { kind: 'geometries', content: new Uint8Array(MEGABYTE).fill(7) },
      { kind: 'places', content: Uint8Array.of(8, 9) },
      { kind: 'places', content: new Uint8Array(MEGABYTE).fill(5) },
      { kind: 'posting', term: 'a:ü', content: Uint8Array.of(1, 2) },
      { kind: 'posting', term: `b:${'long '.repeat(500)}`, content: new Uint8Array(MEGABYTE).fill(3) },
      ...Array.from({ length: 700 }, (_, number) => ({
        kind: 'posting' as const,
        term: `c:${1000 + number}`,
        content: Uint8Array.of(number % 256),
      })),
    ];
    const writer = await storeOf().startRelease();
    for (const part of written) {
      if (part.kind === 'record') writer.addFragment('records', part.json, part.references);
      else if (part.kind === 'posting') writer.addPosting(part.term, part.content);
      else writer.addFragment(part.kind, part.content);
    }
    await writer.finish(createFacts('parts', 901));
    const found: string[] = [];
    for await (const part of (await openExistingRelease(storeOf(), createFacts('parts', 901))).parts())
      found.push(partText(part));
    const postings = found.slice(-702).sort();
    expect([...found.slice(0, -702), ...postings]).toEqual(written.map(partText));
  });

  test('reads source pieces file by file, in the order in which they were written', async () => {
    const writer = await storeOf().startRelease();
    for (const [file, piece] of [
      ['sites.csv', 1],
      ['methods.csv', 2],
      ['sites.csv', 3],
    ] as const) {
      writer.addSourcePiece(file, Uint8Array.of(piece));
    }
    await writer.finish(createFacts('sources', 0));
    const reader = await openExistingRelease(storeOf(), createFacts('sources', 0));
    const found: Record<string, number[]> = {};
    for await (const { name, pieces } of reader.sourceFiles()) {
      found[name] ??= [];
      for await (const piece of pieces()) found[name].push(...piece);
    }
    expect(found).toEqual({ 'sites.csv': [1, 3], 'methods.csv': [2] });
  });

  test('nothing of a release can be read before it is finished', async () => {
    const writer = await storeOf().startRelease();
    writeRecords(writer, RECORDS);
    await writer.drain();
    const facts = createFacts('late', RECORDS);
    expect(await storeOf().openRelease(facts.releaseId)).toBeUndefined();
    await writer.finish(facts);
    expect(await readRecords(await openExistingRelease(storeOf(), facts), [1])).toBe(writeRecordText(1));
  });

  test('an abandoned release cannot be opened, and abandoning it twice is harmless', async () => {
    const writer = await storeOf().startRelease();
    writeRecords(writer, 10);
    await writer.abandon();
    await writer.abandon();
    expect(await storeOf().openRelease(createFacts('abandoned', 10).releaseId)).toBeUndefined();
  });

  test('finishing an existing release again keeps it', async () => {
    const facts = await finishRelease(storeOf(), 'twice');
    const reader = await openExistingRelease(storeOf(), facts);
    await finishRelease(storeOf(), 'twice');
    expect(await readRecords(reader, [0, 1, 2])).toBe([0, 1, 2].map(writeRecordText).join(','));
    expect(await readRecords(await openExistingRelease(storeOf(), facts), [2])).toBe(writeRecordText(2));
  });

  test('two writers at once do not disturb each other', async () => {
    const one = await storeOf().startRelease();
    const two = await storeOf().startRelease();
    one.addFragment('records', '{"one":1}', [1]);
    two.addFragment('records', '{"two":2}', [2]);
    await two.finish(createFacts('two', 1));
    await one.finish(createFacts('one', 1));
    expect(await readRecords(await openExistingRelease(storeOf(), createFacts('one', 1)), [0])).toBe('{"one":1}');
    expect(await readRecords(await openExistingRelease(storeOf(), createFacts('two', 1)), [0])).toBe('{"two":2}');
  });

  test('opening a release with an unknown name returns undefined', async () => {
    expect(await storeOf().openRelease(createFacts('unknown', 0).releaseId)).toBeUndefined();
  });
}
