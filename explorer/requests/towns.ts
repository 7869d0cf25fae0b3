// Towns that the map shows, found by name: they are no part of the data, so the map goes there and nothing is filtered.

import type { Camera } from '../state/state';

/** What the build makes of GeoNames (tools/build-explorer.mjs), by the abbreviation of their state. */
export type Towns = Readonly<Record<string, readonly Town[]>>;

type Town = readonly [name: string, inhabitants: number, longitude: number, latitude: number];

/** A town as a suggestion. */
export interface FoundTown {
  readonly name: string;
  readonly says: string;
  readonly camera: Camera;
}

/** They stand behind what the data have, so a few are enough. */
const MOST_TOWNS = 3;

/** A town and the land around it. */
const TOWN_ZOOM = 11;

/** The largest first of those in whose name each word begins a word; `written` are the words of Find (D60). */
export function townsNamed(text: string, towns: Towns): readonly FoundTown[] {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const found = Object.entries(towns).flatMap(([state, list]) =>
    list
      .filter(([name]) => {
        const words = wordsOf(name);
        return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
      })
      .map((town) => ({ state, town })),
  );
  const largest = found.sort((a, b) => b.town[1] - a.town[1]).slice(0, MOST_TOWNS);
  return largest.map(({ state, town: [name, , longitude, latitude] }) => ({
    name,
    says: `town, ${state}`,
    camera: { longitude, latitude, zoom: TOWN_ZOOM },
  }));
}

/** As Find compares them: without letter case, accents and apostrophes. */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Empty where they do not come: the data are found without them. */
export async function readTowns(address: string): Promise<Towns> {
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok !== true) return {};
  return ((await response.json()) as { readonly towns: Towns }).towns; // The build wrote it.
}
