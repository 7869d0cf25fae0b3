import fc from 'fast-check';
import { BufferPool, ScratchMemory } from '../../shared/answer/buffer-pool';
import { AnswerCache, type CachedAnswer } from '../../shared/http/memory/answer-cache';

const MEGABYTE = 1024 * 1024;

function answerOf(body: Buffer, total = 1): CachedAnswer {
  return { body, headers: {}, total, records: 1 };
}

/** A cache with a pool of its own, within one bound. */
function createCache(mostBytes: number): { readonly cache: AnswerCache; readonly pool: BufferPool } {
  const pool = new BufferPool(mostBytes);
  return { cache: new AnswerCache(mostBytes, pool), pool };
}

/** Caches an answer as if it had been asked for twice. */
function offerTwice(cache: AnswerCache, digest: string, answer: CachedAnswer): void {
  for (let time = 0; time < 2; time++) cache.offer(digest, answer);
}

test('gives as many bytes as were asked for', () => {
  const { cache } = createCache(64 * MEGABYTE);
  for (const bytes of [0, 1, 65_535, 65_536, 65_537, 3 * MEGABYTE]) expect(cache.allocate(bytes)).toHaveLength(bytes);
});

test('uses the memory of a buffer that was released, and of no other', () => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const [first, second] = [cache.allocate(MEGABYTE), cache.allocate(MEGABYTE)];
  expect(second.buffer).not.toBe(first.buffer);
  pool.release(first);
  expect(cache.allocate(MEGABYTE - 5).buffer).toBe(first.buffer);
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(first.buffer);
});

test('free memory of up to twice the size serves as well, the smallest that fits first', () => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const [small, large] = [cache.allocate(1.25 * MEGABYTE), cache.allocate(2 * MEGABYTE)];
  for (const body of [large, small]) pool.release(body);
  expect(cache.allocate(MEGABYTE).buffer).toBe(small.buffer);
  expect(cache.allocate(MEGABYTE - 1).buffer).toBe(large.buffer);
  pool.release(large);
  expect(cache.allocate(MEGABYTE / 2).buffer).not.toBe(large.buffer);
});

test('a buffer is released once for each reference', () => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const body = cache.allocate(MEGABYTE);
  pool.release(body);
  pool.release(body);
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(cache.allocate(MEGABYTE).buffer);
});

test('ignores the release of a buffer that is not of the pool', () => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const stranger = Buffer.alloc(MEGABYTE);
  pool.release(stranger);
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(stranger.buffer);
});

test('a part that is kept of scratch memory has the memory until it is released itself', () => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const scratch = new ScratchMemory(pool);
  const [whole, other] = [scratch.allocate(MEGABYTE), scratch.allocate(MEGABYTE)];
  whole.fill(7);
  const part = scratch.keep(whole, 5, MEGABYTE - 5);
  scratch.release();
  expect(cache.allocate(MEGABYTE).buffer).toBe(other.buffer);
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(whole.buffer);
  expect(part?.equals(Buffer.alloc(MEGABYTE - 10, 7))).toBe(true);
  pool.release(whole);
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(whole.buffer);
  pool.release(part ?? whole);
  expect(cache.allocate(MEGABYTE).buffer).toBe(whole.buffer);
});

test.each([
  ['less than half of its memory', MEGABYTE, MEGABYTE / 2 - 1],
  ['memory that is not of the pool', 1000, 1000],
])('a part is not kept of %s', (_, bytes, end) => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const scratch = new ScratchMemory(pool);
  const whole = scratch.allocate(bytes);
  expect(scratch.keep(whole, 0, end)).toBeUndefined();
  expect(scratch.keep(Buffer.alloc(MEGABYTE), 0, MEGABYTE)).toBeUndefined();
  scratch.release();
  if (bytes === MEGABYTE) expect(cache.allocate(bytes).buffer).toBe(whole.buffer);
});

test('keeps no more free memory than its bound between answers', () => {
  const { cache, pool } = createCache(64 * MEGABYTE);
  const bodies = Array.from({ length: 80 }, () => cache.allocate(MEGABYTE));
  for (const body of bodies) pool.release(body);
  const released = new Set(bodies.map(({ buffer }) => buffer));
  const again = Array.from({ length: 80 }, () => cache.allocate(MEGABYTE));
  expect(again.filter(({ buffer }) => released.has(buffer))).toHaveLength(64);
});

test('a cached answer is found by its digest, and its memory is not used for another', () => {
  const { cache, pool } = createCache(8 * MEGABYTE);
  const answer = answerOf(cache.allocate(MEGABYTE), 7);
  offerTwice(cache, 'a', answer);
  pool.release(answer.body);
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(answer.body.buffer);
  expect(cache.find('a')).toBe(answer);
  expect(cache.find('b')).toBeUndefined();
});

