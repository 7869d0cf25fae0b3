// The outcome of a request: an answer, a file, headers only, or a problem (RFC 9457, D31).

import type { Readable } from 'node:stream';
import { operations } from '../../query/operations';
import { joinNames } from '../../query/parameter';
import type { ParameterError } from '../../query/query-values';
import type { CatalogEntry } from '../../store/catalog-types';
import type { UnreadableEntry } from '../../store/readable-releases';
import { NAMED_BOUNDARY_SYNTAX } from '../../values/boundary';
import { MEDIA_TYPES, type MediaFormat } from '../../values/media-types';
import type { Reservation } from './bytes-in-flight';

export type HeaderFields = Readonly<Record<string, string>>;

export interface Problem {
  readonly status:
    400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 412 | 413 | 414 | 415 | 416 | 422 | 429 | 500 | 503;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  /** Headers of this problem, in addition to the headers that all problems share. */
  readonly headers?: HeaderFields;
  /** The problem as an HTML page, for people who followed a link. */
  readonly page?: string;
}

export type Outcome =
  | {
      readonly kind: 'answer';
      /** Defaults to 200. */
      readonly status?: number | undefined;
      readonly body: Buffer;
      readonly contentType: string;
      readonly headers: HeaderFields;
      /** The number of records in the body, for limits and usage counts. */
      readonly records?: number | undefined;
      /** Released as soon as the body itself counts. */
      readonly reservation?: Reservation;
    }
  /** A file, or a range of a file (206), that is sent while it is read or written. */
  | {
      readonly kind: 'file';
      readonly status: 200 | 206;
      /** Undefined if the file is still being written. The format of such a file marks its end. */
      readonly bytes: number | undefined;
      /** Called once; never called for HEAD. */
      readonly read: () => Readable;
      readonly contentType: string;
      readonly headers: HeaderFields;
      /** The number of records in the file. */
      readonly records?: number;
    }
  /**
   * An answer without a body: an empty tile (204), a temporary address (302), or an answer that the client already has
   * (304).
   */
  | { readonly kind: 'no body'; readonly status: 204 | 302 | 304; readonly headers: HeaderFields }
  | Refusal;

export interface Refusal {
  readonly kind: 'problem';
  readonly createProblem: Problem;
}

export function refuse(createProblem: Problem): Refusal {
  return { kind: 'problem', createProblem };
}

export function addHeaders(outcome: Outcome, more: HeaderFields): Outcome {
  if (outcome.kind !== 'problem') return { ...outcome, headers: { ...outcome.headers, ...more } };
  return refuse({ ...outcome.createProblem, headers: { ...outcome.createProblem.headers, ...more } });
}

/** The maximum number of errors to list. A request line can contain 80,000 parameters. */
const MAX_ERRORS = 50;

/** Lists the first errors, and says how many more there are. */
export function badParameters(errors: readonly ParameterError[]): Problem {
  const count = errors.length === 1 ? 'One parameter is' : `${errors.length} parameters are`;
  const more = errors.length - MAX_ERRORS;
  const where = more > 0 ? `errors lists the first ${MAX_ERRORS} and leaves out ${more}` : 'see errors';
  return {
    status: 400,
    title: 'Bad input parameter',
    detail: `${count} invalid; ${where}.`,
    errors: errors.slice(0, MAX_ERRORS),
  };
}

/** More parameters than any operation has, even if each is repeated as often as allowed (D3). */
export const MAX_PARAMETERS = 2000;

export const TOO_MANY_PARAMETERS = createProblem(
  400,
  'Too many parameters',
  `A query may have at most ${MAX_PARAMETERS.toLocaleString('en-US')} parameters in address and body together. Send fewer.`,
);

const routes = operations.map(({ route }) => `/${route}`).join(', ');

const UNKNOWN = 'Unknown path';

export const UNKNOWN_PATH = createProblem(404, UNKNOWN, `The operations are ${routes}. See /docs for everything else.`);

/** The problem at paths where clients look for OAuth after a 401 (D71). */
export const NO_OAUTH = createProblem(
  404,
  UNKNOWN,
  'This service does not use OAuth. Send your access key in the header X-API-Key, or as Authorization: Bearer KEY. ' +
    'The page /keys says how to get a key.',
);

export const UNKNOWN_OGC_PATH = createProblem(
  404,
  UNKNOWN,
  'Below /ogc are /conformance, /api, /tileMatrixSets and /collections. /ogc/collections links to the resources of each ' +
    'collection; a tile is /ogc/collections/ID/tiles/WebMercatorQuad/ZOOM/ROW/COLUMN, within the grid of its zoom.',
);

