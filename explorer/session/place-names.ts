// Names that a person can go to on the map. They are asked for when somebody begins to write one, and again where the
// kind of records, or the filters of places, are others. Where there are more sites than one page has, they are asked
// again for what the map shows, so that every name can be found by going near it.

import { signal, type ReadonlySignal, type Signal } from '@preact/signals-core';
import { askNamedAreas, askNamedPlaces } from '../requests/place-names';
import type { MapExtent, NamedPlace, NamedPlaces } from '../requests/place-names';
import { Asking, type Wait } from './asking';
import type { MapSession } from './map-answers';

export class PlaceNames {
  readonly areas: Asking<readonly NamedPlace[]>;
  readonly sitesOrUnits: Asking<NamedPlaces>;
  private asked = '';
  private askedWithin = '';
  private readonly known: Signal<'all' | 'of what the map shows'> = signal('all');

  constructor(
    private readonly session: MapSession,
    wait: Wait,
  ) {
    this.areas = new Asking(wait);
    this.sitesOrUnits = new Asking(wait);
  }

  /** Whether the sites and units that are known are all, or those of what the map shows. */
  get extentOfPlaces(): ReadonlySignal<'all' | 'of what the map shows'> {
    return this.known;
  }

  /** Asks for the names of what is shown now, unless that is done. `shown` is what the map shows, if there is one. */
  need(shown?: MapExtent): void {
    const { client, state, hasAccess } = this.session;
    const { kind, filters } = state.peek();
    const asked = JSON.stringify([kind, filters]);
    if (!hasAccess) return;
    if (asked !== this.asked) {
      [this.asked, this.askedWithin, this.known.value] = [asked, '', 'all'];
      this.areas.ask((abort) => askNamedAreas(client, kind, abort), kind);
      this.sitesOrUnits.ask((abort) => askNamedPlaces(client, { kind, filters }, abort), asked);
      return;
    }
    const { answer, isAsking } = this.sitesOrUnits.current.peek();
    const areTooMany = answer !== undefined && answer.value.total > answer.value.places.length;
    const within = JSON.stringify(shown);
    if (shown === undefined || isAsking || within === this.askedWithin || (this.known.peek() === 'all' && !areTooMany))
      return;
    [this.askedWithin, this.known.value] = [within, 'of what the map shows'];
    this.sitesOrUnits.ask((abort) => askNamedPlaces(client, { kind, filters, within: shown }, abort), asked);
  }
}

/** As many as can be looked through at a glance. */
const MOST_SUGGESTIONS = 9;

/**
 * Places whose name has every word that is written, without regard to case: first those that begin so, then areas
 * before sites, then by name.
 */
export function suggestionsOf<Place extends NamedPlace>(places: readonly Place[], text: string): readonly Place[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  if (first === '') return [];
  const found = places.filter((place) => {
    const searched = searchedText(place);
    return words.every((word) => searched.includes(word));
  });
  const rank = (place: Place): number =>
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
