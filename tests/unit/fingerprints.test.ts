// Fingerprints of records are read as they were written, and a key is found where it stands.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { contentFingerprint, FingerprintBuilder, keyFingerprint } from '../../data-loaders/build/release-digests';
import { KeyTable, readFingerprints, type Fingerprints } from '../../shared/search/release-changes';
import { temporaryFolder } from '../fixtures/temporary-folder';

const records = fc.array(
  fc.record({ key: fc.string(), content: fc.maxSafeNat(), measure: fc.option(fc.float({ noNaN: true })) }),
  { maxLength: 40 },
);

const folder = temporaryFolder();

function readBuilt(builder: FingerprintBuilder, measures: number): Fingerprints {
  return readFingerprints(Buffer.concat(Array.from(builder.pieces(), (piece) => Buffer.from(piece))), measures);
}

test('reading what was built is the identity', () => {
  fc.assert(
    fc.property(records, (drawn) => {
      const builder = new FingerprintBuilder(folder, 1);
      for (const { key, content, measure } of drawn) builder.add(keyFingerprint(key), content, [measure]);
      const read = readBuilt(builder, 1);
      expect(read.keys).toHaveLength(drawn.length);
      expect([...read.keys]).toEqual(drawn.map(({ key }) => keyFingerprint(key)));
      expect([...read.contents]).toEqual(drawn.map((record) => record.content));
      expect([...(read.measures[0] ?? [])]).toEqual(drawn.map(({ measure }) => measure ?? NaN));
    }),
  );
});

test('more records than wait in memory are read as they were added', () => {
  const builder = new FingerprintBuilder(folder, 2);
  for (let number = 0; number < 150_001; number++) builder.add(number * 1e9, number, [number / 2, null]);
  const { keys, contents, measures } = readBuilt(builder, 2);
  expect([keys.length, keys[150_000], contents[99_999], measures[0]?.[12_345], measures[1]?.[7]]).toEqual([
    150_001,
    150_000e9,
    99_999,
    6172.5,
    NaN,
  ]);
  // The pieces are those of the artifact, however often they are read.
  const lengths = Array.from(builder.pieces(), (piece) => piece.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(24 + 2 * 1_200_008 + 2 * 600_008);
});

test('a key table finds every key at its index and no other key', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.string(), (texts, other) => {
      const keys = texts.map(keyFingerprint);
      const table = KeyTable.withAll(Float64Array.from(keys));
      expect(keys.map((key) => table.indexOf(key))).toEqual(texts.map((_, index) => index));
      if (!texts.includes(other)) expect(table.indexOf(keyFingerprint(other))).toBeUndefined();
    }),
  );
});

test('the fingerprint of a key is a whole number that a double holds exactly, and never changes between programs', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(Number.isSafeInteger(keyFingerprint(text))).toBe(true);
    }),
  );
  // Stored with releases: another value would make every record look new.
  expect([keyFingerprint(''), keyFingerprint('S1\u0001V1')]).toEqual([5364321235334246, 5017586145666053]);
});

test('the fingerprint of a content is the first 13 digits of its SHA-1, and never changes between programs', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (content) => {
      const digits = contentFingerprint(content).toString(16).padStart(13, '0');
      expect(createHash('sha1').update(content).digest('hex').startsWith(digits)).toBe(true);
    }),
  );
});
