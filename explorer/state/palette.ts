// Colours that stand for values, in charts and on the map: told apart by people who see few colours, and readable on
// light and dark ground.

const COLOURS = [
  ...['#2b7bba', '#e08a1e', '#2f9e7a', '#b5527a', '#7d6fd0', '#98a32f', '#cf5f45', '#49b0c8', '#8b8f98'],
] as const;

/** Beyond the last one they begin again. */
export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? COLOURS[0];
}
