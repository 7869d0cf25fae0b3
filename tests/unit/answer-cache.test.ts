import { AnswerCache, type CachedAnswer } from '../../shared/http/memory/answer-cache';

const MEGABYTE = 1024 * 1024;

function answerOf(bytes: number, total = 1): CachedAnswer {
  return { body: Buffer.alloc(bytes, total), headers: {}, total, records: 1 };
}

/** Caches an answer as if it had been asked for twice. */
function offerTwice(cache: AnswerCache, digest: string, answer: CachedAnswer): void {
  for (let time = 0; time < 2; time++) cache.offer(digest, answer);
}

test('a cached answer is found by its digest', () => {
  const cache = new AnswerCache(8 * MEGABYTE);
  const answer = answerOf(MEGABYTE, 7);
  offerTwice(cache, 'a', answer);
  expect(cache.find('a')).toBe(answer);
  expect(cache.find('b')).toBeUndefined();
});

test('an answer is cached when it is asked for the second time', () => {
  const cache = new AnswerCache(8 * MEGABYTE);
  const [first, second] = [answerOf(MEGABYTE), answerOf(MEGABYTE)];
  cache.offer('a', first);
  expect(cache.find('a')).toBeUndefined();
  cache.offer('a', second);
  expect(cache.find('a')).toBe(second);
});

test('an answer that is soon asked for again is cached at once', () => {
  const cache = new AnswerCache(8 * MEGABYTE);
  const tile = answerOf(MEGABYTE);
  cache.keep('tile', tile);
  expect(cache.find('tile')).toBe(tile);
});

test('the least recently used answer is evicted', () => {
  const cache = new AnswerCache(4 * MEGABYTE);
  const answers = ['a', 'b', 'c'].map((name) => ({ name, answer: answerOf(MEGABYTE) }));
  for (const { name, answer } of answers) offerTwice(cache, name, answer);
  cache.find('a');
  offerTwice(cache, 'd', answerOf(MEGABYTE));
  expect(cache.find('b')).toBeUndefined();
  expect(['a', 'c', 'd'].map((name) => cache.find(name) !== undefined)).toEqual([true, true, true]);
});

test('a small answer is cached in memory of its own, not with all of the pool that it lies in', () => {
  const cache = new AnswerCache(8 * MEGABYTE);
  const body = Buffer.from(new Uint8Array(65_536).buffer, 100, 300).fill(7);
  offerTwice(cache, 'a', { ...answerOf(0), body });
  const cached = cache.find('a')?.body ?? Buffer.of();
  expect(cached.buffer.byteLength).toBe(300);
  expect(cached.equals(body)).toBe(true);
});

test('an answer larger than half of the bound is not cached and evicts nothing', () => {
  const cache = new AnswerCache(8 * MEGABYTE);
  const small = answerOf(MEGABYTE);
  offerTwice(cache, 'small', small);
  offerTwice(cache, 'large', answerOf(5 * MEGABYTE));
  expect(cache.find('large')).toBeUndefined();
  expect(cache.find('small')).toBe(small);
});

test('a cache with a bound of zero keeps nothing', () => {
  const cache = new AnswerCache(0);
  offerTwice(cache, 'a', answerOf(100));
  expect(cache.find('a')).toBeUndefined();
});
