// POST for long queries (D68) in the OpenAPI document: the operation of GET, with its parameters in a form.

import { BODY_TOO_LARGE, FORM_TYPE, MAX_QUERY_BODY, UNSUPPORTED_BODY } from '../../shared/http/pipeline/outcome';
import {
  downloads,
  exportOperations,
  find,
  inventory,
  type Operation,
  pageOperations,
} from '../../shared/query/operations';
import { type TileCollection, tileCollections } from '../../shared/query/tile-collections';
import type { AnsweredExamples } from './examples';
import { buildFormMemberSchema, describeParameter } from './openapi-parameters';
import { buildResponses, omitMembers, withLimitHeaders } from './openapi-responses';
import { reference, type Schema } from './openapi-schemas';
import { describeFormat, describeTileParameters } from './openapi-tile-parameters';

type ExampleVersions = Pick<AnsweredExamples, 'exampleVersion' | 'emptyVersion'>;

type PostedOperation = Pick<Operation, 'name' | 'parameters'>;

const postedOperations: readonly PostedOperation[] = [
  ...pageOperations,
  ...exportOperations,
  inventory,
  find,
  downloads,
];

export interface GetOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Undefined if the operation needs a key like the rest of the document. */
  readonly security: readonly [] | undefined;
  readonly parameters: readonly object[] | undefined;
  readonly responses: Readonly<Record<string, object>>;
}

/** Headers that an answer to GET has and an answer to POST does not. */
const ADDRESS_HEADERS = ['ETag', 'Link'];

const POST_DESCRIPTION =
  'The same as GET, for queries that are too long for a URL. The parameters are in the body, in the URL, or in ' +
  'both; a parameter that may not repeat may be sent only once in total. Do not send the access key in the body. The answer has ' +
  'no entity tag and no links: use StartIndex and DataVersion to read further pages.';

const TILE_POST_DESCRIPTION =
  'The same as GET, for filters that are too long for a URL. The parameters are in the body, in the URL, or in both; ' +
  'a parameter that may not repeat may be sent only once in total. Do not send the access key in the body. The answer has no ' +
  'entity tag.';

export function buildPostOperation({ name }: Pick<PostedOperation, 'name'>, get: GetOperation): object {
  return buildPost(name, get, POST_DESCRIPTION);
}

/** A tile by POST. Its indexes stay in the path. */
export function buildTilePostOperation(
  { name }: TileCollection,
  get: GetOperation,
  indexes: readonly object[],
): object {
  return { ...buildPost(name, get, TILE_POST_DESCRIPTION), parameters: indexes };
}

function buildPost(name: string, get: GetOperation, postDescription: string): object {
  const { operationId, tags, summary, description, security, responses } = get;
  const answers = Object.entries(omitMembers(responses, ['304', '412'])).map(([status, response]) => [
    status,
    status === '200' ? removeAddressHeaders(response) : response,
  ]);
  return {
    operationId: `${operationId}ByPost`,
    tags,
    summary: `${summary} Uses POST.`,
    description: `${postDescription} ${description}`,
    security,
    requestBody: { required: false, content: { [FORM_TYPE]: { schema: reference(getSchemaName(name)) } } },
    responses: {
      ...(Object.fromEntries(answers) as object),
      ...buildResponses([
        withLimitHeaders(BODY_TOO_LARGE, `The body is longer than ${MAX_QUERY_BODY / 1024} KiB.`),
        withLimitHeaders(UNSUPPORTED_BODY, `The type of the body is not ${FORM_TYPE}.`),
      ]),
    },
  };
}

function removeAddressHeaders(response: { readonly headers?: object }): object {
  return { ...response, headers: omitMembers({ ...response.headers }, ADDRESS_HEADERS) };
}

/** The forms, keyed by name, one for each operation. */
export function buildFormSchemas(answered: ExampleVersions): Readonly<Record<string, Schema>> {
  const { exampleVersion } = answered;
  const forms = postedOperations.map(
    ({ name, parameters }) => [name, buildFormSchema(parameters, exampleVersion)] as const,
  );
  const tileForms = tileCollections.map(
    (collection) => [collection.name, buildTileForm(collection, answered)] as const,
  );
  return Object.fromEntries([...forms, ...tileForms].map(([name, schema]) => [getSchemaName(name), schema]));
}

function getSchemaName(operation: string): string {
  return `${operation}Form`;
}

/**
 * The form of a tile has the query parameters of GET. Defaults are omitted as in other forms. A list with commas is a
 * string, because generated clients repeat the names of lists in forms.
 */
function buildTileForm(collection: TileCollection, answered: ExampleVersions): Schema {
  const parameters = [describeFormat(['mvt']), ...describeTileParameters(collection, answered)];
  const properties = parameters.map(({ name, description, schema, example, explode }) => {
    if (explode === false) return [name, { type: 'string', examples: [String(example)], description }] as const;
    const withoutDefault = Object.entries(schema).filter(([member]) => member !== 'default');
    return [name, { examples: [example], ...Object.fromEntries(withoutDefault), description }] as const;
  });
  return {
    type: 'object',
    description: 'The parameters of a tile.',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

function buildFormSchema(parameters: Operation['parameters'], exampleVersion: string): Schema {
  const required = parameters.filter((parameter) => parameter.required !== undefined).map(({ name }) => name);
  return {
    type: 'object',
    description: 'The parameters of a query.',
    properties: Object.fromEntries(listMembers(parameters, exampleVersion)),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function listMembers(
  parameters: Operation['parameters'],
  exampleVersion: string,
): readonly (readonly [name: string, schema: object])[] {
  return parameters.map((parameter) => {
    const schema = buildFormMemberSchema(parameter, exampleVersion);
    return [parameter.name, { ...schema, description: describeParameter(parameter, exampleVersion) }];
  });
}
