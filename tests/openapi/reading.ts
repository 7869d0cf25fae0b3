// Reads docs/openapi.json like a client does, and checks answers against it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { PROJECT } from '../fixtures/host-process';
import type { Answer, TestService } from '../fixtures/test-service';

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
}

interface MediaType {
  readonly schema: Schema;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly description: string; readonly value: unknown }>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example: unknown;
  readonly explode?: boolean;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<
    Record<string, { readonly headers: object; readonly content?: Readonly<Record<string, MediaType>> }>
  >;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation; readonly post?: DescribedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const text = readFileSync(join(PROJECT, 'docs', 'openapi.json'), 'utf8');
const { components } = JSON.parse(text) as {
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/** Replaces references to shared parts and to enumerations by their targets; other schemas stay. */
function inPlace(_key: string, value: unknown): unknown {
  const { $ref, ...beside } = (value ?? {}) as Schema;
  const [, kind = '', name = ''] =
    /^#\/components\/(headers|parameters|responses|schemas)\/(.+)$/.exec($ref ?? '') ?? [];
  const target = components[kind]?.[name];
  if (target === undefined || (kind === 'schemas' && !('enum' in target))) return value;
  return { ...(JSON.parse(JSON.stringify(target), inPlace) as object), ...beside };
}

// The document is assumed to have this form; the tests check its content.
export const openApi = JSON.parse(text, inPlace) as OpenApi;

// OpenAPI uses keywords, such as `style`, that JSON Schema does not define.
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
ajv.addFormat('uuid', true);
ajv.addFormat('uri', true);
ajv.addFormat('binary', true);
ajv.addSchema(openApi, 'openapi');

/**
 * Lists the answers to these paths that differ from the document's description of their status, each with the
 * difference.
 */
export async function answersThatDoNotFit(service: TestService, paths: readonly string[]): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  for (const path of paths) {
    const answer = await service.get(path);
    const errors = whatDoesNotFit(path.split('?', 1)[0] ?? '', answer);
    if (errors !== undefined) wrong.push({ path, status: answer.status, errors });
  }
  return wrong;
}

/**
 * Describes how an answer differs from the document; undefined if it matches the description of its status and content
 * type.
 */
export function whatDoesNotFit(
  path: string,
  { status, headers, text, json }: Answer,
  method: 'get' | 'post' = 'get',
): unknown {
  const operation = openApi.paths[path]?.[method];
  const response = operation?.responses[status];
  if (response === undefined) {
    const isSaid = text === '' && operation?.description.includes(String(status)) === true;
    return isSaid && answersBytes(operation) ? undefined : 'the status is not described';
  }
  if (text === '' && response.content === undefined) return undefined;
  const [type = ''] = (headers['Content-Type'] ?? '').split(';', 1);
  if (response.content?.[type] === undefined) return `${type} is not described`;
  const schema = ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
  const validate = ajv.getSchema(`openapi#/${schema.map(pointerPart).join('/')}`);
  if (validate === undefined) return 'there is no schema';
  return validate(type.includes('json') ? json : text) === true ? undefined : validate.errors;
}

/** Whether the operation answers with bytes. Such operations describe answers without a body only in words (D80). */
export function answersBytes({ responses }: DescribedOperation): boolean {
  const contents = Object.values(responses['200']?.content ?? {});
  return contents.some(({ schema }) => schema.format === 'binary');
}

/** Follows a JSON pointer (RFC 6901) in the fragment of a URI. */
function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The objects whose members differ from the members in the schema, or are in another order. */
export function misordered(value: unknown, schema: Schema): readonly unknown[] {
  if (schema.$ref !== undefined) {
    return misordered(value, openApi.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  }
  if (Array.isArray(value)) return value.flatMap((item) => misordered(item, schema.items ?? {}));
  if (typeof value !== 'object' || value === null) return [];
  const properties = schema.properties ?? {};
  const inner = Object.entries(value).flatMap(([name, member]) => misordered(member, properties[name] ?? {}));
  const isOrdered = Object.keys(value).join() === Object.keys(properties).join();
  return isOrdered ? inner : [value, ...inner];
}
