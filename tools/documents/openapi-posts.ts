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
import { buildFormMemberSchema, describeParameter } from './openapi-parameters';
import { buildResponses, omitMembers, withLimitHeaders } from './openapi-responses';
import { reference, type Schema } from './openapi-schemas';

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
  'both; one that may not repeat may be sent only once in total. Do not send the access key in the body. The answer has ' +
  'no entity tag and no links: use StartIndex and DataVersion to read further pages.';

export function buildPostOperation({ name }: PostedOperation, get: GetOperation): object {
  const { operationId, tags, summary, description, security, responses } = get;
  const answers = Object.entries(omitMembers(responses, ['304', '412'])).map(([status, response]) => [
    status,
    status === '200' ? removeAddressHeaders(response) : response,
  ]);
  return {
    operationId: `${operationId}ByPost`,
    tags,
    summary: `${summary} By POST.`,
    description: `${POST_DESCRIPTION} ${description}`,
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
export function buildFormSchemas(exampleVersion: string): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    postedOperations.map(({ name, parameters }) => [getSchemaName(name), buildFormSchema(parameters, exampleVersion)]),
  );
}

function getSchemaName(operation: string): string {
  return `${operation}Form`;
}

function buildFormSchema(parameters: Operation['parameters'], exampleVersion: string): Schema {
  const properties = parameters.map((parameter) => [
    parameter.name,
    {
      ...buildFormMemberSchema(parameter, exampleVersion),
      description: describeParameter(parameter, exampleVersion),
    },
  ]);
  const required = parameters.filter((parameter) => parameter.required !== undefined).map(({ name }) => name);
  return {
    type: 'object',
    description: 'The parameters of a query.',
    properties: Object.fromEntries(properties) as object,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