export function methodNotAllowed(allow: string): Problem {
  return createProblem(405, 'Method not allowed', `Use one of ${allow}.`, { Allow: allow });
}

/** `formats` are the formats of the operation. */
export function notAcceptable(formats: readonly MediaFormat[]): Problem {
  const mediaTypes = formats.map((format) => MEDIA_TYPES[format]).join(', ');
  const choice = `Request one in the header Accept, or send format=${joinNames(formats)}.`;
  return createProblem(406, 'No such format', `The formats are ${mediaTypes}. ${choice}`);
}

export const NO_FEATURE = createProblem(404, 'No such feature', 'No published feature has this id.');

export const NO_SITEMAP_PART = createProblem(
  404,
  'No such part of the sitemap',
  'Each published release has its own parts: /sitemap.xml lists them.',
);

/** `release` is the last release that contained the feature (D49). */
export function featureGone(release: string): Problem {
  return createProblem(
    410,
    'Feature withdrawn',
    `It is no longer published. The last release that contained it is ${release}.`,
  );
}

export const VERSION_GONE = createProblem(
  410,
  'Data version no longer held',
  'Start over without DataVersion, or with the version in the header Data-Version of a new answer.',
);

export const PREVIOUS_VERSION_GONE = createProblem(
  410,
  VERSION_GONE.title,
  'Changes since this version are no longer available. Download all records, and use their Data-Version from then on.',
);

export const RELEASE_GONE = createProblem(
  410,
  'Release no longer held',
  'A newer release has replaced it. GET /v1/Downloads lists the current files.',
);

export const FILE_PENDING = createProblem(
  404,
  'File not made yet',
  'Files are created after a release is published. GET /v1/Downloads shows which are still pending.',
);

export function unsatisfiableRange(bytes: number): Problem {
  const range = { 'Content-Range': `bytes */${bytes}` };
  return createProblem(416, 'Range not satisfiable', `The file has ${bytes} bytes. Request a range within it.`, range);
}

export function tooManyRequests(seconds: number): Problem {
  const detail =
    'Rate limit reached: this key has no requests or records left this minute; see the headers RateLimit and RateLimit-Policy. Try again';
  return tryLater(429, 'Too many requests', detail, seconds);
}

/** For a batch that is so large that waiting would not help. */
export function batchTooLarge(capacity: number): Problem {
  const maxMessages = Math.floor(capacity);
  return createProblem(
    400,
    'Batch too large',
    `Each message of a batch counts as a request, and the limit allows ${maxMessages} at once. Send at most ${maxMessages} messages.`,
  );
}

export function tooManyPages(seconds: number): Problem {
  const detail =
    'Rate limit reached for pages from your address; see the headers RateLimit and RateLimit-Policy. To get ' +
    'everything at once, download the file things.jsonl.gz of each release: GET /data.json lists them. Try again';
  return tryLater(429, 'Too many pages', detail, seconds);
}

export function tooManyKeyRequests(seconds: number): Problem {
  const detail =
    'The hourly limit for your address, or the daily limit for your network or for everyone, is reached. ' +
    'Try again';
  return tryLater(429, 'Too many key requests', detail, seconds);
}

export function tooManyRotations(seconds: number): Problem {
  const detail = 'This key and its predecessors were replaced too often in the last 24 hours. Try again';
  return tryLater(429, 'Too many key rotations', detail, seconds);
}

/** Does not say which of the three reasons applies, because that would help someone who guesses tokens. */
export const TOKEN_GONE = createProblem(
  410,
  'Token not good',
  'This link is not valid, has expired or was already used. Request a new one.',
);

export const KEY_NOT_STORED = createProblem(
  404,
  'No such key',
  'The development key has no stored record. Use a key that was issued.',
);

export const ROTATED_KEY = createProblem(
  410,
  'Key already replaced',
  'This key was already replaced by another. Rotate or delete the newer key.',
);

/** The maximum length of a request line in bytes (D15). */
export const MAX_REQUEST_LINE = 256 * 1024;

/**
 * The maximum length of the request line and all headers together. A request line of maximum length leaves 64 KiB for
 * headers.
 */
export const MAX_REQUEST_HEAD = MAX_REQUEST_LINE + 64 * 1024;

export const URI_TOO_LONG = createProblem(
  414,
  'Request line too long',
  `The limits are ${MAX_REQUEST_LINE / 1024} KiB for the request line, ${MAX_REQUEST_HEAD / 1024} KiB with all headers, and 1,000 headers; proxies often allow less. ` +
    `Send the query by POST, use a named boundary (${NAMED_BOUNDARY_SYNTAX}), or simplify it.`,
);

