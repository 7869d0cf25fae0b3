// What a host hands to an HTTP function and gets back, and the service that a function answers with: store, caches,
// limits, clock.

import type { Readable } from 'node:stream';
import type { AccessControl } from '../../access/access-control';
import type { SelfService } from '../../access/self-service';
import type { ExportSlots } from '../../files/export-slots';
import type { StartExport } from '../../files/threaded-export';
import type { AnswerFormat } from '../../query/format-parameters';
import type { ReadingSettings } from '../../query/parameter';
import type { SearchCaches } from '../../search/index/search-caches';
import type { InboxLocation, Settings } from '../../settings';
import type { DownloadFiles } from '../../store/download-files';
import type { Store } from '../../store/port';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { HealthMemory } from '../operating/health';
import type { ServiceMetrics } from '../operating/metrics';
import type { AnswerCache } from './answer-cache';
import type { BytesInFlight } from './bytes-in-flight';
import type { HeaderFields } from './outcome';
import type { RequestQueue } from './request-queue';

/** What routes look at of a request: that of the platform has more members. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute. Its query stands as it was sent: the routes read it strictly. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Pick<Headers, 'get' | 'has'>;
  /** The body, whole and at most MAX_BODY_BYTES; undefined for a longer one, or where it did not come. */
  readonly readBody?: (() => Promise<Uint8Array | undefined>) | undefined;
  /** The address of whoever has the connection; undefined where a host cannot tell. */
  readonly address?: string | undefined;
  /**
   * Calls back once, when the answer has left or nobody waits for it any more; at once if that was before. Where a host
   * cannot tell, the answer counts as gone when it is handed over.
   */
  readonly onClosed?: ((act: () => void) => void) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** Whole, or a stream that somebody must read or destroy. */
  readonly body?: Uint8Array | Readable;
}

/** The longest body that an operation reads. */
export const MAX_BODY_BYTES = 32 * 1024;

export interface HttpFunction {
  readonly name: string;
  /** Without a leading slash; `{*path}` takes every path that no other function has. */
  readonly route: string;
  readonly handle: (request: HttpRequest, service: Service) => Promise<HttpResponse>;
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

/** What the settings say that routes look at. */
type RouteSettings = Pick<Settings, 'publicUrl' | 'basemap' | 'linkedDataId' | 'trustedProxies' | 'contact'>;

export interface Service extends ServiceMemory, RouteSettings {
  readonly store: Store;
  readonly downloads: DownloadFiles;
  readonly caches: SearchCaches;
  readonly readingSettings: ReadingSettings;
  readonly access: AccessControl;
  /** Undefined where nobody makes keys by oneself (D56). */
  readonly selfService: SelfService | undefined;
  readonly queue: RequestQueue;
  /** What makes exports (D46), and its bounds. */
  readonly exports: {
    readonly maxRecords: number;
    readonly slots: Pick<ExportSlots, 'acquire' | 'release'>;
    readonly start: StartExport;
  };
  /** How submissions go in, for the page that says so (D66). */
  readonly intake: {
    /** The operator's own words or a web address; empty when there are none. */
    readonly instructions: string;
    readonly inbox: InboxLocation['kind'] | undefined;
  };
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

/** What a service remembers from one request to the next. */
export interface ServiceMemory {
  readonly bytesInFlight: BytesInFlight;
  readonly answers: AnswerCache;
  readonly pages: PageCache;
  readonly health: HealthMemory;
  readonly metrics: ServiceMetrics;
}
