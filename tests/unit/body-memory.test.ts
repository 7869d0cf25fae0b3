import { BodyMemory } from '../../shared/envelope/body-memory';

const MEGABYTE = 1024 * 1024;

test('gives as many bytes as were asked for', () => {
  const memory = new BodyMemory();
  for (const bytes of [0, 1, 65_535, 65_536, 65_537, 3 * MEGABYTE]) expect(memory.take(bytes)).toHaveLength(bytes);
});

test('uses the memory of a body that was given back, and of no other', () => {
  const memory = new BodyMemory();
  const [first, second] = [memory.take(MEGABYTE), memory.take(MEGABYTE)];
  expect(second.buffer).not.toBe(first.buffer);
  memory.giveBack(first);
  expect(memory.take(MEGABYTE - 5).buffer).toBe(first.buffer);
  expect(memory.take(MEGABYTE).buffer).not.toBe(first.buffer);
});

test('takes a body back once', () => {
  const memory = new BodyMemory();
  const body = memory.take(MEGABYTE);
  memory.giveBack(body);
  memory.giveBack(body);
  expect(memory.take(MEGABYTE).buffer).not.toBe(memory.take(MEGABYTE).buffer);
});

test('lets go of what it did not lend', () => {
  const memory = new BodyMemory();
  const stranger = Buffer.alloc(MEGABYTE);
  memory.giveBack(stranger);
  expect(memory.take(MEGABYTE).buffer).not.toBe(stranger.buffer);
});

test('keeps no more than its bound between answers', () => {
  const memory = new BodyMemory();
  const bodies = Array.from({ length: 80 }, () => memory.take(MEGABYTE));
  for (const body of bodies) memory.giveBack(body);
  const lent = new Set(bodies.map(({ buffer }) => buffer));
  const again = Array.from({ length: 80 }, () => memory.take(MEGABYTE));
  expect(again.filter(({ buffer }) => lent.has(buffer))).toHaveLength(64);
});
