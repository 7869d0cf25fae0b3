// docs/openapi.json: OpenAPI 3.1, made from the declarations that read the parameters and write the answers. The
// service hands this file out as GET /openapi.json.

import { healthMembers } from '../../shared/http/memory/health';
import { NOT_READY } from '../../shared/http/outcome/outcome';
import { facetsOperations, inventory, operations } from '../../shared/query/operations';
import { placesOperations } from '../../shared/query/operations';
import { removedOperations, totalsOperations } from '../../shared/query/operations';
import type { Operation } from '../../shared/query/operations';
import { programVersion } from '../../shared/project-files';
import { accessKey } from '../../shared/query/parameter';
import { dataSetLayouts } from '../../shared/records/data-sets';
import { placeLayouts } from '../../shared/records/places';
import { downloadsMembers } from '../../shared/records/downloads';
import { facetsMembers } from '../../shared/records/facets';
import { inventoryMembers } from '../../shared/records/inventory';
import { described, objectOf } from '../../shared/records/object-definition';
import { MEDIA_TYPES } from '../../shared/values/media-types';
import { answerSchemaName, answerSchemas } from './answer-schemas';
import { downloadItems } from './openapi-downloads';
import { exportItems } from './openapi-exports';
import { parameterObject } from './openapi-parameters';
import { tileItems, TILES_TAG } from './openapi-tiles';
import { removedSchemaName, removedSchemas } from './removed-schemas';
import { facetsTable, totalsSchemaName, totalsSchemas, totalsTable } from './totals-schemas';
import type { AnsweredExample } from './examples';
import {
  answerHeaders,
  otherContents,
  placeContents,
  problemHeaders,
  problemResponses,
  problemSchema,
  responsesOf,
  TOO_LONG,
  without,
} from './openapi-answers';

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

**Everything at once.** \`Export\` below an operation answers with all records that it finds as one file, Parquet or compressed CSV; \`/v1/Downloads\`
lists the files of whole data sets.

**Limits.** A key may ask for so many requests and so many records a minute; the headers \`RateLimit\` and \`RateLimit-Policy\` say how many, and a 429
says with \`Retry-After\` when to come again. Records are counted when they are sent.

**Errors** are \`application/problem+json\` (RFC 9457). Beside those of each operation: 404 for an unknown path, 405 for a method other than
GET, HEAD and OPTIONS. HEAD has the headers of GET; any origin may ask (CORS).
`;

const SERVICE_TAG = { name: 'Service', description: 'About the service itself; no key is needed.' };

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
    tags: [{ name: 'Water data', description: 'Searches over everything published.' }, TILES_TAG, SERVICE_TAG],
    paths: {
      ...Object.fromEntries(
        [...operations, ...totalsOperations, ...facetsOperations, ...removedOperations, ...placesOperations].map(
          (operation) => [`/${operation.route}`, pathItem(operation, examples)],
        ),
      ),
      ...exportItems(),
      [`/${inventory.route}`]: inventoryItem(),
      ...downloadItems(),
      ...tileItems(),
      '/health': healthItem(),
    },
    components: {
      securitySchemes: {
        KeyInHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The better place; it wins.' },
        KeyInQuery: { type: 'apiKey', in: 'query', name: accessKey.name, description: accessKey.meaning },
      },
      schemas: {
        ...answerSchemas(),
        ...totalsSchemas(),
        Facets: described(objectOf(facetsMembers), 'How many records each value would find.').schema,
        ...removedSchemas(),
        Inventory: described(objectOf(inventoryMembers), 'What is published and what can be asked of it.').schema,
        Downloads: described(objectOf(downloadsMembers), 'What can be downloaded as a whole.').schema,
        Health: described(objectOf(healthMembers), 'What is published, and that it can be read.').schema,
        Problem: problemSchema,
      },
    },
  };
}

function pathItem(operation: Operation, examples: readonly AnsweredExample[]): object {
  const shown: Record<string, object> = {};
  for (const { name, summary, path, answer, operation: asked } of examples) {
    if (asked === operation) shown[name] = { summary, description: path, value: answer };
  }
  const { description, schemaName, otherForms, headers } = answersOf(operation);
  const schema = { $ref: `#/components/schemas/${schemaName}` };
  const content = { [MEDIA_TYPES.json]: { schema, examples: shown }, ...otherForms };
  const found = { description, headers, content };
  return dataItem(operation, found, problemResponses(operation));
}

interface DescribedAnswer {
  readonly description: string;
  readonly schemaName: string;
  readonly otherForms: object;
  readonly headers: object;
}

function answersOf({ kind, dataSet }: Operation): DescribedAnswer {
  switch (kind) {
    case 'records': {
      const description = 'A page of what matches. When nothing does, and past the end, `Organizations` is empty.';
      const schemaName = answerSchemaName(dataSetLayouts[dataSet]);
      return { description, schemaName, otherForms: otherContents, headers: answerHeaders };
    }
    case 'totals': {
      const description = 'A page of rows. When nothing matches, and past the end, `Totals` is empty.';
      return { description, schemaName: totalsSchemaName(dataSet), otherForms: totalsTable, headers: answerHeaders };
    }
    case 'facets': {
      const headers = without(answerHeaders, ['X-Record-Count']);
      return { description: 'The facets.', schemaName: 'Facets', otherForms: facetsTable, headers };
    }
    case 'places': {
      const description = 'A page of places. When none matches, and past the end, `Organizations` is empty.';
      const schemaName = answerSchemaName(placeLayouts[dataSetLayouts[dataSet].placeKind]);
      return { description, schemaName, otherForms: placeContents, headers: answerHeaders };
    }
    case 'removed': {
      const description = 'A page of keys. When nothing was removed, and past the end, `Removed` is empty.';
      return { description, schemaName: removedSchemaName(dataSet), otherForms: {}, headers: answerHeaders };
    }
  }
}

/** Headers of a page that the inventory does not have. */
const PAGE_HEADERS = ['X-Total-Count', 'X-Record-Count', 'Query-Hint', 'Last-Modified'];

function inventoryItem(): object {
  const found = {
    description: 'What is there; `Organizations` is empty when nothing is.',
    headers: without(answerHeaders, PAGE_HEADERS),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Inventory' } } },
  };
  // It has one form, so no form is not acceptable.
  return dataItem(inventory, found, without(problemResponses({ ...inventory, formats: ['json'] }), ['406']));
}

function dataItem(operation: typeof inventory, found: { readonly headers: object }, problems: object): object {
  const { name, summary, parameters } = operation;
  const unchanged = { description: 'The client holds the answer already.', headers: found.headers };
  const responses = { 200: found, 304: unchanged, ...problems };
  const tags = ['Water data'];
  return { get: { operationId: name, tags, summary, parameters: parameters.map(parameterObject), responses } };
}

function healthItem(): object {
  return {
    get: {
      operationId: 'Health',
      tags: [SERVICE_TAG.name],
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
  };
}
