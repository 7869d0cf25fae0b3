// The operations for the OpenAPI document: pages of records, totals, facets, places and removed records, exports (D46),
// the inventory, names (D60), downloads (D44, D45), vector tiles (D50) and the health of the service.

import { PRECONDITION_FAILED } from '../../shared/http/pipeline/conditional-requests';
import {
  FILE_PENDING,
  NOT_READY,
  RELEASE_GONE,
  tooManyExports,
  UNKNOWN_PATH,
  unsatisfiableRange,
} from '../../shared/http/pipeline/outcome';
import {
  downloads,
  type ExportOperation,
  exportOperations,
  find,
  inventory,
  type Operation,
  pageOperations,
} from '../../shared/query/operations';
import { type TileCollection, tileCollections } from '../../shared/query/tile-collections';
import { DOWNLOAD_MEDIA_TYPES, DOWNLOAD_NAMES } from '../../shared/store/download-files';
import { MATRIX_SET, MAX_ZOOM } from '../../shared/tiles/tile-grid';
import { DIGEST_NAME } from '../../shared/values/digest';
import { MEDIA_TYPES, TILE_TYPE } from '../../shared/values/media-types';
import type { AnsweredExamples } from './examples';
import { DESCRIPTIONS } from './openapi-descriptions';
import { buildKeyPaths, KEYS_TAG } from './openapi-keys';
import { buildParameter } from './openapi-parameters';
import { buildPostOperation, buildTilePostOperation, type GetOperation } from './openapi-posts';
import {
  answerHeaders,
  buildProblemResponses,
  buildResponses,
  buildTextHeader,
  type DescribedProblem,
  omitMembers,
  problemHeaders,
  TOO_LONG,
  withLimitHeaders,
} from './openapi-responses';
import { getPageContents, reference } from './openapi-schemas';
import { buildSubmissionPaths, SUBMISSIONS_TAG } from './openapi-submissions';
import { describeFormat, describeTileParameters } from './openapi-tile-parameters';

const DATA_TAG = { name: 'Water data', description: 'Searches across all published data.' };
const TILES_TAG = { name: 'Map tiles', description: 'The same data as vector tiles, with the same filters.' };
const SERVICE_TAG = { name: 'Service', description: 'About the service itself; no key required.' };

export const TAGS = [DATA_TAG, TILES_TAG, KEYS_TAG, SUBMISSIONS_TAG, SERVICE_TAG];

export function buildPaths(answered: AnsweredExamples): Readonly<Record<string, object>> {
  const { exampleVersion } = answered;
  return {
    ...Object.fromEntries(
      pageOperations.map((operation) => [`/${operation.route}`, buildPageItem(operation, answered)]),
    ),
    ...Object.fromEntries(
      exportOperations.map((operation) => [`/${operation.route}`, buildExportItem(operation, exampleVersion)]),
    ),
    [`/${inventory.route}`]: buildAnswerItem(inventory, exampleVersion, INVENTORY),
    [`/${find.route}`]: buildAnswerItem(find, exampleVersion, FIND_RESULTS),
    [`/${downloads.route}`]: buildAnswerItem(downloads, exampleVersion, DOWNLOADS, downloadProblems),
    [`/${downloads.route}/{Release}/{Name}`]: buildFileItem(answered.exampleRelease),
    ...Object.fromEntries(
      tileCollections.flatMap((collection) => {
        const path = `/ogc/collections/${collection.id}/tiles/${MATRIX_SET}`;
        return [
          [path, buildTilesetItem(collection, answered)],
          [`${path}/{zoom}/{row}/{column}`, buildTileItem(collection, answered)],
        ];
      }),
    ),
    ...buildKeyPaths(),
    ...buildSubmissionPaths(),
    '/health': buildHealthItem(),
  };
}

interface DescribedOperation {
  readonly operationId: string;
  /** The tag is that of data searches by default. */
  readonly tag?: { readonly name: string };
  readonly summary: string;
  readonly description: string;
  readonly needsKey?: boolean;
  readonly parameters?: readonly object[];
  readonly responses: Responses;
}

