// Writes TypeScript that calls every operation of the OpenAPI document through a generated client, like its user would.
// The compiler then checks the calls, and a test runs them.

import { answersBytes, type DescribedOperation, type DescribedParameter, openApi } from './reading';

export interface ClientCall {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly hasBytes: boolean;
  readonly hasForm: boolean;
  readonly hasJsonBody: boolean;
  /** Parameters by name, with the values that the call sends. */
  readonly inPath: Readonly<Record<string, unknown>>;
  readonly inQuery: Readonly<Record<string, unknown>>;
}

/** Parameters with both kinds of lists, for operations that have them. */
const SENT: ReadonlySet<string> = new Set(['State', 'RecordCount', 'bbox']);

/** The deletion of a key comes last. */
export function listCalls(): readonly ClientCall[] {
  // Submissions are off here and have separate tests.
  const paths = Object.entries(openApi.paths).filter(([path]) => !path.startsWith('/v1/Submissions'));
  const calls = paths.flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const parameters = (item.get as DescribedOperation | undefined)?.parameters ?? [];
      const types = Object.keys(operation.requestBody?.content ?? {});
      const hasForm = types.includes('application/x-www-form-urlencoded');
      return {
        operationId: operation.operationId,
        method,
        path,
        hasBytes: answersBytes(operation),
        hasForm,
        hasJsonBody: types.includes('application/json'),
        inPath: collectExamples(parameters.filter((parameter) => parameter.in === 'path')),
        inQuery: collectExamples(
          parameters
            .filter(({ in: place, name, required }) => place === 'query' && (required || SENT.has(name)))
            // In a form, a list with commas is a string.
            .map((one) => (hasForm && one.explode === false ? { ...one, example: String(one.example) } : one)),
        ),
      };
    }),
  );
  return [...calls.filter(({ method }) => method !== 'delete'), ...calls.filter(({ method }) => method === 'delete')];
}

function collectExamples(parameters: readonly DescribedParameter[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
}

/** The JSON bodies of calls, as TypeScript source. */
export type Bodies = Readonly<Record<string, string>>;

/** Calls by @hey-api/openapi-ts, which names a function after each operation. */
export function writeHeyApiCalls(calls: readonly ClientCall[], bodies: Bodies): string {
  return `
import { client } from './client.gen';
import * as sdk from './sdk.gen';

export async function callAll(fetch: typeof globalThis.fetch, key: string): Promise<Record<string, unknown>> {
  client.setConfig({ baseUrl: 'http://service.example', headers: { 'X-API-Key': key }, fetch });
  const results: Record<string, unknown> = {};
  ${calls
    .map((call) => {
      const { operationId, inPath, inQuery } = call;
      const name = operationId.charAt(0).toLowerCase() + operationId.slice(1);
      const options = [
        ...(Object.keys(inPath).length === 0 ? [] : [`path: ${JSON.stringify(inPath)}`]),
        ...(call.hasForm ? [`body: ${JSON.stringify(inQuery)}`] : []),
        ...(call.hasJsonBody ? [`body: ${bodies[operationId]}`] : []),
        ...(call.hasForm || Object.keys(inQuery).length === 0 ? [] : [`query: ${JSON.stringify(inQuery)}`]),
      ];
      return `{
    const { data, error } = await sdk.${name}({ ${options.join(', ')} });
    ${call.hasBytes ? 'const bytes: Blob | File | undefined = data;' : ''}
    results['${operationId}'] = ${call.hasBytes ? 'bytes' : 'data'} ?? error?.detail;
  }`;
    })
    .join('\n  ')}
  return results;
}
`;
}

/**
 * Calls for openapi-typescript with openapi-fetch, which takes the path as a string and its types from the document.
 */
export function writeOpenapiFetchCalls(calls: readonly ClientCall[], bodies: Bodies): string {
  return `
import createClient from 'openapi-fetch';
import type { paths } from './paths';

export async function callAll(fetch: (request: Request) => Promise<Response>, key: string): Promise<Record<string, unknown>> {
  const client = createClient<paths, 'application/json' | 'application/problem+json'>({
    baseUrl: 'http://service.example',
    headers: { 'X-API-Key': key },
    fetch,
  });
  const bytes = createClient<paths>({ baseUrl: 'http://service.example', headers: { 'X-API-Key': key }, fetch });
  const toForm = (values: object = {}): URLSearchParams =>
    new URLSearchParams(Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])));
  const withCommas = { array: { style: 'form', explode: false } } as const;
  const results: Record<string, unknown> = {};
  ${calls
    .map((call) => {
      const { operationId, inPath, inQuery } = call;
      // One serializer cannot write both a list with commas and a repeated parameter.
      const query = 'bbox' in inQuery ? { bbox: inQuery['bbox'] } : inQuery;
      const parameters = [
        ...(Object.keys(inPath).length === 0 ? [] : [`path: ${JSON.stringify(inPath)}`]),
        ...(call.hasForm || Object.keys(query).length === 0 ? [] : [`query: ${JSON.stringify(query)}`]),
      ];
      const options = [
        ...(parameters.length === 0 ? [] : [`params: { ${parameters.join(', ')} }`]),
        ...('bbox' in query ? ['querySerializer: withCommas'] : []),
        ...(call.hasForm ? [`body: ${JSON.stringify(inQuery)}, bodySerializer: toForm`] : []),
        ...(call.hasForm ? ["headers: { 'Content-Type': 'application/x-www-form-urlencoded' }"] : []),
        ...(call.hasJsonBody ? [`body: ${bodies[operationId]}`] : []),
        ...(call.hasBytes ? ["parseAs: 'arrayBuffer'"] : []),
      ];
      const receiver = call.hasBytes ? 'bytes' : 'client';
      return `{
    const { data, error } = await ${receiver}.${call.method.toUpperCase()}('${call.path}', { ${options.join(', ')} });
    ${call.hasBytes ? 'const whole: ArrayBuffer | undefined = data;' : ''}
    results['${operationId}'] = ${call.hasBytes ? 'whole' : 'data'} ?? error?.detail;
  }`;
    })
    .join('\n  ')}
  return results;
}
`;
}
