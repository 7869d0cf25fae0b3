// docs/openapi.json: OpenAPI 3.1, made from the declarations that read the parameters and write the answers. The service hands
// this file out as GET /openapi.json.

import { DATA_SET_KINDS } from '../../../shared/records/data-sets';
import { answerWriters } from '../../../shared/answer/answer-writers';
import type { Operation } from '../../../shared/query/operation';
import { inventory } from '../../../shared/query/inventory-operation';
import { operations } from '../../../shared/query/operations';
import { accessKey } from '../../../shared/query/paging-and-access';
import { programVersion } from '../../../shared/project-files';
import { answerHeaders } from './answer-headers';
import type { AnsweredExample } from './examples';
import { otherContents } from './format-contents';
import { inventoryPath, inventorySchema } from './inventory-path';
import { parametersOf } from './operation-parameters';
import { problemResponses, problemSchema } from './problem-responses';
import { healthSchema, servicePaths, serviceTag } from './service-paths';
import { answerSchemaName, schemasOf } from './record-schemas';

const DESCRIPTION = `
Water data that many states contribute, in one consistent structure: time series at sites, aggregate amounts per reporting unit,
and water rights (allocations).

**Key.** Every request for data needs an access key from the operator of the service, in the header \`X-API-Key\` or as the parameter \`key\`. The
header wins and is the better place, since addresses end up in logs.

**Filters.** All parameters are optional, and combine with AND. One that may repeat means any of its values: \`State=UT&State=CO\`; commas do
not separate values. Names match without regard to case, and so does text, as a whole; a blank value is the same as none. An unknown
name is an error, never ignored.

**Pages.** \`RecordCount\` says how many records an answer has, \`StartIndex\` where it starts. To walk, follow \`rel="next"\` of the header \`Link\`,
which stays on the data that the walk began with, or add the number of records to \`StartIndex\` until \`Organizations\` is empty. A link may be
relative to the address that was asked, and never has the key in it. Any depth costs the same, and the total is the same on every page. To finish
a counted walk on the data that it began with, send the header \`Data-Version\` of its first answer as \`DataVersion\`.

**Asking again.** Send the \`ETag\` of an answer that you keep as \`If-None-Match\`: as long as nothing was published that changes the answer, you get
a 304 without a body.

**Answers** are grouped by organization. Each has the lists that its records refer to (variables, methods, sites and so on), with
exactly what the page needs. Every declared member is there: \`null\` when it is unknown, \`[]\` when a list is empty.

**Formats.** The same records as a table (\`format=csv\`) or for a map (\`format=geojson\`); the header \`Accept\` is read too.

**Limits.** A key may ask for so many requests and so many records a minute; the headers \`RateLimit\` and \`RateLimit-Policy\` say how many, and a 429
says with \`Retry-After\` when to come again. Records are counted when they are sent.

**Errors** are \`application/problem+json\` (RFC 9457). Beside those of each operation: 404 for an unknown path, 405 for a method other than
GET, HEAD and OPTIONS. HEAD has the headers of GET; any origin may ask (CORS).
`;

export function openApiDocument(examples: readonly AnsweredExample[]): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Water Data Query Service',
      version: programVersion(),
      summary: 'Read-only HTTP operations over regional water data.',
      description: DESCRIPTION.trim(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document is from.' }],
    security: [{ KeyInHeader: [] }, { KeyInQuery: [] }],
    tags: [{ name: 'Water data', description: 'Searches over everything published.' }, serviceTag],
    paths: {
      ...Object.fromEntries(operations.map((operation) => [`/${operation.route}`, pathItem(operation, examples)])),
      [`/${inventory.route}`]: inventoryPath,
      ...servicePaths,
    },
    components: {
      securitySchemes: {
        KeyInHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The better place; it wins.' },
        KeyInQuery: { type: 'apiKey', in: 'query', name: accessKey.name, description: accessKey.meaning },
      },
      schemas: {
        ...schemasOf(DATA_SET_KINDS),
        Inventory: inventorySchema,
        Health: healthSchema,
        Problem: problemSchema,
      },
    },
  };
}

function pathItem(operation: Operation, examples: readonly AnsweredExample[]): object {
  const own = examples.filter((example) => example.operation === operation);
  const shown = own.map(({ name, summary, path, answer }): [string, object] => [
    name,
    { summary, description: path, value: answer },
  ]);
  const content = {
    schema: { $ref: `#/components/schemas/${answerSchemaName(operation.dataSet)}` },
    examples: Object.fromEntries(shown),
  };
  return {
    get: {
      operationId: operation.name,
      tags: ['Water data'],
      summary: operation.summary,
      parameters: parametersOf(operation),
      responses: {
        200: {
          description: 'A page of what matches. When nothing does, and past the end, `Organizations` is empty.',
          headers: answerHeaders,
          content: { [answerWriters.json.mediaType]: content, ...otherContents },
        },
        304: { description: 'The client holds the answer already.', headers: answerHeaders },
        ...problemResponses(operation),
      },
    },
  };
}
