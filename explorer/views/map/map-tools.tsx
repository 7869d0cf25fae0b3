// What can be done with the map beside moving it: colours, sizes, the year of areas, and drawing.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { yearsOfTotals } from '../../requests/totals';
import { DECADE_COLOUR, kindOf, labelOf } from '../../state/kinds';
import {
  ALL_YEARS,
  filtersWithoutEffect,
  placeColourOf,
  placeSizeOf,
  placeSizesOf,
  shownBoundary,
} from '../../state/map-kinds';
import { MAP_SCALES, type ShapeForm } from '../../state/state';
import { Select, type ViewProps } from '../parts/controls';
import { ROOMY } from './map-legend';

export function MapTools({ session }: ViewProps): VNode {
  const state = session.state.value;
  const unused = filtersWithoutEffect(state.kind, state.filters);
  return (
    <details class="map-tools" open={matchMedia(ROOMY).matches}>
      <summary class="narrow-only">Map</summary>
      <div class="choices">
        {state.kind === 'aggregates' ? <AreaChoices session={session} /> : <PlaceChoices session={session} />}
        <DrawTools session={session} />
        {unused.length > 0 && <p class="soft">The map does not regard {unused.join(', ')}; table and chart do.</p>}
      </div>
    </details>
  );
}

function PlaceChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { colours } = kindOf(state.kind).places;
  const sizes = placeSizesOf(state.kind).map(({ name, label, unit }) => ({ name, label: `${label} (${unit})` }));
  return (
    <>
      <Select
        label="Colour by"
        value={placeColourOf(state)?.filter ?? ''}
        choices={colours.map(({ filter }) => ({
          name: filter,
          label: filter === DECADE_COLOUR ? 'Priority date' : labelOf(filter),
        }))}
        onChoose={(colour) => session.setMap({ colour })}
      />
      {sizes.length > 0 && (
        <Select
          label="Size by"
          value={state.map.size}
          choices={[{ name: '' as const, label: 'Number of points' }, ...sizes]}
          onChoose={(size) => session.setMap({ size })}
        />
      )}
      {placeSizeOf(state) !== undefined && (
        <span class="soft">Single rights have their size; faint dots state none, or stand for several: go nearer.</span>
      )}
    </>
  );
}

function AreaChoices({ session }: ViewProps): VNode {
  const { map } = session.state.value;
  const sums = session.areaValues.value;
  return (
    <>
      {sums !== undefined && sums.choices.length > 0 && (
        <Select
          label="Sum of"
          class="wide"
          value={sums.series}
          choices={sums.choices}
          // Map and chart show the same series.
          onChoose={(name) => session.setChart({ series: name })}
        />
      )}
      <YearChoice session={session} />
      <Select label="Shades" value={map.scale} choices={MAP_SCALES} onChoose={(scale) => session.setMap({ scale })} />
    </>
  );
}

/** As long as a person needs to look at a year. */
const YEAR_MS = 900;

/** A slider over the years, and a button that goes through them by itself until the last one. */
function YearChoice({ session }: ViewProps): VNode | null {
  const [isPlaying, setPlaying] = useState(false);
  const year = session.areaYear.value ?? '';
  const years = yearsOfTotals(session.areaYears.latest);
  const at = years.indexOf(year);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      const next = years[at + 1];
      if (next === undefined) setPlaying(false);
      else session.setMap({ year: next }, 'replace');
    }, YEAR_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, year]);
  if (years.length < 2) return null;
  const play = (): void => {
    setPlaying(!isPlaying);
    // From the end it begins anew.
    if (!isPlaying && (at === -1 || at === years.length - 1)) session.setMap({ year: years[0] ?? '' });
  };
  return (
    <div class="years">
      <button aria-pressed={isPlaying} onClick={play}>
        {isPlaying ? 'Stop' : 'Play'}
      </button>
      <label>
        <span>{year === '' ? 'All years' : year}</span>
        <input
          type="range"
          min={0}
          max={years.length - 1}
          value={at === -1 ? years.length - 1 : at}
          aria-label="Year"
          aria-valuetext={year === '' ? 'All years together' : year}
          onInput={(event) => session.setMap({ year: years[Number(event.currentTarget.value)] ?? '' })}
        />
      </label>
      <button aria-pressed={year === ''} onClick={() => session.setMap({ year: year === '' ? '' : ALL_YEARS })}>
        All years
      </button>
    </div>
  );
}

const FORMS: readonly { readonly form: ShapeForm; readonly label: string; readonly help: string }[] = [
  { form: 'box', label: 'Box', help: 'Press at one corner and drag to the other.' },
  { form: 'polygon', label: 'Polygon', help: 'Click each corner; double-click or press Enter to end.' },
  { form: 'circle', label: 'Circle', help: 'Press at the middle and drag to the edge.' },
];

function DrawTools({ session }: ViewProps): VNode {
  const { drawing, mapPicture } = session;
  const boundary = shownBoundary(session.state.value);
  const help = FORMS.find(({ form }) => form === drawing.value)?.help;
  return (
    <div class="draw" role="group" aria-label="Draw an area">
      <span>Draw</span>
      {FORMS.map(({ form, label }) => (
        <button
          key={form}
          // While the map is being opened, and where none can be drawn.
          disabled={mapPicture.value === undefined}
          aria-pressed={form === drawing.value}
          onClick={() => {
            drawing.value = form === drawing.value ? undefined : form;
          }}
        >
          {label}
        </button>
      ))}
      {boundary !== '' && (
        <button class="quiet" onClick={() => session.filter(kindOf(session.state.value.kind).boundary, [])}>
          Remove the area
        </button>
      )}
      <span class="draw-help" aria-live="polite">
        {help === undefined ? '' : `${help} Escape gives up. By coordinates: “Within an area” at the side.`}
      </span>
    </div>
  );
}
