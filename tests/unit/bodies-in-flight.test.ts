import { BodiesInFlight } from '../../host/server';

test('a body counts once, however many read it, until the last of them has it', () => {
  const inFlight = new BodiesInFlight();
  const [one, other] = [new Uint8Array(100), new Uint8Array(30)];
  inFlight.add(one);
  expect([inFlight.bytes, inFlight.bytesWith(one), inFlight.bytesWith(other)]).toEqual([100, 100, 130]);
  inFlight.add(one);
  inFlight.add(other);
  expect(inFlight.bytes).toBe(130);
  inFlight.remove(one);
  expect(inFlight.bytes).toBe(130);
  inFlight.remove(one);
  expect(inFlight.bytes).toBe(30);
  inFlight.remove(one);
  inFlight.remove(other);
  expect(inFlight.bytes).toBe(0);
});
