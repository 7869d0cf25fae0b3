// The paths beside the operations: they need no key.

import { healthMembers } from '../../../shared/http/health';
import { NOT_READY } from '../../../shared/http/problem';
import { objectOf } from '../../../shared/records/object-definition';
import { answerHeaders, problemHeaders } from './answer-headers';
import { responsesOf, TOO_LONG } from './problem-responses';

export const serviceTag = { name: 'Service', description: 'About the service itself; no key is needed.' };

export const healthSchema = {
  ...objectOf(healthMembers).schema,
  description: 'What is published, and that it can be read.',
};

export const servicePaths = {
  '/health': {
    get: {
      operationId: 'Health',
      tags: [serviceTag.name],
      summary: 'Whether the data can be read, what is published and how old it is.',
      security: [],
      responses: {
        200: {
          description: 'The service is ready.',
          headers: { 'Data-Version': answerHeaders['Data-Version'], ...problemHeaders },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } },
        },
        ...responsesOf([TOO_LONG, [NOT_READY, 'The data cannot be read now.']]),
      },
    },
  },
};
