// What can be done with the map beside moving it: colours, the year of areas, drawing, and going to a place by name.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { areaValuesOf, yearsOfTotals } from '../../requests/area-values';
import type { MapControl } from '../../map/open-map';
import type { ShapeForm } from '../../map/shapes';
import { kindOf, labelOf } from '../../state/kinds';
import {
  ALL_YEARS,
  shownBoundary,
  DECADE_COLOUR,
  filtersWithoutEffect,
  MAP_SIZES,
  placeSizeOf,
  mapCollectionOf,
  placeColourOf,
} from '../../state/map-kinds';
import { withFilter, type MapState } from '../../state/state';
import type { ViewProps } from '../parts/view-props';
import { ROOMY } from './map-legend';
import { PlaceSearch } from './place-search';

interface MapToolsProps extends ViewProps {
  /** Undefined while the map is being opened, and where none can be drawn. */
  readonly control: MapControl | undefined;
}

export function MapTools({ session, control }: MapToolsProps): VNode {
  const state = session.state.value;
  const unused = filtersWithoutEffect(state.kind, state.filters);
  return (
    <details class="map-tools" open={matchMedia(ROOMY).matches}>
      <summary class="narrow-only">Search, colours, areas</summary>
      <div class="choices">
        <PlaceSearch session={session} control={control} />
        {state.kind === 'aggregates' ? <AreaChoices session={session} /> : <PlaceChoices session={session} />}
        <DrawTools session={session} control={control} />
        {unused.length > 0 && <p class="soft">The map does not regard {unused.join(', ')}; table and chart do.</p>}
      </div>
    </details>
  );
}

function changeMap(session: ViewProps['session'], change: Partial<MapState>): void {
  session.change((state) => ({ ...state, map: { ...state.map, ...change } }));
}

function PlaceChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  return (
    <>
      <ColourChoice session={session} />
      {state.kind === 'rights' && (
        <label>
          Size by{' '}
          <select value={state.map.size} onChange={(event) => changeMap(session, { size: event.currentTarget.value })}>
            <option value="">Number of points</option>
            {MAP_SIZES.map(({ name, label, unit }) => (
              <option key={name} value={name}>
                {label} ({unit})
              </option>
            ))}
          </select>
        </label>
      )}
      {placeSizeOf(state) !== undefined && (
        <span class="soft">Single rights have their size; faint dots state none, or stand for several: go nearer.</span>
      )}
    </>
  );
}

/** Map and chart show the same series. */
function changeSeries(session: ViewProps['session'], series: string): void {
  session.change((state) => ({ ...state, chart: { ...state.chart, series } }));
}

function ColourChoice({ session }: ViewProps): VNode {
  const state = session.state.value;
  return (
    <label>
      Colour by{' '}
      <select
        value={placeColourOf(state)?.filter}
        onChange={(event) => changeMap(session, { colour: event.currentTarget.value })}
      >
        {mapCollectionOf(state.kind).colours.map(({ filter }) => (
          <option key={filter} value={filter}>
            {filter === DECADE_COLOUR ? 'Priority date' : labelOf(state.kind, filter)}
          </option>
        ))}
      </select>
    </label>
  );
}

function AreaChoices({ session }: ViewProps): VNode {
  const { chart } = session.state.value;
  const year = session.map.year.value ?? '';
  const totals = session.map.areas.current.value.answer?.value;
  const { choices, series } =
    totals === undefined ? { choices: [], series: '' } : areaValuesOf(totals, chart.series, year);
  const years = yearsOfTotals(session.map.years.current.value.answer?.value);
  const at = years.indexOf(year);
  return (
    <>
      {choices.length > 0 && (
        <label class="wide">
          Sum of{' '}
          <select value={series} onChange={(event) => changeSeries(session, event.currentTarget.value)}>
            {choices.map(({ name, text }) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
      {years.length > 1 && (
        <div class="years">
          <label>
            <span>{year === '' ? 'All years' : year}</span>
            <input
              type="range"
              min={0}
              max={years.length - 1}
              value={at === -1 ? years.length - 1 : at}
              aria-label="Year"
              aria-valuetext={year === '' ? 'All years together' : year}
              onInput={(event) => changeMap(session, { year: years[Number(event.currentTarget.value)] ?? '' })}
            />
          </label>
          <button
            type="button"
            aria-pressed={year === ''}
            onClick={() => changeMap(session, { year: year === '' ? '' : ALL_YEARS })}
          >
            All years
          </button>
        </div>
      )}
    </>
  );
}

const FORMS: readonly { readonly form: ShapeForm; readonly label: string; readonly help: string }[] = [
  { form: 'box', label: 'Box', help: 'Press at one corner and drag to the other.' },
  { form: 'polygon', label: 'Polygon', help: 'Click each corner; double-click or press Enter to end.' },
  { form: 'circle', label: 'Circle', help: 'Press at the middle and drag to the edge.' },
];

function DrawTools({ session, control }: MapToolsProps): VNode {
  const drawn = useSignal<ShapeForm | undefined>(undefined);
  const boundary = shownBoundary(session.state.value);
  const start = (form: ShapeForm): void => {
    if (drawn.value === form) {
      control?.stopDrawing();
      drawn.value = undefined;
      return;
    }
    drawn.value = form;
    control?.draw(form, () => {
      drawn.value = undefined;
    });
  };
  const help = FORMS.find(({ form }) => form === drawn.value)?.help;
  return (
    <div class="draw" role="group" aria-label="Draw an area">
      {FORMS.map(({ form, label }) => (
        <button
          key={form}
          type="button"
          disabled={control === undefined}
          aria-pressed={drawn.value === form}
          onClick={() => start(form)}
        >
          {label}
        </button>
      ))}
      {boundary !== '' && (
        <button
          type="button"
          class="quiet"
          onClick={() => session.change((state) => withFilter(state, kindOf(state.kind).boundary, []))}
        >
          Remove the area
        </button>
      )}
      <span class="draw-help" aria-live="polite">
        {help === undefined ? '' : `${help} Escape gives up. Coordinates and names: “Within an area” at the side.`}
      </span>
    </div>
  );
}
