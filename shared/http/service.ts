// What every handler works with: the store, the caches, the settings of reading and the clock.

import { AccessControl } from '../access/access-control';
import { RateLimits } from '../access/rate-limits';
import { UsageCounter } from '../access/usage-counter';
import { AnswerMemory } from '../answer/answer-memory';
import { openStore } from '../open-store';
import type { ReadingSettings } from '../query/parameter';
import { createSearchCaches, type SearchCaches } from '../search/search-caches';
import type { Settings } from '../settings';
import type { KeyUse } from '../store/catalog-types';
import type { Store } from '../store/port';
import { rememberBoundaries } from './known-boundaries';
import { RequestQueue } from './request-queue';

export interface Service {
  readonly store: Store;
  readonly caches: SearchCaches;
  readonly answers: AnswerMemory;
  readonly reading: ReadingSettings;
  /** Stands in front of the routes in links, without a slash at the end; empty for references relative to the host. */
  readonly publicUrl: string;
  readonly access: AccessControl;
  readonly queue: RequestQueue;
  /** How long one request may be worked on. */
  readonly deadlineMs: number;
  /** Accepted beside issued keys; only the local host on loopback has one (D30). */
  readonly developmentKey: string | undefined;
  readonly now: () => Date;
  /** Milliseconds that never go back, for deadlines. */
  readonly clock: () => number;
  /** Hears of failures: never of keys. */
  readonly logError: (message: string, error: unknown) => void;
}

export function createService(
  settings: Settings,
  parts: Pick<Service, 'developmentKey' | 'now' | 'logError'>,
): Service {
  const store = openStore(settings);
  const write = settings.keyUsage === 'store' ? (uses: readonly KeyUse[]) => store.usage.add(uses) : logUses;
  return {
    store,
    caches: createSearchCaches(settings.searchCacheBytes),
    answers: new AnswerMemory(settings.answerCacheBytes),
    reading: { slashDateOrder: settings.slashDateOrder, readBoundary: rememberBoundaries() },
    publicUrl: settings.publicUrl,
    deadlineMs: settings.requestDeadlineSeconds * 1000,
    access: new AccessControl({
      keys: store.keys,
      limits: new RateLimits(settings),
      usage: new UsageCounter(write, parts.logError),
    }),
    queue: new RequestQueue(settings.maxConcurrentRequests),
    clock: () => performance.now(),
    ...parts,
  };
}

/** What was counted is written before the store goes. */
export async function closeService({ access, store }: Pick<Service, 'access' | 'store'>): Promise<void> {
  await access.flush();
  await store.close();
}

/** docs/deploying.md has the query that adds these lines up. */
function logUses(uses: readonly KeyUse[]): Promise<void> {
  for (const use of uses) console.log(`key usage ${JSON.stringify(use)}`);
  return Promise.resolve();
}
