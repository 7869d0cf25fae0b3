// Creates the service, on which the HTTP functions run, from the settings.

import { randomBytes } from 'node:crypto';
import { AccessControl } from '../access/access-control';
import { UsageCounter } from '../access/key-usage';
import { RateLimits } from '../access/rate-limits';
import { createSelfService } from '../access/self-service';
import { openCountyOutlines } from '../county-outlines';
import { ExportSlots } from '../files/export-slots';
import { ThreadedExport } from '../files/threaded-export';
import { openDownloads, openStore } from '../open-store';
import { redactKeys } from '../query/access-key-parameter';
import { MAX_PAGE_BYTES } from '../render/answer-writers';
import { createSearchCaches } from '../search/index/search-caches';
import type { InboxLocation, Settings } from '../settings';
import type { KeyUse } from '../store/catalog-types';
import type { Store } from '../store/port';
import { formatFailure } from '../values/escape-controls';
import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';
import { HealthMemory } from './operating/health';
import { ServiceMetrics } from './operating/metrics';
import { AnswerCache } from './pipeline/answer-cache';
import { BytesInFlight } from './pipeline/bytes-in-flight';
import { RequestQueue } from './pipeline/request-queue';
import type { PageContent, Service, ServiceMemory } from './pipeline/service';
import {
  type Examination,
  type ExaminationJob,
  type SubmissionDesk,
  type SubmissionPorts,
  SubmissionSlots,
} from './pipeline/submission-ports';

/** All pages and their files, both plain and compressed, take about three megabytes. */
const PAGE_CACHE_BYTES = 8 * 1024 * 1024;

/** Creates empty caches. `answerCacheBytes` limits the cached answers. */
export function createMemory(answerCacheBytes: number, maxBytesInFlight: number): ServiceMemory {
  const bytesInFlight = new BytesInFlight(maxBytesInFlight);
  return {
    bytesInFlight,
    answers: new AnswerCache(answerCacheBytes),
    pages: new LeastRecentlyUsedCache<PageContent>(PAGE_CACHE_BYTES),
    health: new HealthMemory(),
    metrics: new ServiceMetrics(() => bytesInFlight.current),
  };
}

/**
 * Creates the service of one process. If there are several processes, each gets an equal share of the limits that the
 * settings set for the whole service (ADR 0056).
 */
export function createService(
  settings: Settings,
  parts: Pick<Service, 'developmentKey' | 'now' | 'logError'> & {
    readonly store?: Store;
    /** Without these functions, submissions over HTTP are turned off. */
    readonly intakeFunctions?: IntakeFunctions;
  },
  processes = 1,
): Service {
  const { store = openStore(settings) } = parts;
  const write = settings.keyUsage === 'store' ? (uses: readonly KeyUse[]) => store.usage.add(uses) : logUses;
  const usage = new UsageCounter(write, parts.logError);
  const memory = createMemory(settings.answerCacheBytes / processes, settings.maxBytesInFlight / processes);
  const limits = new RateLimits(settings, processes);
  const { publicUrl, basemap, linkedDataId, trustedProxies, contact } = settings;
  return {
    publicUrl,
    basemap,
    linkedDataId,
    trustedProxies,
    contact,
    store,
    downloads: openDownloads(settings),
    countyOutlines: openCountyOutlines(),
    caches: createSearchCaches(settings.searchCacheBytes / processes),
    ...memory,
    collectMetrics: () => memory.metrics.text(),
    pageBytes: MAX_PAGE_BYTES,
    readingSettings: { slashDateOrder: settings.slashDateOrder },
    deadlineMs: settings.requestDeadlineSeconds * 1000,
    access: new AccessControl(store.keys, limits, usage),
    selfService: createSelfService(settings, store, {
      ...parts,
      random: randomBytes,
      count: (outcome) => {
        memory.metrics.mails.inc({ outcome });
      },
    }),
    queue: new RequestQueue(Math.ceil(settings.maxConcurrentRequests / processes)),
    exports: {
      maxRecords: settings.exportLimit,
      slots: new ExportSlots(Math.ceil(settings.exportsAtOnce / processes)),
      start: (job) => new ThreadedExport({ job, settings }),
    },
    submissions: createSubmissions(settings, parts),
    intake: { instructions: settings.submitInstructions, inbox: settings.inbox?.kind },
    clock: () => performance.now(),
    ...parts,
  };
}

/** The functions of the loaders that requests may call. */
export interface IntakeFunctions {
  readonly examine: (job: ExaminationJob, settings: Settings) => Promise<Examination>;
  readonly openDesk: (location: InboxLocation, now: () => Date) => Promise<SubmissionDesk>;
}

function createSubmissions(
  settings: Settings,
  { intakeFunctions, now }: { readonly intakeFunctions?: IntakeFunctions; readonly now: () => Date },
): SubmissionPorts | undefined {
  if (intakeFunctions === undefined) return undefined;
  const { inbox, submissionsHttp, checkBytes, submitBytes, stagingDirectory } = settings;
  let desk: Promise<SubmissionDesk> | undefined;
  const ports: SubmissionPorts = {
    submissionsHttp,
    checkBytes,
    submitBytes,
    stagingDirectory,
    slots: new SubmissionSlots(),
    examine: (job) => intakeFunctions.examine(job, settings),
    openDesk:
      inbox &&
      (() => {
        desk ??= intakeFunctions.openDesk(inbox, now);
        // If opening fails, the next request tries again.
        desk.catch(() => {
          desk = undefined;
        });
        return desk;
      }),
  };
  return ports;
}

/** Waits for an email that is being sent, and stores the usage counts, before closing the store. */
export async function closeService({
  access,
  selfService,
  store,
}: Pick<Service, 'access' | 'selfService' | 'store'>): Promise<void> {
  await selfService?.mails?.idle();
  await access.usage.flush();
  await store.close();
}

/** Writes to the console. Redacts access keys (D30), because error messages from libraries may quote their input. */
export function logFailure(message: string, error: unknown): void {
  console.error(redactKeys(formatFailure(message, error)));
}

/** The query in docs/deploying.md adds up these lines. */
function logUses(uses: readonly KeyUse[]): Promise<void> {
  for (const use of uses) console.log(`key usage ${JSON.stringify(use)}`);
  return Promise.resolve();
}
