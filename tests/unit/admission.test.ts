// The bounds on answers that are made or sent (ADR 0054), and on requests at work.

import fc from 'fast-check';
import { BytesInFlight, RequestQueue } from '../../shared/http/pipeline/admission';

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
    const [one, other] = [new Uint8Array(100), new Uint8Array(30)];
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

  test('an answer that is alone may take any number of bytes, and then nothing else has room', () => {
    const inFlight = new BytesInFlight(100);
    const large = inFlight.reserve();
    expect([large.resize(50), large.resize(5000), large.resize(6000)]).toEqual([true, true, true]);
    expect([inFlight.reserve().resize(1), inFlight.add(new Uint8Array(1))]).toEqual([false, false]);
    large.release();
    expect(inFlight.add(new Uint8Array(100))).toBe(true);
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

describe('requests at work', () => {
  /** A request that ends when the test says so. */
  function pendingWork(): {
    readonly work: () => Promise<string>;
    readonly end: () => void;
    readonly hasBegun: () => boolean;
  } {
    let begun = false;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const work = async (): Promise<string> => {
      begun = true;
      await ended;
      return 'done';
    };
    return { work, end, hasBegun: () => begun };
  }

  test('refuses a request at once while as many as it takes are at work or waiting, and takes another when one is done', async () => {
    const queue = new RequestQueue(2);
    const [one, two, three] = [pendingWork(), pendingWork(), pendingWork()];
    const answers = [queue.run(one.work), queue.run(two.work)];
    expect(await queue.run(three.work)).toBeUndefined();
    expect(three.hasBegun()).toBe(false);
    one.end();
    expect(await answers[0]).toBe('done');
    const third = queue.run(three.work);
    two.end();
    three.end();
    expect(await Promise.all([...answers, third])).toEqual(['done', 'done', 'done']);
  });

  test('a request that fails frees its place', async () => {
    const queue = new RequestQueue(1);
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(() => Promise.resolve('yes'))).toBe('yes');
  });
});
