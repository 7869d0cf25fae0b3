// Finds towns of the base map by name. They are not part of the data: choosing one moves the map and filters nothing.

import type { Camera } from '../state/state';

/** Towns of GeoNames by the abbreviation of their state, written by tools/build/explorer-maps.mjs. */
export type Towns = Readonly<Record<string, readonly Town[]>>;

type Town = readonly [name: string, inhabitants: number, longitude: number, latitude: number];

/** A town, with the camera that shows it. */
export interface TownSuggestion {
  readonly name: string;
  readonly description: string;
  readonly camera: Camera;
}

/** Towns are listed after results from the data, so a few are enough. */
const MAX_TOWNS = 3;

/** Shows a town and its surroundings. */
const TOWN_ZOOM = 11;

/**
 * Finds towns by the beginnings of words, like Find (D60): each word of `text` must start a word of the name. The
 * largest towns come first.
 */
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

/** Ignores letter case, accents and apostrophes, as Find does. */
function splitWords(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
