// Reads docs/openapi.json as a client does, and checks answers against it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { PROJECT } from '../fixtures/host-process';
import type { Answer, TestService } from '../fixtures/test-service';

export interface Schema {
  readonly type?: string;
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

export interface DescribedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'query' | 'path' | 'header';
    readonly required: boolean;
    readonly description: string;
    readonly schema: Schema;
  }[];
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

/** In place of a reference to what many operations have is what it refers to; schemas stay references. */
function inPlace(_key: string, value: unknown): unknown {
  const [, kind = '', name = ''] =
    /^#\/components\/(headers|parameters|responses)\/(.+)$/.exec((value as Schema | null)?.$ref ?? '') ?? [];
  return kind === '' ? value : JSON.parse(JSON.stringify(components[kind]?.[name]), inPlace);
}

// The document is taken to have this form; the tests check its content.
export const openApi = JSON.parse(text, inPlace) as OpenApi;

// OpenAPI has words, such as `style`, that JSON Schema does not know.
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);
ajv.addFormat('uuid', true);
ajv.addSchema(openApi, 'openapi');

/** The answers to these paths that differ from what the document says for their status, each with what is wrong. */
export async function answersThatDoNotFit(service: TestService, paths: readonly string[]): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  for (const path of paths) {
    const answer = await service.get(path);
    const errors = whatDoesNotFit(path.split('?', 1)[0] ?? '', answer);
    if (errors !== undefined) wrong.push({ path, status: answer.status, errors });
  }
  return wrong;
}

/** Says what is wrong with an answer; undefined when it is as the document describes its status and content type. */
export function whatDoesNotFit(
  path: string,
  { status, headers, text, json }: Answer,
  method: 'get' | 'post' = 'get',
): unknown {
  const response = openApi.paths[path]?.[method]?.responses[status];
  if (response === undefined) return 'the status is not described';
  if (text === '' && response.content === undefined) return undefined;
  const [type = ''] = (headers['Content-Type'] ?? '').split(';', 1);
  if (response.content?.[type] === undefined) return `${type} is not described`;
  const schema = ['paths', path, method, 'responses', String(status), 'content', type, 'schema'];
  const validate = ajv.getSchema(`openapi#/${schema.map(pointerPart).join('/')}`);
  if (validate === undefined) return 'there is no schema';
  return validate(type.includes('json') ? json : text) === true ? undefined : validate.errors;
}

/** Follows a JSON pointer (RFC 6901) that is the fragment of a URI. */
function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The objects whose members differ from those that the schema lists, or stand in another order. */
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
