// Combines several stop functions into one.

/** One way to stop all of them. */
export function combineStops(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}