test('the least recently used answer is evicted, and its memory is used when nobody sends it', () => {
  const { cache, pool } = createCache(8 * MEGABYTE);
  const answers = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => ({
    name,
    answer: answerOf(cache.allocate(MEGABYTE)),
  }));
  for (const { name, answer } of answers) offerTwice(cache, name, answer);
  for (const { answer } of answers) pool.release(answer.body);
  cache.find('a'); // It is being sent, and was used last.
  const next = cache.allocate(MEGABYTE);
  expect(next.buffer).toBe(answers[1]?.answer.body.buffer);
  expect(cache.find('b')).toBeUndefined();
  expect(cache.find('a')).toBe(answers[0]?.answer);
});

test('an answer is cached when it is asked for the second time', () => {
  const { cache } = createCache(8 * MEGABYTE);
  const [first, second] = [answerOf(cache.allocate(MEGABYTE)), answerOf(cache.allocate(MEGABYTE))];
  cache.offer('a', first);
  expect(cache.find('a')).toBeUndefined();
  cache.offer('a', second);
  expect(cache.find('a')).toBe(second);
});

test('a small answer is cached in memory of its own, not with all of the pool that it lies in', () => {
  const { cache, pool } = createCache(8 * MEGABYTE);
  const body = Buffer.from(new Uint8Array(65_536).buffer, 100, 300).fill(7);
  offerTwice(cache, 'a', answerOf(body));
  pool.release(body);
  const cached = cache.find('a')?.body ?? Buffer.of();
  expect(cached.buffer.byteLength).toBe(300);
  expect(cached.equals(body)).toBe(true);
});

test('an answer larger than half of the bound is not cached and evicts nothing', () => {
  const { cache, pool } = createCache(8 * MEGABYTE);
  const small = answerOf(cache.allocate(MEGABYTE));
  offerTwice(cache, 'small', small);
  const large = answerOf(cache.allocate(9 * MEGABYTE));
  offerTwice(cache, 'large', large);
  pool.release(large.body);
  expect(cache.find('large')).toBeUndefined();
  expect(cache.find('small')).toBe(small);
});

test('a cache with a bound of zero keeps nothing', () => {
  const { cache, pool } = createCache(0);
  const [first, second] = [cache.allocate(MEGABYTE), cache.allocate(100)];
  offerTwice(cache, 'first', answerOf(first));
  offerTwice(cache, 'second', answerOf(second));
  pool.release(first);
  expect(cache.find('first')).toBeUndefined();
  expect(cache.find('second')).toBeUndefined();
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(first.buffer);
});

test('an answer that is being sent keeps its bytes to the end, in whatever order others are cached and released', () => {
  const step = fc.record({ name: fc.nat(12), kilobytes: fc.integer({ min: 40, max: 700 }), ends: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { cache, pool } = createCache(4 * MEGABYTE);
      const sizes = new Map<number, number>();
      const sending: { readonly name: number; readonly body: Buffer }[] = [];
      const offered = new Map<string, number>();
      for (const { name, kilobytes, ends } of steps) {
        const known = cache.find(`${name}`);
        const body = known?.body ?? cache.allocate((sizes.get(name) ?? kilobytes) * 1024);
        if (known === undefined) {
          sizes.set(name, body.length / 1024);
          body.fill(name);
          cache.offer(`${name}`, answerOf(body));
          offered.set(`${name}`, body.length);
        }
        sending.push({ name, body });
        for (const ended of sending.splice(0, ends)) {
          expect(ended.body.every((byte) => byte === ended.name)).toBe(true);
          pool.release(ended.body);
        }
      }
      const found = [...offered].filter(([name]) => cache.find(name) !== undefined);
      expect(found.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(4 * MEGABYTE);
    }),
    { numRuns: 40 },
  );
});

test('free memory gives way to cached answers: the bound holds both', () => {
  const { cache, pool } = createCache(8 * MEGABYTE);
  const bodies = Array.from({ length: 10 }, () => cache.allocate(MEGABYTE));
  const [kept, ...others] = bodies as [Buffer, ...Buffer[]];
  for (const body of others) pool.release(body);
  expect(pool.freeBytes).toBe(8 * MEGABYTE);
  offerTwice(cache, 'a', answerOf(kept));
  expect(pool.freeBytes).toBe(7 * MEGABYTE);
  expect(cache.find('a')?.body).toBe(kept);
});

test('the memory of an evicted answer is free only when the last who sends it has released it', () => {
  const { cache, pool } = createCache(2 * MEGABYTE);
  const [first, second, third] = [1, 2, 3].map((total) => answerOf(cache.allocate(MEGABYTE), total)) as [
    CachedAnswer,
    CachedAnswer,
    CachedAnswer,
  ];
  offerTwice(cache, 'first', first);
  offerTwice(cache, 'second', second);
  offerTwice(cache, 'third', third);
  for (const { body } of [second, third]) pool.release(body);
  expect(cache.find('first')).toBeUndefined();
  expect(cache.allocate(MEGABYTE).buffer).not.toBe(first.body.buffer);
  pool.release(first.body);
  expect(cache.allocate(MEGABYTE).buffer).toBe(first.body.buffer);
});
