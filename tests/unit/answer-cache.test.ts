import { AnswerCache, type CachedAnswer } from '../../shared/http/pipeline/answer-cache';

const MEGABYTE = 1024 * 1024;

function answerOf(bytes: number, total = 1): CachedAnswer {
  return { body: Buffer.alloc(bytes, total), contentType: 'text/plain', headers: {}, total, records: 1 };
}

/** Caches an answer as if it had been asked for twice. */
function offerTwice(cache: AnswerCache, digest: string, answer: CachedAnswer): void {
  for (let time = 0; time < 2; time++) cache.offer(digest, answer);
}

test('an answer that is soon asked for again is cached at once', () => {
  const cache = new AnswerCache(8 * MEGABYTE);
  const tile = answerOf(MEGABYTE);
  cache.keep('tile', tile);
  expect(cache.find('tile')).toBe(tile);
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
