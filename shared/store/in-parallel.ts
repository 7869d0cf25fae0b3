// Processes many items with a limit on the number in progress, such as requests to a remote store.

/**
 * Returns the results in the order of the items. Calls of `act` start in that order, with at most `maxInFlight` in
 * progress. After a call fails, no other call starts, and the error is thrown.
 */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  maxInFlight: number,
  act: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (hasFailed) return;
      try {
        results.set(index, await act(item));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, work));
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}