type Responses = Readonly<Record<string, object>>;

function buildPathItem(operation: DescribedOperation): object {
  return { get: buildGetOperation(operation) };
}

/** JSON omits undefined members. */
function buildGetOperation(operation: DescribedOperation): GetOperation {
  const { operationId, tag = DATA_TAG, needsKey = true, summary, description, parameters, responses } = operation;
  const security = needsKey ? undefined : ([] as const);
  return { operationId, tags: [tag.name], summary, description, security, parameters, responses };
}

interface SuccessResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: object;
}

/**
 * The successful answer, and the 304 for a client that already has it. Both have the same headers unless specified
 * otherwise.
 */
function okOrNotModified(success: SuccessResponse, subject = 'the answer', headers = success.headers): Responses {
  return { 200: success, 304: { description: `The client already has ${subject}.`, headers } };
}

function buildPageItem(operation: Operation, { examples, exampleVersion }: AnsweredExamples): object {
  const { kind, route } = operation;
  const operationExamples = examples
    .filter(({ path }) => path.startsWith(`/${route}?`))
    .map(({ name, summary, path, answer }) => [name, { summary, description: path, value: answer }] as const);
  const { schema, otherFormats } = getPageContents(operation);
  return buildAnswerItem(operation, exampleVersion, {
    description: PAGE_DESCRIPTIONS[kind],
    headers: kind === 'facets' ? omitMembers(answerHeaders, ['X-Record-Count']) : answerHeaders,
    content: { [MEDIA_TYPES.json]: { schema, examples: Object.fromEntries(operationExamples) }, ...otherFormats },
  });
}

function buildAnswerItem(
  operation: Pick<Operation, 'name' | 'summary'> & Parameters<typeof buildProblemResponses>[0],
  exampleVersion: string,
  success: SuccessResponse,
  problems: Responses = buildProblemResponses(operation),
): object {
  return buildOperationItem(operation, exampleVersion, { ...okOrNotModified(success), ...problems });
}

/** An operation with GET, and with POST for long queries. */
function buildOperationItem(
  operation: Pick<Operation, 'name' | 'summary' | 'parameters'>,
  exampleVersion: string,
  responses: Responses,
): object {
  const { name, summary, parameters: declared } = operation;
  const parameters = declared.map((parameter) => buildParameter(parameter, exampleVersion));
  const description = DESCRIPTIONS[name] ?? '';
  const get = buildGetOperation({ operationId: name, summary, description, parameters, responses });
  return { get, post: buildPostOperation(operation, get) };
}

/** An answer that is available only as JSON and lacks some headers of pages. */
function jsonAnswer(schema: string, description: string, otherHeaders: readonly string[]): SuccessResponse {
  const content = { [MEDIA_TYPES.json]: { schema: reference(schema) } };
  return { description, headers: omitMembers(answerHeaders, otherHeaders), content };
}

const PAGE_DESCRIPTIONS: Readonly<Record<Operation['kind'], string>> = {
  records: 'A page of matching records. `Organizations` is empty if nothing matches or the page is past the end.',
  totals: 'A page of rows. `Totals` is empty if nothing matches or the page is past the end.',
  facets: 'The facets.',
  places: 'A page of places. `Organizations` is empty if nothing matches or the page is past the end.',
  removed: 'A page of keys. `Removed` is empty if nothing was removed or the page is past the end.',
};

const SENT_WHILE_MADE =
  'The file is streamed as it is written, without Content-Length. Readers can detect an incomplete file.';

const EXPORT_DESCRIPTIONS = {
  parquet:
    "Parquet: the columns of the CSV format with the same names, typed, and `Key`, a digest of the record's key. " +
    SENT_WHILE_MADE,
  'csv.gz': `All records in the CSV format, compressed with gzip. ${SENT_WHILE_MADE}`,
};

