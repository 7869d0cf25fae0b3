// Every example of the OpenAPI document works: each parameter's example, sent alone to its operation (D80).

import { join } from 'node:path';
import { loadSamples } from '../../host/load-samples';
import { FORM_TYPE } from '../../shared/http/pipeline/outcome';
import { createTestService, requestService } from '../fixtures/test-service';
import { type DescribedOperation, type DescribedParameter, openApi, type Schema } from './reading';

const samples = createTestService();

beforeAll(async () => {
  await loadSamples(samples.store, { stagingDirectory: join(samples.folder, 'staging') });
  await samples.makeFiles();
});

/** Self-service keys are off here and have separate tests. */
const gets = Object.entries(openApi.paths)
  .filter(([path]) => !/^\/v1\/(Keys|Submissions)/.test(path))
  .map(([path, { get }]) => ({ path, get }));

const posts = Object.entries(openApi.paths).flatMap(([path, { post }]) =>
  post === undefined || /^\/v1\/(Keys|Submissions)/.test(path) ? [] : [{ path, post }],
);

function isExport(path: string): boolean {
  return path.endsWith('/Export');
}

/** Writes lists as the document declares. */
function writeQuery({ name, example, explode }: DescribedParameter): string {
  const values = Array.isArray(example) ? example.map(String) : [String(example)];
  const written = explode === false ? [values.join(',')] : values;
  return written.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function fillPath(path: string, { parameters = [] }: DescribedOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((one) => one.name === name)?.example),
  );
}

describe.each(gets)('GET $path', ({ path, get }) => {
  const { parameters = [] } = get;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const required = inQuery.filter((parameter) => parameter.required);

  test('has an example for every parameter', () => {
    expect(parameters.filter(({ example }) => example === undefined)).toEqual([]);
  });

  test('answers 200 with all required parameters, and with each optional parameter added alone', async () => {
    const alone = inQuery.filter((parameter) => !parameter.required).map((parameter) => [...required, parameter]);
    const refused: unknown[] = [];
    for (const sent of [required, ...alone]) {
      const asked = `${fillPath(path, get)}?${sent.map(writeQuery).join('&')}`;
      // A file takes long to write, and its status comes first.
      const { status, text } = await samples.get(asked, undefined, isExport(path) ? 'HEAD' : 'GET');
      if (status !== 200) refused.push({ asked, status, text });
    }
    expect(refused).toEqual([]);
  });
});

describe.each(posts)('POST $path', ({ path, post }) => {
  test('has the examples of GET in its form', () => {
    const [media] = Object.values(post.requestBody?.content ?? {});
    const form = openApi.components.schemas[media?.schema.$ref?.split('/').at(-1) ?? ''];
    const inForm = Object.entries(form?.properties ?? {}).map(([name, schema]) => [name, String(readExample(schema))]);
    const byGet = (openApi.paths[path]?.get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    expect(inForm).toEqual(byGet.map(({ name, example }) => [name, String(example)]));
  });

  test('answers 200 to the example of each member of its form', async () => {
    const [media] = Object.values(post.requestBody?.content ?? {});
    const form = openApi.components.schemas[media?.schema.$ref?.split('/').at(-1) ?? ''];
    const members = Object.entries(form?.properties ?? {});
    const pairs = members.map(([name, schema]) => [name, String(readExample(schema))] as const);
    const required = pairs.filter(([name]) => form?.required?.includes(name) === true);
    const refused: unknown[] = [];
    const filled = fillPath(path, post);
    // The examples of exports are the examples of GET, all of which were already sent.
    for (const pair of isExport(path) ? pairs.slice(0, 1) : pairs) {
      const body = new URLSearchParams(Object.fromEntries([...required, pair])).toString();
      const headers = { 'x-api-key': samples.key, 'content-type': FORM_TYPE };
      const { status, text } = await requestService(samples.service, filled, { method: 'POST', headers, body });
      if (status !== 200) refused.push({ body, status, text });
    }
    expect(refused).toEqual([]);
    // Only a list of files has no parameters.
    expect(members.length > 0).toBe(path !== '/v1/Downloads');
  });
});

function readExample({ items, examples }: Schema): unknown {
  return (items?.examples ?? examples)?.[0];
}
