// What submissions and queries may write for true and for false, in any letter case (submissions.md, 3).

export const BOOLEAN_TEXTS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes'].map((text) => [text, true] as const),
  ...['0', 'false', 'no'].map((text) => [text, false] as const),
]);
