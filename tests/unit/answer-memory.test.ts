import fc from 'fast-check';
import { AnswerMemory, type KeptAnswer } from '../../shared/answer/answer-memory';

const MEGABYTE = 1024 * 1024;

function answerOf(body: Buffer, total = 1): KeptAnswer {
  return { body, headers: {}, total, records: 1 };
}

/** As if it were asked for twice. */
function keepTwice(memory: AnswerMemory, name: string, answer: KeptAnswer): void {
  for (let time = 0; time < 2; time++) memory.keep(name, answer);
}

test('gives as many bytes as were asked for', () => {
  const memory = new AnswerMemory(64 * MEGABYTE);
  for (const bytes of [0, 1, 65_535, 65_536, 65_537, 3 * MEGABYTE]) expect(memory.take(bytes)).toHaveLength(bytes);
});

test('uses the memory of a body that was given back, and of no other', () => {
  const memory = new AnswerMemory(64 * MEGABYTE);
  const [first, second] = [memory.take(MEGABYTE), memory.take(MEGABYTE)];
  expect(second.buffer).not.toBe(first.buffer);
  memory.giveBack(first);
  expect(memory.take(MEGABYTE - 5).buffer).toBe(first.buffer);
  expect(memory.take(MEGABYTE).buffer).not.toBe(first.buffer);
});

test('takes a body back once', () => {
  const memory = new AnswerMemory(64 * MEGABYTE);
  const body = memory.take(MEGABYTE);
  memory.giveBack(body);
  memory.giveBack(body);
  expect(memory.take(MEGABYTE).buffer).not.toBe(memory.take(MEGABYTE).buffer);
});

test('lets go of what it did not lend', () => {
  const memory = new AnswerMemory(64 * MEGABYTE);
  const stranger = Buffer.alloc(MEGABYTE);
  memory.giveBack(stranger);
  expect(memory.take(MEGABYTE).buffer).not.toBe(stranger.buffer);
});

test('holds no more memory than its bound between answers', () => {
  const memory = new AnswerMemory(64 * MEGABYTE);
  const bodies = Array.from({ length: 80 }, () => memory.take(MEGABYTE));
  for (const body of bodies) memory.giveBack(body);
  const lent = new Set(bodies.map(({ buffer }) => buffer));
  const again = Array.from({ length: 80 }, () => memory.take(MEGABYTE));
  expect(again.filter(({ buffer }) => lent.has(buffer))).toHaveLength(64);
});

test('a kept answer is found by its name, and its memory is not used for another', () => {
  const memory = new AnswerMemory(8 * MEGABYTE);
  const answer = answerOf(memory.take(MEGABYTE), 7);
  keepTwice(memory, 'a', answer);
  memory.giveBack(answer.body);
  expect(memory.take(MEGABYTE).buffer).not.toBe(answer.body.buffer);
  expect(memory.find('a')).toBe(answer);
  expect(memory.find('b')).toBeUndefined();
});

test('the answer that was not asked for longest goes first, and its memory is used when nobody sends it', () => {
  const memory = new AnswerMemory(8 * MEGABYTE);
  const answers = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => ({
    name,
    answer: answerOf(memory.take(MEGABYTE)),
  }));
  for (const { name, answer } of answers) keepTwice(memory, name, answer);
  for (const { answer } of answers) memory.giveBack(answer.body);
  memory.find('a'); // Being sent, and the last one asked for.
  const next = memory.take(MEGABYTE);
  expect(next.buffer).toBe(answers[1]?.answer.body.buffer);
  expect(memory.find('b')).toBeUndefined();
  expect(memory.find('a')).toBe(answers[0]?.answer);
});

test('an answer is kept when it is asked for the second time', () => {
  const memory = new AnswerMemory(8 * MEGABYTE);
  const [first, second] = [answerOf(memory.take(MEGABYTE)), answerOf(memory.take(MEGABYTE))];
  memory.keep('a', first);
  expect(memory.find('a')).toBeUndefined();
  memory.keep('a', second);
  expect(memory.find('a')).toBe(second);
});

test('a small answer is kept in memory of its own, not with all of the pool that it lies in', () => {
  const memory = new AnswerMemory(8 * MEGABYTE);
  const body = Buffer.from(new Uint8Array(65_536).buffer, 100, 300).fill(7);
  keepTwice(memory, 'a', answerOf(body));
  memory.giveBack(body);
  const kept = memory.find('a')?.body ?? Buffer.of();
  expect(kept.buffer.byteLength).toBe(300);
  expect(kept.equals(body)).toBe(true);
});

test('an answer larger than half of the bound is not kept and drives nothing out', () => {
  const memory = new AnswerMemory(8 * MEGABYTE);
  const small = answerOf(memory.take(MEGABYTE));
  keepTwice(memory, 'small', small);
  const large = answerOf(memory.take(9 * MEGABYTE));
  keepTwice(memory, 'large', large);
  memory.giveBack(large.body);
  expect(memory.find('large')).toBeUndefined();
  expect(memory.find('small')).toBe(small);
});

test('nothing is kept within a bound of nothing', () => {
  const memory = new AnswerMemory(0);
  const [first, second] = [memory.take(MEGABYTE), memory.take(100)];
  keepTwice(memory, 'first', answerOf(first));
  keepTwice(memory, 'second', answerOf(second));
  memory.giveBack(first);
  expect(memory.find('first')).toBeUndefined();
  expect(memory.find('second')).toBeUndefined();
  expect(memory.take(MEGABYTE).buffer).not.toBe(first.buffer);
});

test('whoever sends an answer sees its own bytes to the end, in whatever order others come and go', () => {
  const step = fc.record({ name: fc.nat(12), kilobytes: fc.integer({ min: 40, max: 700 }), ends: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = new AnswerMemory(4 * MEGABYTE);
      const sizes = new Map<number, number>();
      const sending: { readonly name: number; readonly body: Buffer }[] = [];
      const kept = new Map<string, number>();
      for (const { name, kilobytes, ends } of steps) {
        const known = memory.find(`${name}`);
        const body = known?.body ?? memory.take((sizes.get(name) ?? kilobytes) * 1024);
        if (known === undefined) {
          sizes.set(name, body.length / 1024);
          body.fill(name);
          memory.keep(`${name}`, answerOf(body));
          kept.set(`${name}`, body.length);
        }
        sending.push({ name, body });
        for (const ended of sending.splice(0, ends)) {
          expect(ended.body.every((byte) => byte === ended.name)).toBe(true);
          memory.giveBack(ended.body);
        }
      }
      const found = [...kept].filter(([name]) => memory.find(name) !== undefined);
      expect(found.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(4 * MEGABYTE);
    }),
    { numRuns: 40 },
  );
});
