// The outcome of a request: an answer, a file, headers alone, or a problem (RFC 9457, D31).

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
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 410 | 412 | 413 | 414 | 415 | 416 | 429 | 500 | 503;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  /** Headers of this problem in addition to the common ones. */
  readonly headers?: HeaderFields;
  /** The problem as a page, for people who followed a link. */
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
      /** Records in the body, for limits and counts of use. */
      readonly records?: number | undefined;
      /** Released once the body itself counts. */
      readonly reservation?: Reservation;
    }
  /** A file, or a range of one (206), that is sent while it is read or written. */
  | {
      readonly kind: 'file';
      readonly status: 200 | 206;
      /** Undefined for a file that is still being written. Its format marks its own end. */
      readonly bytes: number | undefined;
      /** Called once, and never for HEAD. */
      readonly read: () => Readable;
      readonly contentType: string;
      readonly headers: HeaderFields;
      /** Records in the file. */
      readonly records?: number;
    }
  /** An empty answer such as a tile (204), a temporary address (302), or an answer that the client has (304). */
  | { readonly kind: 'no body'; readonly status: 204 | 302 | 304; readonly headers: HeaderFields }
  | Refusal;

export interface Refusal {
  readonly kind: 'problem';
  readonly createProblem: Problem;
}

export function refuse(createProblem: Problem): Refusal {
  return { kind: 'problem', createProblem: createProblem };
}

export function addHeaders(outcome: Outcome, more: HeaderFields): Outcome {
  if (outcome.kind !== 'problem') return { ...outcome, headers: { ...outcome.headers, ...more } };
  return refuse({ ...outcome.createProblem, headers: { ...outcome.createProblem.headers, ...more } });
}

/** A request line can have 80,000 parameters. */
const MAX_ERRORS = 50;

/** Lists the first errors, and says how many more there are. */
export function badParameters(errors: readonly ParameterError[]): Problem {
  const count = errors.length === 1 ? 'One parameter is' : `${errors.length} parameters are`;
  const more = errors.length - MAX_ERRORS;
  const where = more > 0 ? `errors lists the first ${MAX_ERRORS}, and there are ${more} more` : 'see errors';
  return {
    status: 400,
    title: 'Bad input parameter',
    detail: `${count} not usable; ${where}.`,
    errors: errors.slice(0, MAX_ERRORS),
  };
}

/** More than the parameters of any operation, each as often as it may be repeated (D3). */
export const MAX_PARAMETERS = 2000;

export const TOO_MANY_PARAMETERS = createProblem(
  400,
  'Too many parameters',
  `A query may have ${MAX_PARAMETERS.toLocaleString('en-US')} parameters, counted over the address and the body. Send fewer.`,
);

const routes = operations.map(({ route }) => `/${route}`).join(', ');

const UNKNOWN = 'Unknown path';

export const UNKNOWN_PATH = createProblem(
  404,
  UNKNOWN,
  `The operations are ${routes}; /docs describes all that there is.`,
);

/** Where clients look for OAuth after a 401 (D71). */
export const NO_OAUTH = createProblem(
  404,
  UNKNOWN,
  'This service does not use OAuth. Send your access key in the header X-API-Key, or as Authorization: Bearer KEY. ' +
    'The page /keys says where keys come from.',
);

export const UNKNOWN_OGC_PATH = createProblem(
  404,
  UNKNOWN,
  'Below /ogc are /conformance, /api, /tileMatrixSets and /collections. /ogc/collections links to what each collection ' +
    'has; a tile is /ogc/collections/ID/tiles/WebMercatorQuad/ZOOM/ROW/COLUMN, within the grid of its zoom.',
);

export function methodNotAllowed(allow: string): Problem {
  return createProblem(405, 'Method not allowed', `Use one of ${allow}.`, { Allow: allow });
}

/** `formats` are those of the operation. */
export function notAcceptable(formats: readonly MediaFormat[]): Problem {
  const mediaTypes = formats.map((format) => MEDIA_TYPES[format]).join(', ');
  const choice = `Name one in the header Accept, or ask with format=${joinNames(formats)}.`;
  return createProblem(406, 'No such format', `The formats are ${mediaTypes}. ${choice}`);
}

export const NO_FEATURE = createProblem(404, 'No such feature', 'Nothing that is published now has this id.');

export const NO_SITEMAP_PART = createProblem(
  404,
  'No such part of the sitemap',
  'Parts are those of the releases that are published now: /sitemap.xml lists them.',
);

/** `release` is the last one that had it (D49). */
export function featureGone(release: string): Problem {
  return createProblem(
    410,
    'Feature withdrawn',
    `It is not published any more. The last release that had it is ${release}.`,
  );
}

export const VERSION_GONE = createProblem(
  410,
  'Data version no longer held',
  'Start the walk again without DataVersion, or with the version that the header Data-Version of a new answer names.',
);

export const PREVIOUS_VERSION_GONE = createProblem(
  410,
  VERSION_GONE.title,
  'The version that changes are asked since is not held any more. Take all records, and ask for changes since their Data-Version.',
);

export const RELEASE_GONE = createProblem(
  410,
  'Release no longer held',
  'What was published after it has files of its own: GET /v1/Downloads lists them.',
);

export const FILE_PENDING = createProblem(
  404,
  'File not made yet',
  'The files of a release are made after its publish. GET /v1/Downloads says which are still pending.',
);

export function unsatisfiableRange(bytes: number): Problem {
  const range = { 'Content-Range': `bytes */${bytes}` };
  return createProblem(416, 'Range not satisfiable', `The file has ${bytes} bytes. Ask for bytes that it has.`, range);
}

