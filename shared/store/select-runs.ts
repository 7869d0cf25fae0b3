// Numbered things (records, lookups, geometries) stand in runs of neighbours: which runs hold some of them, and where in these.

export interface SelectedRun {
  /** Of the run. */
  readonly ordinal: number;
  /** Positions in the run, ascending. */
  readonly indexes: Uint32Array;
}

/** `firsts` has the first number of each run, `numbers` are ascending. */
export function selectRuns(firsts: Uint32Array, numbers: Uint32Array): readonly SelectedRun[] {
  const selected: SelectedRun[] = [];
  for (let position = 0; position < numbers.length;) {
    const ordinal = runOf(firsts, numbers[position] ?? 0);
    const first = firsts[ordinal] ?? 0;
    const next = firsts[ordinal + 1] ?? Infinity;
    let end = position + 1;
    while (end < numbers.length && (numbers[end] ?? 0) < next) end++;
    selected.push({ ordinal, indexes: numbers.subarray(position, end).map((number) => number - first) });
    position = end;
  }
  return selected;
}

/** The index of the last run that starts at or before `number`. */
function runOf(firsts: Uint32Array, number: number): number {
  let low = 0;
  let high = firsts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((firsts[middle] ?? 0) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}
