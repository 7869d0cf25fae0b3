// Goes to a state, county, watershed, unit or site by its name: a field with suggestions, as the pattern of a combo box
// has it (arrow keys choose, Enter goes, Escape closes).

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { MapControl } from '../../map/open-map';
import { askExtentOfSites, askExtentOfUnits, type MapExtent, type NamedPlace } from '../../requests/place-names';
import { sentenceOf } from '../../requests/reply';
import { splitFeatureId } from '../../requests/map-features';
import { suggestionsOf } from '../../session/place-names';
import type { Session } from '../../session/session';
import { countText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';

const LIST = 'place-suggestions';

/** Degrees around a site, as much as a small town. */
const AROUND_A_SITE = 0.03;

interface PlaceSearchProps extends ViewProps {
  readonly control: MapControl | undefined;
}

export function PlaceSearch({ session, control }: PlaceSearchProps): VNode {
  const text = useSignal('');
  const chosen = useSignal(0);
  const said = useSignal('');
  const areas = session.places.areas.current.value.answer?.value ?? [];
  const sitesOrUnits = session.places.sitesOrUnits.current.value.answer?.value;
  const suggestions = suggestionsOf([...areas, ...(sitesOrUnits?.places ?? [])], text.value);
  const go = async (place: NamedPlace | undefined): Promise<void> => {
    if (place === undefined || control === undefined) return;
    text.value = '';
    said.value = `Going to ${place.name} …`;
    said.value = await goTo(session, control, place);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggestions.length > 0) {
      chosen.value = (chosen.value + step + suggestions.length) % suggestions.length;
      event.preventDefault();
    } else if (event.key === 'Enter') void go(suggestions[chosen.value]);
    else if (event.key === 'Escape') text.value = '';
  };
  return (
    <div class="place-search">
      <input
        type="search"
        role="combobox"
        aria-label="Go to a place"
        aria-expanded={text.value.trim() !== ''}
        aria-controls={LIST}
        aria-autocomplete="list"
        aria-activedescendant={suggestions.length > 0 ? `${LIST}-${chosen.value}` : undefined}
        placeholder="Go to a place"
        autocomplete="off"
        spellcheck={false}
        disabled={control === undefined}
        value={text.value}
        onInput={(event) => {
          if (control !== undefined) session.places.need(control.extent());
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={press}
      />
      <Suggestions session={session} text={text.value} shown={suggestions} chosen={chosen.value} onGo={go} />
      <span class="unseen" role="status">
        {said.value}
      </span>
    </div>
  );
}

interface SuggestionsProps extends ViewProps {
  readonly text: string;
  readonly shown: readonly NamedPlace[];
  readonly chosen: number;
  readonly onGo: (place: NamedPlace) => Promise<void>;
}

function Suggestions({ session, text, shown, chosen, onGo }: SuggestionsProps): VNode {
  const { answer, trouble } = session.places.sitesOrUnits.current.value;
  const { places, total } = answer?.value ?? { places: [], total: 0 };
  const none = trouble !== undefined ? sentenceOf(trouble) : answer === undefined ? 'Loading names …' : 'No such name.';
  return (
    <div class="suggestions" hidden={text.trim() === ''}>
      <ul id={LIST} role="listbox" aria-label="Places">
        {shown.map((place, index) => (
          <li
            key={`${place.kind} ${place.name} ${place.says}`}
            id={`${LIST}-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Before the field loses the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              void onGo(place);
            }}
          >
            {place.name} <span class="soft">{place.says}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="soft">{none}</p>}
      {total > places.length && (
        <p class="soft">
          {`Of ${countText(total)} sites the first ${countText(places.length)} are known by name here: `}go nearer, or
          filter by county or state.
        </p>
      )}
      {total <= places.length && session.places.extentOfPlaces.value !== 'all' && (
        <p class="soft">There are too many sites to know all by name: these are of what the map shows.</p>
      )}
    </div>
  );
}

/** Returns what to tell the person. */
async function goTo(session: Session, control: MapControl, place: NamedPlace): Promise<string> {
  const extent = await extentOfPlace(session, control, place);
  if (extent !== undefined) control.goTo(extent);
  openPlace(session, place);
  return extent === undefined ? `Where ${place.name} lies is not known.` : `The map shows ${place.name}.`;
}

async function extentOfPlace(session: Session, control: MapControl, place: NamedPlace): Promise<MapExtent | undefined> {
  switch (place.kind) {
    case 'state':
      return control.extentOfState(place.name);
    case 'site': {
      const [longitude, latitude] = place.point;
      const extent = [longitude - AROUND_A_SITE, latitude - AROUND_A_SITE] as const;
      return Number.isNaN(longitude + latitude)
        ? undefined
        : [...extent, longitude + AROUND_A_SITE, latitude + AROUND_A_SITE];
    }
    case 'area':
    case 'unit': {
      const reply = await (place.kind === 'area'
        ? askExtentOfSites(session.client, [['SearchBoundary', place.boundary]])
        : askExtentOfUnits(session.client, [['ReportingUnitUUID', splitFeatureId(place.id).identifier]]));
      return reply.kind === 'answer' ? reply.value : undefined;
    }
  }
}

/** Beside the map, where the map shows features of this kind. */
function openPlace(session: Session, place: NamedPlace): void {
  const { kind } = session.state.peek();
  const isShown = (place.kind === 'site' && kind === 'series') || (place.kind === 'unit' && kind === 'aggregates');
  if (!isShown) return;
  const { id } = place;
  session.change((state) => ({ ...state, place: id, record: undefined, panel: undefined }));
}
