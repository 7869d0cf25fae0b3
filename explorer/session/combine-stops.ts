// Combines several stop functions into one.

/** Returns one function that calls all of them. */
export function combineStops(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}
