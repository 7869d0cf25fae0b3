// An HTTP function is a route and a handler; a service is what handlers work with: store, caches, limits, clock.

import type { Readable } from 'node:stream';
import { inspect } from 'node:util';
import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { AccessControl, UsageCounter } from '../access/access-control';
import type { TrustedProxies } from '../access/client-address';
import { RateLimits } from '../access/rate-limits';
import { PAGE_BYTES } from '../render/answer-writers';
import { openDownloads, openStore } from '../open-store';
import type { AnswerFormat } from '../query/paging-and-format';
import { withoutKeys, type ReadingSettings } from '../query/parameter';
import { rememberBoundaries } from '../query/filters';
import { createSearchCaches, type SearchCaches } from '../search/index/search-caches';
import type { Settings } from '../settings';
import type { KeyUse } from '../store/catalog-types';
import type { DownloadFiles } from '../store/download-files';
import type { Store } from '../store/port';
import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';
import { ExportPlaces, threadedExports, type StartExport } from '../files/threaded-export';
import { AnswerCache } from './memory/answer-cache';
import { BytesInFlight } from './outcome/bytes-in-flight';
import { HealthMemory } from './memory/health';
import { ServiceMetrics } from './memory/metrics';
import { RECENT_QUERIES_BYTES, type RecentQueries, type RecentQuery } from './memory/recent-queries';
import { RequestQueue } from './memory/request-queue';

/** The part of a request that handlers look at: a host outside the platform need not make more of it. */
export interface AskedRequest extends Pick<HttpRequest, 'method'> {
  /** Absolute. Its query stands as it was sent: the handlers read it strictly. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Pick<HttpRequest['headers'], 'get' | 'has'>;
  /** The address of whoever has the connection; undefined where a host cannot tell. */
  readonly address?: string | undefined;
  /**
   * Calls back once, when the answer has left or nobody waits for it any more; at once if that was before. Where a host
   * cannot tell, the answer counts as gone when it is handed over.
   */
  readonly onClosed?: ((act: () => void) => void) | undefined;
}

/** As the platform has it; the body is whole, or a stream that somebody must read or destroy. */
export type HttpAnswer = Omit<HttpResponseInit, 'body'> & { readonly body?: Uint8Array | Readable };

export interface HttpFunction {
  readonly name: string;
  /** Without a leading slash; `{*path}` takes every path that no other function has. */
  readonly route: string;
  readonly handle: (request: AskedRequest, service: Service) => Promise<HttpAnswer>;
}

/** A page, or a file that pages need, as it is sent; the digest stands for its bytes. */
export interface PageContent {
  readonly body: Buffer;
  readonly contentType: string;
  readonly digest: string;
  /** Compressed when the program was built; without it a page is compressed when it is first sent. */
  readonly brotli?: Buffer;
}

export type PageCache = LeastRecentlyUsedCache<PageContent>;

export interface Service extends HandlerMemory {
  readonly store: Store;
  readonly downloads: DownloadFiles;
  readonly caches: SearchCaches;
  readonly reading: ReadingSettings;
  /** Stands in front of the routes in links, without a slash at the end; empty for references relative to the host. */
  readonly publicUrl: string;
  readonly access: AccessControl;
  /** Whose X-Forwarded-For is believed when requests without a key are counted (D54). */
  readonly trustedProxies: TrustedProxies;
  readonly queue: RequestQueue;
  readonly exports: Exports;
  /** Bounds the texts, rows and features of a page by its format. */
  readonly pageBytes: Readonly<Record<AnswerFormat, number>>;
  /** How long one request may be worked on, in milliseconds. */
  readonly deadlineMs: number;
  /** Accepted beside issued keys; only the local host on loopback has one (D54). */
  readonly developmentKey: string | undefined;
  readonly now: () => Date;
  /** The metrics of all processes that answer on the port, in the text form of Prometheus. */
  readonly collectMetrics: () => Promise<string>;
  /** Milliseconds that never go back, for deadlines. */
  readonly clock: () => number;
  /** Receives failures, and never a key. */
  readonly logError: (message: string, error: unknown) => void;
}

/** What makes exports (D46), and its bounds. */
interface Exports {
  readonly mostRecords: number;
  readonly places: Pick<ExportPlaces, 'take' | 'free'>;
  readonly start: StartExport;
}

/** What handlers remember from one request to the next. */
export interface HandlerMemory {
  readonly bytesInFlight: BytesInFlight;
  readonly answers: AnswerCache;
  readonly queries: RecentQueries;
  readonly pages: PageCache;
  readonly health: HealthMemory;
  readonly metrics: ServiceMetrics;
}

/** All pages and their files, plain and compressed, are some three megabytes. */
const PAGE_CACHE_BYTES = 8 * 1024 * 1024;

/** Empty at first. `answerCacheBytes` bounds cached answers. */
export function createMemory(answerCacheBytes: number, maxBytesInFlight: number): HandlerMemory {
  const answers = new AnswerCache(answerCacheBytes);
  const bytesInFlight = new BytesInFlight(maxBytesInFlight);
  const pages = new LeastRecentlyUsedCache<PageContent>(PAGE_CACHE_BYTES);
  const queries = new LeastRecentlyUsedCache<RecentQuery>(RECENT_QUERIES_BYTES);
  const metrics = new ServiceMetrics(() => bytesInFlight.current);
  return { answers, bytesInFlight, queries, pages, health: new HealthMemory(), metrics };
}

export function createService(
  settings: Settings,
  parts: Pick<Service, 'developmentKey' | 'now' | 'logError'>,
  limits = new RateLimits(settings),
): Service {
  const store = openStore(settings);
  const write = settings.keyUsage === 'store' ? (uses: readonly KeyUse[]) => store.usage.add(uses) : logUses;
  const usage = new UsageCounter(write, parts.logError);
  const memory = createMemory(settings.answerCacheBytes, settings.maxBytesInFlight);
  memory.metrics.watchProcess();
  return {
    store,
    downloads: openDownloads(settings),
    caches: createSearchCaches(settings.searchCacheBytes),
    ...memory,
    collectMetrics: () => memory.metrics.text(),
    pageBytes: PAGE_BYTES,
    reading: { slashDateOrder: settings.slashDateOrder, readBoundary: rememberBoundaries() },
    publicUrl: settings.publicUrl,
    deadlineMs: settings.requestDeadlineSeconds * 1000,
    access: new AccessControl(store.keys, limits, usage, settings.keylessRequestsPerHour),
    trustedProxies: settings.trustedProxies,
    queue: new RequestQueue(settings.maxConcurrentRequests),
    exports: {
      mostRecords: settings.exportLimit,
      places: new ExportPlaces(settings.exportsAtOnce),
      start: threadedExports(settings),
    },
    clock: () => performance.now(),
    ...parts,
  };
}

/** Writes the counts of use before it closes the store. */
export async function closeService({ access, store }: Pick<Service, 'access' | 'store'>): Promise<void> {
  await access.flush();
  await store.close();
}

/** Writes to the console, never with an access key (D30): errors of libraries repeat what they were given. */
export function logFailure(message: string, error: unknown): void {
  console.error(withoutKeys(`${message} ${inspect(error)}`));
}

/** docs/deploying.md has the query that adds these lines up. */
function logUses(uses: readonly KeyUse[]): Promise<void> {
  for (const use of uses) console.log(`key usage ${JSON.stringify(use)}`);
  return Promise.resolve();
}