function buildExportItem(operation: ExportOperation, exampleVersion: string): object {
  const headers = {
    ...omitMembers(answerHeaders, ['X-Record-Count', 'Query-Hint', 'ETag', 'Link']),
    ETag: buildTextHeader('Identifies the records, their order and the format; send it as If-None-Match.'),
    Link: buildTextHeader('Links to the terms of the data, with `rel="license"` and `rel="terms-of-service"`.'),
  };
  const success = {
    description: 'Every record that matches.',
    headers: { ...headers, 'Content-Disposition': buildTextHeader('The name under which to save the file.') },
    content: Object.fromEntries(
      operation.formats.map((format) => [MEDIA_TYPES[format], buildBytesContent(EXPORT_DESCRIPTIONS[format])]),
    ),
  };
  const responses = {
    200: success,
    ...buildProblemResponses(operation),
    ...buildResponses([
      withLimitHeaders(tooManyExports(EXAMPLE_WAIT_SECONDS), 'Too many exports are running, or the service is busy.'),
    ]),
  };
  return buildOperationItem(operation, exampleVersion, responses);
}

const EXAMPLE_WAIT_SECONDS = 2;

/** Headers of pages that the inventory, the list of downloads and files do not have. */
const PAGE_HEADERS = ['X-Total-Count', 'X-Record-Count', 'Query-Hint', 'Last-Modified'];

const INVENTORY = jsonAnswer(
  'Inventory',
  'What is published; `Organizations` is empty if nothing is published.',
  PAGE_HEADERS,
);

const FIND_RESULTS = jsonAnswer(
  'Find',
  'A page of results, best match first. `Found` is empty if nothing matches or the page is past the end.',
  ['Query-Hint'],
);

const DOWNLOADS = jsonAnswer(
  'Downloads',
  'The files of each current release; `Files` is empty while they are pending.',
  PAGE_HEADERS,
);

/** Downloads have no parameter for the data version, so they never report that a version is gone. */
const downloadProblems = omitMembers(buildProblemResponses(downloads), ['410']);

const EXAMPLE_BYTES = 1_000_000;

function buildFileItem(exampleRelease: string): object {
  const limits = omitMembers(answerHeaders, [...PAGE_HEADERS, 'Data-Version', 'Link', 'ETag']);
  const ETag = buildTextHeader('The SHA-256 of the file; send it as If-None-Match or If-Range.');
  const headers = {
    ETag,
    'Accept-Ranges': buildTextHeader('Indicates that parts of the file can be requested.'),
    'Content-Disposition': buildTextHeader('The name under which to save the file.'),
    'Repr-Digest': buildTextHeader('The SHA-256 of the whole file (RFC 9530).'),
    ...limits,
  };
  const Range = {
    'Content-Range': buildTextHeader('The position of these bytes in the file, and the length of the file.'),
  };
  const content = Object.fromEntries(
    DOWNLOAD_NAMES.map((name) => [DOWNLOAD_MEDIA_TYPES[name], buildBytesContent('The content of the file.')]),
  );
  const responses = {
    200: { description: 'The whole file.', headers, content },
    206: { description: 'The requested bytes.', headers: { ...headers, ...Range }, content },
    ...downloadProblems,
    ...buildResponses([
      [FILE_PENDING, 'The file does not exist, or is still pending.'],
      withLimitHeaders(RELEASE_GONE, 'The release is no longer available.'),
      withLimitHeaders(unsatisfiableRange(EXAMPLE_BYTES), 'The file does not have the requested bytes.'),
    ]),
  };
  const summary = 'A release file, or a part of it. It never changes.';
  const release = { type: 'string', pattern: DIGEST_NAME.source };
  const parameters = [
    pathParameter('Release', 'The release, as in the list of downloads.', release, exampleRelease),
    pathParameter('Name', 'The name of the file.', { type: 'string', enum: DOWNLOAD_NAMES }, DOWNLOAD_NAMES[0]),
    RANGE_PARAMETER,
  ];
  const description = DESCRIPTIONS['DownloadFile'] ?? '';
  return buildPathItem({ operationId: 'DownloadFile', summary, description, parameters, responses });
}

