// The memory that answers may take while they are made or sent is bounded (ADR 0054).

import fc from 'fast-check';
import { BytesInFlight } from '../../shared/http/pipeline/admission';

describe('bytes in flight', () => {
  /** Whether so many bytes still have room: they are reserved for a moment. */
  function hasRoom(inFlight: BytesInFlight, bytes: number): boolean {
    const reservation = inFlight.reserve();
    const isThere = reservation.resize(bytes);
    reservation.release();
    return isThere;
  }

  test('a body counts once, however many send it, until the last of them has sent it', () => {
    const inFlight = new BytesInFlight(130);
    const one = new Uint8Array(100);
    const other = new Uint8Array(30);
    expect([inFlight.add(one), inFlight.add(one), inFlight.add(other)]).toEqual([true, true, true]);
    expect(hasRoom(inFlight, 1)).toBe(false);
    inFlight.remove(one);
    expect(hasRoom(inFlight, 1)).toBe(false);
    inFlight.remove(one);
    expect([hasRoom(inFlight, 100), hasRoom(inFlight, 101)]).toEqual([true, false]);
    inFlight.remove(one);
    inFlight.remove(other);
    expect(hasRoom(inFlight, 1_000_000)).toBe(true);
  });

  test('beside others nothing is let in over the bound, and what is released leaves no trace', () => {
    const steps = fc.array(fc.record({ who: fc.nat(4), bytes: fc.nat(80) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (drawn) => {
        const inFlight = new BytesInFlight(100);
        const reservations = Array.from({ length: 5 }, () => inFlight.reserve());
        const taken = [0, 0, 0, 0, 0];
        for (const { who, bytes } of drawn) {
          const others = taken.reduce((sum, one, index) => sum + (index === who ? 0 : one), 0);
          const isExpected = bytes <= (taken[who] ?? 0) || others === 0 || others + bytes <= 100;
          expect(reservations[who]?.resize(bytes)).toBe(isExpected);
          if (isExpected) taken[who] = bytes;
        }
        for (const reservation of reservations) reservation.release();
        expect([hasRoom(inFlight, 1000), inFlight.add(new Uint8Array(100))]).toEqual([true, true]);
      }),
    );
  });

  test('small answers have room beside large ones, up to a sixteenth of the bound', () => {
    const inFlight = new BytesInFlight(40_960);
    const large = inFlight.reserve();
    expect(large.resize(80_000)).toBe(true);
    const small = Array.from({ length: 257 }, () => inFlight.add(new Uint8Array(10)));
    expect(small.filter(Boolean)).toHaveLength(256);
    expect([inFlight.add(new Uint8Array(11)), inFlight.current]).toEqual([false, 82_560]);
  });
});
