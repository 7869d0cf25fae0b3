// Tool arguments as layers between a model and the service encode them (D72), and schemas that every model accepts.

import { oneAmount } from '../fixtures/handmade';
import { buildToolCall, postMessage } from '../fixtures/mcp-client';
import { createLoadedService } from '../fixtures/test-service';

const { service, key } = createLoadedService(oneAmount);

interface Result {
  readonly isError: boolean;
  readonly text: string;
}

async function post(message: object) {
  const { text } = await postMessage(service, message, { 'X-API-Key': key });
  const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
  return JSON.parse(data).result;
}

async function call(tool: string, toolArguments: object): Promise<Result> {
  const result = await post(buildToolCall(tool, toolArguments));
  return { isError: result.isError === true, text: result.content[0].text };
}

const KIND = 'SiteVariableAmounts';

test.each<[string, object, object]>([
  ['totals', { kind: KIND, filters: '{"State":"UT"}' }, { kind: KIND, filters: { State: 'UT' } }],
  ['totals', { kind: KIND, filters: { State: '["UT","WY"]' } }, { kind: KIND, filters: { State: ['UT', 'WY'] } }],
  ['totals', { kind: KIND, filters: '{"State":"[\\"UT\\"]"}' }, { kind: KIND, filters: { State: ['UT'] } }],
  ['totals', { kind: KIND, groupBy: '["County"]' }, { kind: KIND, groupBy: ['County'] }],
  ['totals', { kind: KIND, groupBy: 'County' }, { kind: KIND, groupBy: ['County'] }],
  ['totals', { kind: KIND, filters: { State: 'Utah' } }, { kind: KIND, filters: { State: 'UT' } }],
  [
    'totals',
    { kind: KIND, filters: { State: ['new mexico', 'UT'] } },
    { kind: KIND, filters: { State: ['NM', 'UT'] } },
  ],
  ['totals', { kind: 'sitevariableamounts' }, { kind: KIND }],
  ['totals', { kind: KIND, filters: null, groupBy: '', orderBy: null }, { kind: KIND }],
  ['totals', { kind: KIND, filters: '', groupBy: [], orderBy: '' }, { kind: KIND }],
  ['totals', { kind: KIND, filters: 'null', groupBy: 'null' }, { kind: KIND }],
  ['totals', { kind: KIND, filters: { State: null, County: '', HUC8: [] } }, { kind: KIND, filters: {} }],
  ['records', { kind: 'Sites', limit: '5' }, { kind: 'Sites', limit: 5 }],
  ['records', { kind: 'Sites', limit: null }, { kind: 'Sites' }],
  ['records', { kind: 'Sites', limit: '' }, { kind: 'Sites' }],
  ['describe', { organization: null, kind: null }, {}],
  ['describe', { organization: '', kind: '' }, {}],
  ['describe', { kind: 'SITEVARIABLEAMOUNTS' }, { kind: KIND }],
  ['find', { query: 'ut', kind: null, state: '' }, { query: 'ut' }],
  ['find', { query: 'ut', state: 'Utah' }, { query: 'ut', state: 'UT' }],
])('%s answers %j as %j', async (tool, encoded, plain) => {
  const expected = await call(tool, plain);
  expect(expected.isError).toBe(false);
  expect(await call(tool, encoded)).toEqual(expected);
});

test.each<[string, object, string]>([
  ['totals', { kind: KIND, filters: { OrderBy: '-Sum' } }, 'orderBy'],
  ['totals', { kind: KIND, filters: { groupBy: 'County' } }, 'groupBy'],
  ['totals', { kind: KIND, orderBy: ['-Sum'] }, 'orderBy'],
  ['totals', { kind: KIND, orderBy: { Sum: 'desc' } }, 'orderBy'],
  ['totals', { kind: KIND, filters: '["State"]' }, 'filters'],
  ['totals', { kind: KIND, filters: { State: 'Cascadia' } }, 'State'],
  ['totals', { kind: KIND, State: 'UT' }, 'filters'],
  ['records', { kind: 'Sites', orderBy: '-Amount' }, 'OrderBy in filters'],
  ['records', { kind: 'Sites', limit: 'five' }, 'limit'],
  ['records', { kind: 'Sites', limit: '[5]' }, 'limit'],
  ['describe', { organization: 'NoSuchOrganization' }, 'OrganizationUUID'],
])('%s explains what is wrong with %j', async (tool, toolArguments, name) => {
  const { isError, text } = await call(tool, toolArguments);
  expect(isError).toBe(true);
  expect(text).toContain(name);
});

test('schemas of arguments have only keywords that all models take', async () => {
  const { tools } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const known = ['type', 'properties', 'required', 'description', 'enum', 'items', 'minimum', 'maximum'];
  const lengths = ['minLength', 'maxLength', 'minItems', 'maxItems'];
  const keywords = new Set<string>();
  const collect = (schema: Readonly<Record<string, unknown>>): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      keywords.add(keyword);
      if (keyword === 'properties') Object.values(value as object).forEach(collect);
      if (keyword === 'items') collect(value as Readonly<Record<string, unknown>>);
    }
  };
  for (const { inputSchema } of tools) collect(inputSchema);
  expect(keywords.size).toBeGreaterThan(3);
  expect([...keywords].filter((keyword) => ![...known, ...lengths].includes(keyword))).toEqual([]);
});
