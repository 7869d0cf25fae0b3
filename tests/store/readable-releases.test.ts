// The memory of which releases could be read, that probes and failed reads share (ADR 0050).

import type { CatalogEntry } from '../../shared/store/catalog-types';
import { FORMAT_VERSION, type Store } from '../../shared/store/port';
import { ReadableReleases } from '../../shared/store/readable-releases';

const entries = Array.from({ length: 200 }, (_, index): CatalogEntry => ({
  ...{ organizationUuid: `ORG_${index}`, dataSet: 'SiteVariableAmounts', releaseId: `release-${index}`, records: 1 },
  ...{ isSample: false, publishedAt: '2024-01-01T00:00:00.000Z' },
}));

/** A store that answers `openRelease` alone. `looked` has the releases that were opened since it was emptied. */
function storeOf(damaged: ReadonlySet<string>, looked: string[]): Store {
  const openRelease = (releaseId: string): Promise<object> => {
    looked.push(releaseId);
    const fault = damaged.has(releaseId) ? 'its records are missing' : undefined;
    return Promise.resolve({ facts: { formatVersion: FORMAT_VERSION }, findFault: () => Promise.resolve(fault) });
  };
  // Only this method is called.
  return Object.assign(Object.create(null) as Store, { openRelease });
}

test('a probe looks at what is new or could not be read, and at fifty of the others in turn', async () => {
  const [damaged, looked] = [new Set(['release-7']), [] as string[]];
  const [store, releases] = [storeOf(damaged, looked), new ReadableReleases()];
  expect((await releases.findUnreadable(store, entries)).map(({ entry }) => entry.releaseId)).toEqual(['release-7']);
  expect(looked).toHaveLength(200);
  looked.length = 0;
  await releases.findUnreadable(store, entries);
  expect(looked).toHaveLength(51);
  expect(looked).toContain('release-7');
});

test('after a failed read, what is known to be unreadable is named without a look at all others', async () => {
  const [damaged, looked] = [new Set(['release-7']), [] as string[]];
  const [store, releases] = [storeOf(damaged, looked), new ReadableReleases()];
  await releases.findUnreadable(store, entries);
  looked.length = 0;
  expect((await releases.explainFailure(store, entries)).map(({ entry }) => entry.releaseId)).toEqual(['release-7']);
  expect(looked).toEqual(['release-7']);
});

test('after a failed read all are looked at when none is known to be unreadable, and the next probe knows it', async () => {
  const [damaged, looked] = [new Set<string>(), [] as string[]];
  const [store, releases] = [storeOf(damaged, looked), new ReadableReleases()];
  await releases.findUnreadable(store, entries);
  damaged.add('release-150');
  expect((await releases.explainFailure(store, entries)).map(({ entry }) => entry.releaseId)).toEqual(['release-150']);
  looked.length = 0;
  expect((await releases.findUnreadable(store, entries)).map(({ entry }) => entry.releaseId)).toEqual(['release-150']);
  expect(looked).toHaveLength(51);
});
