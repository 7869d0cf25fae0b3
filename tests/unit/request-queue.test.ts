// The bound on requests at work.

import { RequestQueue } from '../../shared/http/pipeline/admission';

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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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

test('begins one request in each turn of the event loop, in the order of their arrival, and the first at once', async () => {
  const queue = new RequestQueue(10);
  const begun: number[] = [];
  const answers = [1, 2, 3].map((number) => queue.run(() => Promise.resolve(begun.push(number))));
  await answers[0];
  const seen = [begun.length];
  while (begun.length < 3) {
    await turn();
    seen.push(begun.length);
  }
  await Promise.all(answers);
  expect(begun).toEqual([1, 2, 3]);
  expect(seen).toEqual([1, 2, 3]);
});

test('a request that fails frees its place', async () => {
  const queue = new RequestQueue(1);
  await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run(() => Promise.resolve('yes'))).toBe('yes');
});

test('requests that begin and work that gave way take turns, each in the order in which it came', async () => {
  const queue = new RequestQueue(10);
  const order: string[] = [];
  const long = (name: string) => async (): Promise<void> => {
    for (let step = 1; step <= 3; step++) {
      order.push(`${name}${step}`);
      await queue.giveWay();
    }
  };
  const short = (): Promise<void> => {
    order.push('short');
    return Promise.resolve();
  };
  await Promise.all([long('a'), long('b'), short, short, short].map((work) => queue.run(work)));
  // Begins, goes on, begins, goes on... The last step of each has nothing to do but to end.
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'short', 'b2', 'short', 'short', 'b3']);
});
