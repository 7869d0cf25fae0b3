// Finds towns of the base map by name. They are not part of the data: choosing one moves the map and filters nothing.

import type { Camera } from '../state/state';

/** What the build makes of GeoNames (tools/build/explorer-maps.mjs), by the abbreviation of their state. */
export type Towns = Readonly<Record<string, readonly Town[]>>;

type Town = readonly [name: string, inhabitants: number, longitude: number, latitude: number];

/** A town as a suggestion. */
export interface TownSuggestion {
  readonly name: string;
  readonly description: string;
  readonly camera: Camera;
}

/** They stand behind what the data have, so a few are enough. */
const MAX_TOWNS = 3;

/** A town and the land around it. */
const TOWN_ZOOM = 11;

/** The largest first of those in whose name each word begins a word; `written` are the words of Find (D60). */
export function findTowns(text: string, towns: Towns): readonly TownSuggestion[] {
  const wanted = splitWords(text);
  if (wanted.length === 0) return [];
  const found = Object.entries(towns).flatMap(([state, list]) =>
    list
      .filter(([name]) => {
        const words = splitWords(name);
        return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
      })
      .map((town) => ({ state, town })),
  );
  const largest = found.sort((a, b) => b.town[1] - a.town[1]).slice(0, MAX_TOWNS);
  return largest.map(({ state, town: [name, , longitude, latitude] }) => ({
    name,
    description: `town, ${state}`,
    camera: { longitude, latitude, zoom: TOWN_ZOOM },
  }));
}

/** As Find compares them: without letter case, accents and apostrophes. */
function splitWords(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
