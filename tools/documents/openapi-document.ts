// docs/openapi.json: OpenAPI 3.1, made from the declarations that read the parameters and write the answers. The
// service hands this file out as GET /openapi.json.

import { programVersion } from '../../shared/project-files';
import { accessKey } from '../../shared/query/parameter';
import type { AnsweredExample } from './examples';
import { paths, TAGS } from './openapi-paths';
import { componentSchemas } from './openapi-schemas';

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
    tags: TAGS,
    paths: paths(examples),
    components: {
      securitySchemes: {
        KeyInHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The better place; it wins.' },
        KeyInQuery: { type: 'apiKey', in: 'query', name: accessKey.name, description: accessKey.meaning },
      },
      schemas: componentSchemas(),
    },
  };
}
