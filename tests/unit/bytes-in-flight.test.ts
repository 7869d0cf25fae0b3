// The memory of answers that are being written or sent is limited (ADR 0054).

import fc from 'fast-check';
import { BytesInFlight } from '../../shared/http/pipeline/bytes-in-flight';

describe('bytes in flight', () => {
  /** Tests whether this many more bytes fit, by reserving and releasing them. */
  function hasRoom(inFlight: BytesInFlight, bytes: number): boolean {
    const reservation = inFlight.reserve();
    const isReserved = reservation.resize(bytes);
    reservation.release();
    return isReserved;
  }

  test('count a body once while several answers send it, until the last of them is sent', () => {
    const inFlight = new BytesInFlight(130);
    const sharedBody = new Uint8Array(100);
    const otherBody = new Uint8Array(30);
    expect(inFlight.add(sharedBody)).toBe(true);
    expect(inFlight.add(sharedBody)).toBe(true);
    expect(inFlight.add(otherBody)).toBe(true);
    expect(hasRoom(inFlight, 1)).toBe(false);
    inFlight.remove(sharedBody);
    expect(hasRoom(inFlight, 1)).toBe(false);
    inFlight.remove(sharedBody);
    expect(hasRoom(inFlight, 100)).toBe(true);
    expect(hasRoom(inFlight, 101)).toBe(false);
    inFlight.remove(sharedBody);
    inFlight.remove(otherBody);
    expect(hasRoom(inFlight, 1_000_000)).toBe(true);
  });

  test('reserve nothing over the limit while there are other reservations, and are zero when all are released', () => {
    const steps = fc.array(fc.record({ slot: fc.nat(4), bytes: fc.nat(80) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (drawnSteps) => {
        const inFlight = new BytesInFlight(100);
        const reservations = Array.from({ length: 5 }, () => inFlight.reserve());
        const reservedBytes = [0, 0, 0, 0, 0];
        for (const { slot, bytes } of drawnSteps) {
          const others = reservedBytes.reduce((sum, size, index) => sum + (index === slot ? 0 : size), 0);
          const isExpected = bytes <= (reservedBytes[slot] ?? 0) || others === 0 || others + bytes <= 100;
          expect(reservations[slot]?.resize(bytes)).toBe(isExpected);
          if (isExpected) reservedBytes[slot] = bytes;
        }
        for (const reservation of reservations) reservation.release();
        expect(hasRoom(inFlight, 1000)).toBe(true);
        expect(inFlight.add(new Uint8Array(100))).toBe(true);
      }),
    );
  });

  test('have room for small answers next to a large one, up to a sixteenth of the limit', () => {
    const inFlight = new BytesInFlight(40_960);
    const large = inFlight.reserve();
    expect(large.resize(80_000)).toBe(true);
    const small = Array.from({ length: 257 }, () => inFlight.add(new Uint8Array(10)));
    expect(small.filter(Boolean)).toHaveLength(256);
    expect(inFlight.add(new Uint8Array(11))).toBe(false);
    expect(inFlight.current).toBe(82_560);
  });
});