const RANGE_PARAMETER = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes, such as `bytes=0-999`.',
  schema: { type: 'string' },
  example: 'bytes=0-999',
};

function buildTileItem(collection: TileCollection, answered: AnsweredExamples): object {
  const success = {
    description: 'The tile; the counts of its features add up to `X-Total-Count`.',
    headers: omitMembers(answerHeaders, ['X-Record-Count', 'Query-Hint']),
    content: { [TILE_TYPE]: buildBytesContent('A version 2 vector tile with one layer.') },
  };
  const responses = {
    200: success,
    ...buildProblemResponses(collection),
    ...buildResponses([[UNKNOWN_PATH, 'There is no such tile: the zoom, row or column is invalid.']]),
  };
  const indexes = [
    tileIndex('zoom', MAX_ZOOM, 'Zoom level: how many times the world is halved in both directions.'),
    tileIndex('row', 2 ** MAX_ZOOM - 1, 'From north to south.'),
    tileIndex('column', 2 ** MAX_ZOOM - 1, 'From west to east.'),
  ];
  const parameters = [...indexes, describeFormat(['mvt']), ...describeTileParameters(collection, answered)];
  const summary = `${collection.title}: a vector tile.`;
  const description = DESCRIPTIONS['Tile'] ?? '';
  const get = buildGetOperation({
    operationId: collection.name,
    tag: TILES_TAG,
    summary,
    description,
    parameters,
    responses,
  });
  return { get, post: buildTilePostOperation(collection, get, indexes) };
}

function buildTilesetItem(collection: TileCollection, answered: AnsweredExamples): object {
  const success = {
    description: 'The address of the tiles, and what they contain.',
    headers: omitMembers(answerHeaders, [...PAGE_HEADERS, 'RateLimit', 'RateLimit-Policy']),
    content: { [MEDIA_TYPES.json]: { schema: reference('Tileset') } },
  };
  // This operation needs no key, so it has no problems about keys or limits.
  const problems = Object.entries(omitMembers(buildProblemResponses(collection), ['401', '429']));
  const keyless = problems.map(([status, problem]) => [status, { ...problem, headers: problemHeaders }] as const);
  return buildPathItem({
    operationId: `${collection.name}Set`,
    tag: TILES_TAG,
    summary: `${collection.title}: the tileset, or its TileJSON.`,
    description: 'Its links to tiles carry the parameters of this request. No key is needed.',
    needsKey: false,
    parameters: [describeFormat(['json', 'tilejson']), ...describeTileParameters(collection, answered)],
    responses: { ...okOrNotModified(success), ...Object.fromEntries(keyless) },
  });
}

function buildHealthItem(): object {
  const success = {
    description: 'The service is ready.',
    headers: { 'Data-Version': answerHeaders['Data-Version'], ...problemHeaders },
    content: { [MEDIA_TYPES.json]: { schema: reference('Health') } },
  };
  const problems: readonly DescribedProblem[] = [
    [PRECONDITION_FAILED, 'The request has the header `If-Match`, but this answer has no entity tag.'],
    TOO_LONG,
    [NOT_READY, 'The data cannot be read at the moment.'],
  ];
  return buildPathItem({
    operationId: 'Health',
    tag: SERVICE_TAG,
    summary: 'Whether the data can be read, what is published, and how old it is.',
    description: DESCRIPTIONS['Health'] ?? '',
    needsKey: false,
    responses: { 200: success, ...buildResponses(problems) },
  });
}

function buildBytesContent(description: string): object {
  return { schema: { type: 'string', format: 'binary', description } };
}

/** The only tile of zoom level 0 contains all places. */
function tileIndex(name: string, maximum: number, description: string): object {
  return pathParameter(name, description, { type: 'integer', minimum: 0, maximum }, 0);
}

function pathParameter(name: string, description: string, schema: object, example: string | number): object {
  return { name, in: 'path', required: true, description, schema, example };
}
