// The headers of answers. A test compares them with those of real answers.

import { dataVersion } from '../../../shared/parameters/paging-and-access';

const requestId = {
  description: 'Names this request; tell it to the operator when something is wrong.',
  schema: { type: 'string', format: 'uuid' },
};

const cacheControl = { description: 'Who may keep the answer.', schema: { type: 'string' } };

export const answerHeaders = {
  'Data-Version': {
    description: 'Name of the version of the data that the answer is from; see the parameter DataVersion.',
    schema: { type: 'string', ...dataVersion.limits },
  },
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
};
