// The headers of answers. A test compares them with those of real answers.

import { dataVersion } from '../../../shared/query/paging-and-access';

const requestId = {
  description: 'Names this request; tell it to the operator when something is wrong.',
  schema: { type: 'string', format: 'uuid' },
};

const cacheControl = { description: 'Who may keep the answer.', schema: { type: 'string' } };

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

export const limitHeaders = {
  RateLimit: {
    description:
      'What the key has left of its requests and records (`r`), and in how many seconds nothing is missing any more (`t`).',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'How many requests and records (`q`) the key may ask for in how many seconds (`w`).',
    schema: text,
  },
};

export const answerHeaders = {
  'Data-Version': {
    description: 'Name of the version of the data that the answer is from; see the parameter DataVersion.',
    schema: { type: 'string', ...dataVersion.limits },
  },
  'X-Total-Count': { description: 'How many records match, over all pages.', schema: count },
  'X-Record-Count': { description: 'How many records are on this page.', schema: count },
  Link: {
    description:
      'The next, previous, first and last page, all of this data version, without the key; and with `rel="license"` and `rel="terms-of-service"` the terms of the data. A long query has fewer links or none.',
    schema: text,
  },
  'Query-Hint': {
    description:
      'On an answer without records: which values that were asked for are not in the data, and the nearest that are.',
    schema: text,
  },
  ETag: { description: 'Stands for the bytes of the answer; send it as If-None-Match.', schema: text },
  'Last-Modified': { description: 'When the newest data of the answer were published.', schema: text },
  Vary: { description: 'The request headers that the answer depends on.', schema: text },
  ...limitHeaders,
  'X-Request-Id': requestId,
  'Cache-Control': cacheControl,
};

export const problemHeaders = { 'X-Request-Id': requestId, 'Cache-Control': cacheControl };

/** Beside those of every problem. */
export const headersOfProblems: Readonly<Record<string, object>> = {
  'WWW-Authenticate': { description: 'Names the kind of key that is needed.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  ...limitHeaders,
};
