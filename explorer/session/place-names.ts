// Names that a person can go to on the map. They are asked for when somebody begins to write one, and again where the
// kind of records, or the filters of places, are others.

import { askNamedAreas, askNamedThings } from '../requests/place-names';
import type { NamedPlace, NamedThings } from '../requests/place-names';
import { Asking, type Wait } from './asking';
import type { MapSession } from './map-answers';

export class PlaceNames {
  readonly areas: Asking<readonly NamedPlace[]>;
  readonly things: Asking<NamedThings>;
  private asked = '';

  constructor(
    private readonly session: MapSession,
    wait: Wait,
  ) {
    this.areas = new Asking(wait);
    this.things = new Asking(wait);
  }

  /** Asks for the names of what is shown now, unless that is done. */
  need(): void {
    const { client, state, hasAccess } = this.session;
    const { kind, filters } = state.peek();
    const asked = JSON.stringify([kind, filters]);
    if (!hasAccess || asked === this.asked) return;
    this.asked = asked;
    this.areas.ask((abort) => askNamedAreas(client, kind, abort));
    this.things.ask((abort) => askNamedThings(client, { kind, filters }, abort));
  }
}

/** As many as can be looked through at a glance. */
const MOST_SUGGESTIONS = 9;

/**
 * Places whose name has every word that is written, without regard to case: first those that begin so, then areas
 * before sites, then by name.
 */
export function suggestionsOf(places: readonly NamedPlace[], text: string): readonly NamedPlace[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  if (first === '') return [];
  const found = places.filter((place) => {
    const searched = searchedText(place);
    return words.every((word) => searched.includes(word));
  });
  const rank = (place: NamedPlace): number =>
    (place.name.toLowerCase().startsWith(first) ? 0 : 4) + ['state', 'area', 'unit', 'site'].indexOf(place.kind);
  return found
    .map((place) => ({ place, order: rank(place) }))
    .sort((a, b) => a.order - b.order || (a.place.name < b.place.name ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(({ place }) => place);
}

/** An identifier finds its site or unit too. */
function searchedText(place: NamedPlace): string {
  const id = place.kind === 'site' || place.kind === 'unit' ? place.id : '';
  return `${place.name} ${place.says} ${id}`.toLowerCase();
}
