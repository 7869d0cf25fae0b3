// What changed between two releases, compared with the same question asked of two maps (D37).

import fc from 'fast-check';
import { keyFingerprint } from '../../data-loaders/build/release-digests';
import { changesSince, type ComparedRelease } from '../../shared/search/release-changes';
import { createSearchCaches } from '../../shared/search/index/search-caches';
import { writeSections } from '../../shared/values/bytes/sections';

type Contents = ReadonlyMap<string, number>;

const contents = fc
  .uniqueArray(fc.tuple(fc.string({ maxLength: 2 }), fc.nat(3)), { selector: ([key]) => key, maxLength: 60 })
  .map((pairs) => new Map(pairs));

let releases = 0;

/** A release of which only the fingerprints are read. */
function releaseOf(held: Contents): ComparedRelease {
  const keys = Float64Array.from(held.keys(), keyFingerprint);
  const artifact = writeSections([keys, Float64Array.from(held.values()), new Float32Array(held.size)]);
  return { facts: { releaseId: `R${++releases}` }, artifact: () => Promise.resolve(artifact) };
}

test('finds what was added or changed since, and what was removed', async () => {
  await fc.assert(
    fc.asyncProperty(contents, contents, async (before, after) => {
      const caches = createSearchCaches(1_000_000);
      const former = releaseOf(before);
      const later = releaseOf(after);
      const { changed, removed } = await changesSince(former, later, caches);
      const numbersOf = (held: Contents, isWanted: (key: string) => boolean): readonly number[] =>
        [...held.keys()].flatMap((key, number) => (isWanted(key) ? [number] : []));
      expect([...changed.numbers()]).toEqual(numbersOf(after, (key) => before.get(key) !== after.get(key)));
      expect([...removed.numbers()]).toEqual(numbersOf(before, (key) => !after.has(key)));
      // The law: the former set, less what was removed, with what changed laid over it, is the later set.
      const kept = [...before].filter((_, number) => !removed.numbers().includes(number));
      const laid = [...after].filter((_, number) => changed.numbers().includes(number));
      expect(new Map([...kept, ...laid])).toEqual(after);
      expect(await changesSince(former, later, caches)).toEqual({ changed, removed });
    }),
  );
});
