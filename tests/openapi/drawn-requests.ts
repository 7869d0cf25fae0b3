// Random requests based on the OpenAPI document, with valid values, nearly valid values, and nonsense.

import type { HttpMethod } from '@azure/functions';
import fc, { type Arbitrary } from 'fast-check';
import { anyText } from '../fixtures/any-text';
import type { DescribedOperation, Schema } from './reading';

export interface DrawnRequest {
  readonly method: HttpMethod;
  /** Parameters as spelled, not escaped. */
  readonly items: readonly (readonly [name: string, value: string])[];
  /** Text after the items, unescaped. */
  readonly rest: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly access: 'header' | 'query' | 'none' | 'wrong';
}

const ANY_TEXT = fc.oneof(
  anyText({ maxLength: 30 }),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '__proto__',
    'constructor',
    "' OR 1=1--",
    '../..',
    '\r\nX: y',
    '9'.repeat(400),
    '1e309',
    'NaN',
    '-0',
  ),
);

/** Words and symbols with a meaning for the service, which random strings would rarely contain. */
const WORDS = fc.constantFrom(
  'UT',
  'CO',
  'S1',
  'Cache',
  'Irrigation',
  'POD',
  '2001-01-01',
  '12/31/2010',
  '31/12/2010',
  '2020-02-30T25:00',
  '16010202',
  'POINT(-111.5 40.5)',
  'POLYGON((-120 30,-100 30,-100 45,-120 45,-120 30))',
  'POLYGON((0 0,1 1,0 0))',
  'LINESTRING(0 0)',
  'state:UT',
  'county:UT/Cache',
  'huc8:16010202',
  'bbox:-120,30,-100,45',
  'site:S1',
  'reportingunit:RU1',
  'bbox:1,2',
  'moon:1',
  '{"type":"Point","coordinates":[-111,40]}',
  '{"type":"Feature","geometry":null}',
  '{"type":"Point","coordinates":[1e999,0]}',
);

/** A request for an operation. Some of its parameters have the spelling of other operations. */
export function drawnRequest({ parameters = [] }: DescribedOperation): Arbitrary<DrawnRequest> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  // A list within one value has an example of the whole; any other list is repeated for each of its items.
  const known = inQuery.map(({ name, schema }) => {
    return { name, value: drawValue(schema.examples === undefined ? (schema.items ?? schema) : schema) };
  });
  const foreign = { name: fc.oneof(ANY_TEXT, fc.constantFrom('State', 'Sate', 'RecordCount', 'key')), value: ANY_TEXT };
  const item = fc.oneof(
    ...known.map(({ name, value }) => ({ weight: 4, arbitrary: itemOf(drawSpelling(name), value) })),
    { weight: 3, arbitrary: itemOf(foreign.name, foreign.value) },
  );
  return fc.record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant('GET' as const) },
      fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'DELETE'),
    ),
    items: fc.array(item, { maxLength: 4 }).map((items) => items.flat()),
    rest: fc.oneof(
      { weight: 9, arbitrary: fc.constant('') },
      fc.constantFrom('&', '&%', '&%zz=1', '&State=%ff', '&=', '&a=b=c', '#x'),
    ),
    headers: HEADERS,
    access: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('header', 'query') }, fc.constantFrom('none', 'wrong')),
  });
}

function itemOf(name: Arbitrary<string>, value: Arbitrary<string>): Arbitrary<readonly (readonly [string, string])[]> {
  const times = fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, fc.constantFrom(2, 3, 101));
  return fc
    .tuple(name, value, times)
    .map(([spelled, text, count]) => Array.from({ length: count }, () => [spelled, text] as const));
}

/** Names match regardless of letter case (D1). */
function drawSpelling(name: string): Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(name) },
    fc.constantFrom(name.toLowerCase(), ` ${name} `),
    nearly(fc.constant(name)),
  );
}

function drawValue(schema: Schema): Arbitrary<string> {
  const good = goodValueOf(schema);
  return fc.oneof(
    { weight: 6, arbitrary: good },
    { weight: 3, arbitrary: nearly(good) },
    { weight: 3, arbitrary: WORDS },
    { weight: 2, arbitrary: ANY_TEXT },
  );
}

function goodValueOf({
  type,
  enum: choices,
  pattern,
  minimum = 0,
  maximum = 0,
  examples = [],
}: Schema): Arbitrary<string> {
  const shown = examples.map(String);
  if (choices !== undefined) return fc.constantFrom(...choices).map(String);
  if (pattern !== undefined) return fc.oneof(fc.constantFrom(...shown), fc.stringMatching(new RegExp(pattern)));
  if (type !== 'integer') return fc.oneof(fc.constantFrom(...shown), WORDS);
  const bounds = [minimum - 1, minimum, minimum + 1, maximum, maximum + 1];
  return fc.oneof(fc.constantFrom(...bounds), fc.integer({ min: minimum, max: 50 })).map(String);
}

/** The text with one character added, removed or replaced. */
function nearly(texts: Arbitrary<string>): Arbitrary<string> {
  const character = fc.constantFrom('', ' ', '0', '-', '/', ',', '+', '\t', '\u00e9', '\u{1f4a7}', 'X');
  return fc.tuple(texts, fc.nat(), character, fc.nat(1)).map(([text, at, put, removed]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + removed);
  });
}

const HEADERS = fc.record(
  {
    accept: fc.constantFrom('*/*', 'text/csv', 'application/geo+json', 'image/png', 'text/html,*/*;q=0.1', ';;q=x,,'),
    'if-none-match': fc.constantFrom('*', '"a"', 'W/"a', '"', ',,', '"0123456789abcdef0123456789abcdef-6"'),
    'if-modified-since': fc.constantFrom('Fri, 02 Jan 2026 03:04:05 GMT', 'yesterday', ''),
    'accept-encoding': fc.constantFrom('gzip', 'br;q=0.5, gzip', 'identity;q=0, *;q=0', 'x'),
  },
  { requiredKeys: [] },
);
