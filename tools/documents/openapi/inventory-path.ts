// The inventory as OpenAPI describes it.

import { inventory } from '../../../shared/query/inventory-operation';
import { inventoryMembers } from '../../../shared/records/inventory';
import { objectOf } from '../../../shared/records/object-definition';
import { answerHeaders, limitHeaders } from './answer-headers';
import { parametersOf } from './operation-parameters';
import { problemResponses } from './problem-responses';

export const inventorySchema = {
  ...objectOf(inventoryMembers).schema,
  description: 'What is published and what can be asked of it.',
};

const { 'Data-Version': version, Link: link, ETag: tag, Vary: vary, ...others } = answerHeaders;
const { 'X-Request-Id': requestId, 'Cache-Control': cacheControl } = others;
const headers = {
  ...{ 'Data-Version': version, Link: link, ETag: tag, Vary: vary },
  ...{ ...limitHeaders, 'X-Request-Id': requestId, 'Cache-Control': cacheControl },
};

/** It has one form, so there is no 406. */
const problems = Object.fromEntries(Object.entries(problemResponses(inventory)).filter(([status]) => status !== '406'));

export const inventoryPath = {
  get: {
    operationId: inventory.name,
    tags: ['Water data'],
    summary: inventory.summary,
    parameters: parametersOf(inventory),
    responses: {
      200: {
        description: 'What is there; `Organizations` is empty when nothing is.',
        headers,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Inventory' } } },
      },
      304: { description: 'The client holds the answer already.', headers },
      ...problems,
    },
  },
};
