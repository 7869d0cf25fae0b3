// The list of downloads and its files (D44, D45) as OpenAPI describes them.

import { NOT_MADE_YET, RELEASE_GONE, unsatisfiableRange } from '../../shared/http/pipeline/outcome';
import { downloads } from '../../shared/query/operations';
import { DOWNLOAD_MEDIA_TYPES, DOWNLOAD_NAMES } from '../../shared/store/download-files';
import { DIGEST_NAME } from '../../shared/values/digest';
import { answerHeaders, problemHeaders, problemResponses, responsesOf } from './openapi-answers';
import { textHeader, toKeyHolder, without } from './openapi-answers';

/** Headers of a page that neither a list nor a file has. */
const PAGE_HEADERS = ['X-Total-Count', 'X-Record-Count', 'Query-Hint', 'Last-Modified'];

/** Downloads have neither forms nor data versions to choose, so these do not come. */
const OTHER_PROBLEMS = ['406', '410'];

/** Headers that come with the bytes of a file alone. */
const OF_BYTES = ['Accept-Ranges', 'Content-Disposition', 'Repr-Digest'];

const EXAMPLE_BYTES = 1_000_000;

export function downloadItems(): Readonly<Record<string, object>> {
  return {
    [`/${downloads.route}`]: { get: listOperation() },
    [`/${downloads.route}/{Release}/{Name}`]: { get: fileOperation() },
  };
}

function listOperation(): object {
  const headers = without(answerHeaders, PAGE_HEADERS);
  const found = {
    description: 'The files of each current release; `Files` is empty while they are pending.',
    headers,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Downloads' } } },
  };
  const unchanged = { description: 'The client holds the answer already.', headers };
  const responses = {
    200: found,
    304: unchanged,
    ...without(problemResponses({ ...downloads, formats: ['json'] }), OTHER_PROBLEMS),
  };
  return { operationId: downloads.name, tags: ['Water data'], summary: downloads.summary, parameters: [], responses };
}

function fileOperation(): object {
  const headers = {
    ETag: textHeader('The SHA-256 of the file; send it as If-None-Match or If-Range.'),
    'Accept-Ranges': textHeader('Says that parts of the file can be asked for.'),
    'Content-Disposition': textHeader('The name under which to save the file.'),
    'Repr-Digest': textHeader('The SHA-256 of the whole file (RFC 9530).'),
    ...without(answerHeaders, [...PAGE_HEADERS, 'Data-Version', 'Link', 'ETag', 'Vary']),
    ...problemHeaders,
  };
  const unchanged = without(headers, OF_BYTES);
  const range = { 'Content-Range': textHeader('Which bytes of the file these are, and how many it has.') };
  const mediaTypes = [...new Set(DOWNLOAD_NAMES.map((name) => DOWNLOAD_MEDIA_TYPES[name]))];
  const content = Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { type: 'string', description: 'The bytes of the file.' } }]),
  );
  const responses = {
    200: { description: 'The whole file.', headers, content },
    206: { description: 'The bytes that were asked for.', headers: { ...headers, ...range }, content },
    302: {
      description: 'The file is at another address for some minutes; a service on Azure answers so.',
      headers: {
        Location: textHeader('An address that needs no key. It answers ranges.'),
        ...without(headers, OF_BYTES),
      },
    },
    304: { description: 'The client holds the file already.', headers: unchanged },
    ...without(problemResponses({ ...downloads, formats: ['json'] }), OTHER_PROBLEMS),
    ...responsesOf([
      [NOT_MADE_YET, 'No such file, or one that is still pending.'],
      toKeyHolder(RELEASE_GONE, 'The release is not held any more.'),
      toKeyHolder(unsatisfiableRange(EXAMPLE_BYTES), 'The file does not have the bytes that were asked for.'),
    ]),
  };
  const summary = 'A file of a release, whole or in part. It never changes.';
  return { operationId: 'DownloadFile', tags: ['Water data'], summary, parameters: PARAMETERS, responses };
}

const PARAMETERS = [
  {
    ...{ name: 'Release', in: 'path', required: true, description: 'As the list of downloads names it.' },
    schema: { type: 'string', pattern: DIGEST_NAME.source },
  },
  {
    ...{ name: 'Name', in: 'path', required: true, description: 'The name of the file.' },
    schema: { type: 'string', enum: DOWNLOAD_NAMES },
  },
  {
    ...{ name: 'Range', in: 'header', required: false, description: 'One range of bytes, such as `bytes=0-999`.' },
    schema: { type: 'string' },
  },
];