/** The maximum length of a query in a body, in bytes (D68). */
export const MAX_QUERY_BODY = 1024 * 1024;

export const BODY_TOO_LARGE = createProblem(
  413,
  'Body too large',
  `The body of a query may have at most ${MAX_QUERY_BODY / 1024} KiB. Simplify the boundary, or split the query.`,
);

/** The only media type that a query in a body may have (D68). */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

export const UNSUPPORTED_BODY = createProblem(
  415,
  'Unsupported body type',
  `Send the parameters in the body as ${FORM_TYPE}, in UTF-8 and without compression.`,
);

/** For bytes that are not an HTTP request. */
export const MALFORMED_REQUEST = createProblem(
  400,
  'Not a request',
  'The server received something that is not a well-formed HTTP request.',
);

export const REQUEST_TOO_SLOW = createProblem(
  408,
  'Request too slow',
  'The request was not complete in time. Send it faster.',
);

export const INTERNAL_ERROR = createProblem(
  500,
  'Internal error',
  'The request failed because of a fault in the service. If it happens again, send the instance to the operator.',
);

export function exportTooLarge(records: number, maxRecords: number): Problem {
  const found = `The query matches ${records} records; an export may have at most ${maxRecords}.`;
  const advice = 'Narrow it, read it page by page, or download whole data sets: GET /v1/Downloads lists the files.';
  return createProblem(400, 'Export too large', `${found} ${advice}`);
}

/** `why` is a sentence without its period. It states which place the boundary belongs to. */
export function boundaryTooLarge(why: string): Problem {
  return createProblem(400, 'Boundary too large', `${why}.`);
}

export function tooManyExports(secondsToWait: number): Problem {
  return tryLater(503, 'Too many exports', 'Too many exports are running. Try again', secondsToWait);
}

export const OVERLOADED = tryLater(503, 'Service busy', 'The service is busy or its data is unreachable. Try again', 2);

export const NOT_READY = tryLater(503, 'Not ready', 'The data cannot be read at the moment. Try again', 5);

const GIVEN_UP = 'The request exceeded its time limit. Use a simpler boundary or request fewer records, or try again';

export const TOOK_TOO_LONG = tryLater(503, 'Request took too long', GIVEN_UP, 10);

/** Maximum number of data sets to list in one sentence. */
const MAX_NAMED = 10;

/** For a query over data sets that include unreadable ones: an answer without those would be wrong. */
export function notReadable(unreadable: readonly UnreadableEntry[]): Problem {
  const names = joinLimited(unreadable.map(({ entry }) => formatEntry(entry)));
  const sentence = `The data of ${names} cannot be read at the moment, and without them the answer would be incomplete.`;
  const detail = `${sentence} Query other organizations (OrganizationUUID), or try again`;
  return tryLater(503, 'Data not readable', detail, 60);
}

/** Like `NOT_READY`, but lists the data sets that cannot be read, and why. */
export function notReady(unreadable: readonly UnreadableEntry[]): Problem {
  const reasons = unreadable.map(({ entry, fault }) => `the release of ${formatEntry(entry)} ${fault.problem}`);
  return tryLater(503, NOT_READY.title, `Not all data can be read: ${joinLimited(reasons, '; ')}. Try again`, 5);
}

function joinLimited(texts: readonly string[], separator = ', '): string {
  const more = texts.length > MAX_NAMED ? [`and ${texts.length - MAX_NAMED} more`] : [];
  return [...texts.slice(0, MAX_NAMED), ...more].join(separator);
}

function formatEntry({ organizationUuid, dataSet }: CatalogEntry): string {
  return `${organizationUuid} ${dataSet}`;
}

/** Adds the advice to wait to the detail. */
function tryLater(status: 429 | 503, title: string, detail: string, seconds: number): Problem {
  return createProblem(status, title, `${detail} after the time in Retry-After.`, { 'Retry-After': String(seconds) });
}

export function createProblem(
  status: Problem['status'],
  title: string,
  detail: string,
  headers: HeaderFields = {},
): Problem {
  return { status, title, detail, headers };
}

/**
 * `instance` becomes `urn:uuid:` followed by the request id. `type` comes from the title, and programs compare it, so
 * published titles never change.
 */
export function writeProblem({ status, title, detail, errors }: Problem, requestId: string): string {
  const type = `urn:water-data-query-service:problem:${title.toLowerCase().replaceAll(' ', '-')}`;
  return JSON.stringify({ type, title, status, detail, instance: `urn:uuid:${requestId}`, errors });
}
