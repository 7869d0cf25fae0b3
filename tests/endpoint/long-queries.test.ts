// Request lines of 256 KiB (D15) are answered, whatever fills them.

import { paths } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

afterAll(() => service.close());

const LENGTH = 250_000;

/** Joins as many pieces as a request line has room for. */
const fill = (piece: (index: number) => string): string => {
  const pieces: string[] = [];
  for (let length = 0; length < LENGTH; length += (pieces.at(-1) ?? '').length + 1) pieces.push(piece(pieces.length));
  return pieces.join('&');
};

test.each([
  ['unknown names, all different', fill((index) => `${'n'.repeat(60)}${index}=1`)],
  ['one unknown name', fill(() => 'ab')],
  ['values of one filter', fill((index) => `SiteUUID=${index}`)],
  ['broken values', fill(() => 'HUC8=%')],
  ['one long value', `County=${'a+'.repeat(LENGTH / 2)}`],
  ['brackets', `SearchBoundary=${'('.repeat(LENGTH)}`],
  ['nested lists', `SearchBoundary=%7B%22coordinates%22:${'['.repeat(LENGTH)}`],
  ['positions', `SearchBoundary=POLYGON((${'1+1,'.repeat(LENGTH / 4)}1+1))`],
])('answers a line that is full of %s', async (_, query) => {
  const { status } = await service.get(`${paths.site}?${query}`);
  expect([200, 400]).toContain(status);
});

test('names an unknown name once, and suggests for the first twenty only', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Name${index}`);
  const query = [...names, ...names].map((name) => `${name}=1`).join('&');
  const { json } = await service.get(`${paths.site}?${query}`);
  const messages: readonly string[] = json.errors.map((error: { message: string }) => error.message);
  expect(json.errors.map((error: { parameter: string }) => error.parameter)).toEqual(names);
  expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(20);
});
