// The interface between hosts, functions and the service: the request from the host, the response, and the service with
// its store, caches, limits and clock.

import type { Readable } from 'node:stream';
import type { AccessControl } from '../../access/access-control';
import type { SelfService } from '../../access/self-service';
import type { ExportSlots } from '../../files/export-slots';
import type { StartExport } from '../../files/threaded-export';
import type { AnswerFormat } from '../../query/format-parameters';
import type { ReadingSettings } from '../../query/parameter';
import type { QueryItem } from '../../query/query-string';
import type { SearchCaches } from '../../search/index/search-caches';
import type { InboxLocation, Settings } from '../../settings';
import type { DownloadFiles } from '../../store/download-files';
import type { Store } from '../../store/port';
import type { CountyOutlines } from '../../values/county-outlines';
import type { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { HealthMemory } from '../operating/health';
import type { ServiceMetrics } from '../operating/metrics';
import type { AnswerCache } from './answer-cache';
import type { BytesInFlight } from './bytes-in-flight';
import type { HeaderFields } from './outcome';
import type { RequestQueue } from './request-queue';
import type { SubmissionPorts } from './submission-ports';

/** The members of a request that routes use. The platform's request has more. */
export interface HttpRequest {
  readonly method: string;
  /** An absolute URL. The query is as it was sent, because the routes read it strictly. */
  readonly url: string;
  /** Header names are in lower case. */
  readonly headers: Pick<Headers, 'get' | 'has'>;
  /**
   * Reads the complete body. Returns undefined if the body did not arrive, or as soon as it is longer than `maxBytes`.
   * If the function is missing, the request has no body.
   */
  readonly readBody?: ((maxBytes: number) => Promise<Uint8Array | undefined>) | undefined;
  /**
   * Yields the bytes of the body as they arrive. Call this at most once, and not together with `readBody`. Throws a
   * BodyIncompleteError if the body does not arrive completely. Missing on hosts that read only whole bodies.
   */
  readonly streamBody?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Parameters from the body, in addition to those in the URL (D68). */
  readonly bodyItems?: readonly QueryItem[];
  /** The address of the other end of the connection; undefined if the host does not know it. */
  readonly address?: string | undefined;
  /**
   * Calls back once: when the answer has been sent or the client has disconnected, or immediately if that has already
   * happened. If missing, the answer counts as sent when the host receives it.
   */
  readonly onClosed?: ((callback: () => void) => void) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** A complete body, or a stream that the host must read or destroy. */
  readonly body?: Uint8Array | Readable;
}

/**
 * The methods that the Functions library supports. For other methods, the platform answers 404 without calling a
 * function.
 */
export const HTTP_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'] as const;

export interface HttpFunction {
  /** The platform tries functions in the order of their names (host/platform-router.ts). */
  readonly name: string;
  /** Without a leading slash. `{*path}` matches the path before it and every path below it. */
  readonly route: string;
  /** Always all methods, because the function itself answers 405. */
  readonly methods: typeof HTTP_METHODS;
  readonly handle: (request: HttpRequest, service: Service) => Promise<HttpResponse>;
}

/** A page, or a file that pages use, in the form in which it is sent. The digest identifies its bytes. */
export interface PageContent {
  readonly body: Buffer;
  readonly contentType: string;
  readonly digest: string;
  /** The content as compressed by the build. If missing, the content is compressed when it is first sent. */
  readonly brotli?: Buffer;
}

export type PageCache = LeastRecentlyUsedCache<PageContent>;

/** The settings that routes use. */
type RouteSettings = Pick<Settings, 'publicUrl' | 'basemap' | 'linkedDataId' | 'trustedProxies' | 'contact'>;

export interface Service extends ServiceMemory, RouteSettings {
  readonly store: Store;
  readonly downloads: DownloadFiles;
  readonly caches: SearchCaches;
  readonly countyOutlines: CountyOutlines;
  readonly readingSettings: ReadingSettings;
  readonly access: AccessControl;
  /** Undefined if the settings turn self-service keys off (D56). */
  readonly selfService: SelfService | undefined;
  readonly queue: RequestQueue;
  /** Exports (D46) and their limits. */
  readonly exports: {
    readonly maxRecords: number;
    readonly slots: Pick<ExportSlots, 'acquireWithin' | 'release' | 'estimateWait'>;
    readonly start: StartExport;
  };
  /** Checks and submissions over HTTP (D76); undefined in programs that do not offer them. */
  readonly submissions?: SubmissionPorts | undefined;
  /** How to submit data, for the page about submitting (D66). */
  readonly intake: {
    /** The operator's own text, or a web address; empty if there is neither. */
    readonly instructions: string;
    readonly inbox: InboxLocation['kind'] | undefined;
  };
  /** Maximum size of the records on a page in bytes, by format. */
  readonly pageBytes: Readonly<Record<AnswerFormat, number>>;
  /** How long the service may work on one request, in milliseconds. */
  readonly deadlineMs: number;
  /** Accepted in addition to issued keys. Set only by the local host on loopback (D54). */
  readonly developmentKey: string | undefined;
  readonly now: () => Date;
  /** Returns the metrics of all processes on the port, in the Prometheus text format. */
  readonly collectMetrics: () => Promise<string>;
  /** Returns monotonic milliseconds, for deadlines. */
  readonly clock: () => number;
  /** Logs a failure. Callers must not pass a key. */
  readonly logError: (message: string, error: unknown) => void;
}

/** What a service remembers between requests. */
export interface ServiceMemory {
  readonly bytesInFlight: BytesInFlight;
  readonly answers: AnswerCache;
  readonly pages: PageCache;
  readonly health: HealthMemory;
  readonly metrics: ServiceMetrics;
}
