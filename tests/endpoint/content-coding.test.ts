// Compressed answers (ADR 0047).

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ANSWER_FORMATS } from '../../shared/query/paging-and-format';
import { paths } from '../fixtures/handmade';
import { createTestService, type Answer } from '../fixtures/test-service';
import { submissionOfState } from '../fixtures/two-states';

const service = createTestService();

beforeAll(() => service.load(submissionOfState('UT', 60)));

afterAll(() => service.close());

function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return service.get(path, { 'x-api-key': service.key, ...headers });
}

describe.each(ANSWER_FORMATS)('%s', (format) => {
  const path = `${paths.site}?format=${format}`;

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is the same answer in %s, in fewer bytes, with a tag of its own', async (coding, decode) => {
    const [plain, coded] = [await ask(path), await ask(path, { 'accept-encoding': coding })];
    expect(coded.headers).toMatchObject({ 'Content-Encoding': coding, 'Content-Length': String(coded.bytes.length) });
    expect(coded.headers['Content-Type']).toBe(plain.headers['Content-Type']);
    expect(decode(coded.bytes).toString()).toBe(plain.text);
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(coded.headers['ETag']).not.toBe(plain.headers['ETag']);

    const again = { 'accept-encoding': coding, 'if-none-match': coded.headers['ETag'] ?? '' };
    expect(await ask(path, again)).toMatchObject({ status: 304 });
    expect(await ask(path, { 'if-none-match': coded.headers['ETag'] ?? '' })).toMatchObject({ status: 200 });
  });
});

test('errors, small answers and answers to clients that take no coding are sent as they are', async () => {
  const coding = { 'accept-encoding': 'gzip, br' };
  const plain = [
    await ask(paths.site),
    await ask(`${paths.site}?RecordCount=1`, coding),
    await ask(`${paths.site}?StartIndex=x`, coding),
  ];
  expect(plain.map(({ headers }) => headers['Content-Encoding'])).toEqual([undefined, undefined, undefined]);
  expect(plain.map(({ headers }) => headers['Vary'])).toEqual([
    ...Array<string>(2).fill('Accept, Accept-Encoding, Origin'),
    undefined,
  ]);
});
