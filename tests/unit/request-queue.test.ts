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