export function tooManyRequests(seconds: number): Problem {
  const detail =
    'The key has used up its requests or records of a minute; see the headers RateLimit and RateLimit-Policy. Try again';
  return tryLater(429, 'Too many requests', detail, seconds);
}

/** For a batch that waiting does not help. */
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
    'Your address has asked for its pages of a minute; see the headers RateLimit and RateLimit-Policy. Whoever wants ' +
    'all of them finds them in one file a release, things.jsonl.gz: GET /data.json lists it. Try again';
  return tryLater(429, 'Too many pages', detail, seconds);
}

export function tooManyKeyRequests(seconds: number): Problem {
  const detail =
    'The limit of key requests is reached, for this address in an hour, or for its network or for everyone in a day. ' +
    'Try again';
  return tryLater(429, 'Too many key requests', detail, seconds);
}

export function tooManyRotations(seconds: number): Problem {
  const detail = 'This key and the keys before it were replaced too often in the last 24 hours. Try again';
  return tryLater(429, 'Too many key rotations', detail, seconds);
}

/** Does not say which of the three it is, which would help someone who guesses tokens. */
export const TOKEN_GONE = createProblem(
  410,
  'Token not good',
  'The link was used before, is more than an hour old, or is none of this service. Ask for a new one.',
);

export const KEY_NOT_STORED = createProblem(
  404,
  'No such key',
  'The development key is not stored, and nothing is known of it.',
);

export const ROTATED_KEY = createProblem(
  410,
  'Key already replaced',
  'Another key has taken the place of this one. Rotate that one, or delete it.',
);

/** The longest request line, in bytes (D15). */
export const MAX_REQUEST_LINE = 256 * 1024;

/** The request line and all headers together. A line of maximum length leaves 64 KiB for headers. */
export const MAX_REQUEST_HEAD = MAX_REQUEST_LINE + 64 * 1024;

export const URI_TOO_LONG = createProblem(
  414,
  'Request line too long',
  `A request line may have ${MAX_REQUEST_LINE / 1024} KiB, and ${MAX_REQUEST_HEAD / 1024} with all headers, of which ` +
    `1,000 may be there; proxies and platforms often allow 2 to 4. Name the boundary: ${NAMED_BOUNDARY_SYNTAX}; or simplify it.`,
);

/** The longest body of a query, in bytes (D68). */
export const MAX_QUERY_BODY = 1024 * 1024;

export const BODY_TOO_LARGE = createProblem(
  413,
  'Body too large',
  `The body of a query may have ${MAX_QUERY_BODY / 1024} KiB. Simplify the boundary, or split the query.`,
);

/** The only type of a query in a body (D68). */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

export const UNSUPPORTED_BODY = createProblem(
  415,
  'Unsupported body type',
  `Send the parameters as the body of the type ${FORM_TYPE}, in UTF-8 and without compression.`,
);

/** For bytes that are not an HTTP request. */
export const MALFORMED_REQUEST = createProblem(
  400,
  'Not a request',
  'What was received is not a well-formed HTTP request.',
);

export const REQUEST_TOO_SLOW = createProblem(
  408,
  'Request too slow',
  'The request was not complete in time. Send it faster.',
);

export const INTERNAL_ERROR = createProblem(
  500,
  'Internal error',
  'The request could not be answered. Tell the operator the instance if it happens again.',
);

export function exportTooLarge(records: number, mostRecords: number): Problem {
  const found = `The query finds ${records} records, and an export has ${mostRecords} at most.`;
  const advice =
    'Narrow it, walk through its pages, or take the files of whole data sets: GET /v1/Downloads lists them.';
  return createProblem(400, 'Export too large', `${found} ${advice}`);
}

/** `why` names the place of the boundary. */
export function boundaryTooLarge(why: string): Problem {
  return createProblem(400, 'Boundary too large', `${why}.`);
}

export const TOO_MANY_EXPORTS = tryLater(503, 'Too many exports', 'Other exports are being made. Try again', 30);

export const OVERLOADED = tryLater(503, 'Service busy', 'The service is busy or its data is unreachable. Try again', 2);

export const NOT_READY = tryLater(503, 'Not ready', 'The data cannot be read at the moment. Try again', 5);

const GIVEN_UP =
  'The request was given up at its deadline. Ask for less at once: a simpler boundary, or fewer records; or try again';

export const TOOK_TOO_LONG = tryLater(503, 'Request took too long', GIVEN_UP, 10);

/** Data sets named in one sentence. */
const MAX_NAMED = 10;

/** For a query over data sets that cannot be read: an answer without them would be wrong. */
export function notReadable(unreadable: readonly UnreadableEntry[]): Problem {
  const names = joinLimited(unreadable.map(({ entry }) => formatEntry(entry)));
  const sentence = `Data of ${names} cannot be read at the moment, and an answer without them would not be complete.`;
  const detail = `${sentence} Ask for other organizations (OrganizationUUID), or try again`;
  return tryLater(503, 'Data not readable', detail, 60);
}

/** Like `NOT_READY`, with the data sets that cannot be read and the reasons. */
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

/** Appends the advice to wait to the detail. */
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

/** `instance` is `urn:uuid:` and the request id. */
export function writeProblem({ status, title, detail, errors }: Problem, requestId: string): string {
  const type = `urn:water-data-query-service:problem:${title.toLowerCase().replaceAll(' ', '-')}`;
  return JSON.stringify({ type, title, status, detail, instance: `urn:uuid:${requestId}`, errors });
}
