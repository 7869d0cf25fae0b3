// Fingerprints, by which releases are compared (D37).

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { contentFingerprint, FingerprintBuilder, keyFingerprint } from '../../data-loaders/build/release-digests';
import { readFingerprints, type Fingerprints } from '../../shared/search/release-changes';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();

function readBuilt(builder: FingerprintBuilder, measures: number): Fingerprints {
  return readFingerprints(Buffer.concat(Array.from(builder.pieces(), (piece) => Buffer.from(piece))), measures);
}

test('more records than wait in memory are read as they were added', () => {
  const builder = new FingerprintBuilder(folder, 2);
  for (let number = 0; number < 150_001; number++) builder.add(number * 1e9, number, [number / 2, null]);
  const { keys, contents, measures } = readBuilt(builder, 2);
  expect([keys.length, keys[150_000], contents[99_999], measures[0]?.[12_345], measures[1]?.[7]]).toEqual([
    ...[150_001, 150_000e9, 99_999, 6172.5, NaN],
  ]);
  // The pieces are those of the artifact, however often they are read.
  const lengths = Array.from(builder.pieces(), (piece) => piece.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(24 + 2 * 1_200_008 + 2 * 600_008);
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
