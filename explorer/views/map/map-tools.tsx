// The controls of the map: colors, sizes, the year of areas, and drawing.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listUnitTypes } from '../../requests/unit-types';
import { DECADE_COLOR, getKind } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import {
  ALL_YEARS,
  findUnusedFilters,
  getBoundary,
  getPlaceColor,
  getPlaceSize,
  getPlaceSizes,
} from '../../state/map-kinds';
import { MAP_SCALES, type ShapeType } from '../../state/state';
import { Select, type ViewProps } from '../parts/controls';
import { formatBoundary, formatCount, getFilterLabel } from '../parts/texts';
import { WIDE_SCREEN } from './map-legend';

export function MapTools({ session }: ViewProps): VNode {
  const state = session.state.value;
  const unusedFilters = findUnusedFilters(state.kind, state.filters);
  return (
    <details class="map-tools" open={matchMedia(WIDE_SCREEN).matches}>
      <summary class="narrow-only">Map</summary>
      <div class="choices">
        {state.kind === 'aggregates' ? <AreaChoices session={session} /> : <PlaceChoices session={session} />}
        <DrawTools session={session} />
        {session.hasNoOutline.value && (
          <p class="soft">
            No outline is available for {formatBoundary(getBoundary(state), session.watershedNames.latest)}, so it is
            not drawn.
          </p>
        )}
        {unusedFilters.length > 0 && (
          <p class="soft">
            Not applied to the map: {unusedFilters.map((name) => getFilterLabel(state.kind, name)).join(', ')}. Table
            and chart apply {unusedFilters.length === 1 ? 'it' : 'them'}.
          </p>
        )}
      </div>
    </details>
  );
}

function PlaceChoices({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { colors } = getKind(state.kind).places;
  const sizes = getPlaceSizes(state.kind).map(({ name, label, unit }) => ({ name, label: `${label} (${unit})` }));
  return (
    <>
      <Select
        label="Color by"
        value={getPlaceColor(state)?.filter ?? ''}
        choices={colors.map(({ filter }) => ({
          name: filter,
          label: filter === DECADE_COLOR ? 'Priority date' : getLabel(filter),
        }))}
        onChoose={(color) => session.setMap({ color })}
      />
      {sizes.length > 0 && (
        <Select
          label="Size by"
          value={state.map.size}
          choices={[{ name: '' as const, label: 'number of points' }, ...sizes]}
          onChoose={(size) => session.setMap({ size })}
        />
      )}
      {getPlaceSize(state) !== undefined && (
        <span class="soft">
          Circle size shows {getPlaceSize(state)?.label.toLowerCase()}. Faint dots have no value, or stand for several
          rights: zoom in.
        </span>
      )}
    </>
  );
}

function AreaChoices({ session }: ViewProps): VNode {
  const { map } = session.state.value;
  const sums = session.areaValues.value;
  return (
    <>
      <UnitTypeChoice session={session} />
      {sums !== undefined && sums.choices.length > 0 && (
        <Select
          label="Measure"
          class="wide"
          value={sums.series}
          choices={sums.choices}
          // The map and the chart show the same series.
          onChoose={(name) => session.setChart({ series: name })}
        />
      )}
      <YearChoice session={session} />
      <Select label="Classes" value={map.scale} choices={MAP_SCALES} onChoose={(scale) => session.setMap({ scale })} />
    </>
  );
}

/** Renders nothing if all units have the same type, because there is nothing to choose. */
export function UnitTypeChoice({ session }: ViewProps): VNode | null {
  const totals = session.unitTotals.latest;
  const types = totals === undefined ? [] : listUnitTypes(totals);
  if (types.length < 2) return null;
  return (
    <Select
      label="Type of area"
      value={session.unitType.value ?? ''}
      choices={types.map(({ name, records }) => ({
        name,
        label: `${name === '' ? 'not stated' : name} (${formatCount(records)})`,
      }))}
      onChoose={(unitType) => session.set({ unitType })}
    />
  );
}

/** Long enough to look at the map of one year. */
const YEAR_INTERVAL_MS = 900;

/** A slider over the years, and a button that plays them until the last. */
function YearChoice({ session }: ViewProps): VNode | null {
  const [isPlaying, setPlaying] = useState(false);
  const year = session.areaYear.value ?? '';
  const years = session.areaYears.value;
  const yearIndex = years.indexOf(year);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      const next = years[yearIndex + 1];
      if (next === undefined) setPlaying(false);
      else session.setMap({ year: next }, 'replace');
    }, YEAR_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, year]);
  if (years.length < 2) return null;
  const play = (): void => {
    setPlaying(!isPlaying);
    // At the last year, playing starts over.
    if (!isPlaying && (yearIndex === -1 || yearIndex === years.length - 1)) session.setMap({ year: years[0] ?? '' });
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
          value={yearIndex === -1 ? years.length - 1 : yearIndex}
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

const SHAPES: readonly { readonly shape: ShapeType; readonly label: string; readonly help: string }[] = [
  { shape: 'box', label: 'Box', help: 'Drag from one corner to the other.' },
  { shape: 'polygon', label: 'Polygon', help: 'Click each corner; double-click or Enter to finish.' },
  { shape: 'circle', label: 'Circle', help: 'Drag from the center to the edge.' },
];

function DrawTools({ session }: ViewProps): VNode {
  const { drawing, drawMapPicture } = session;
  const boundary = getBoundary(session.state.value);
  const help = SHAPES.find(({ shape }) => shape === drawing.value)?.help;
  return (
    <div class="draw" role="group" aria-label="Draw an area">
      <span>Draw area</span>
      {SHAPES.map(({ shape, label }) => (
        <button
          key={shape}
          // Disabled until the map is open, and if it cannot be drawn.
          disabled={drawMapPicture.value === undefined}
          aria-pressed={shape === drawing.value}
          onClick={() => {
            drawing.value = shape === drawing.value ? undefined : shape;
          }}
        >
          {label}
        </button>
      ))}
      {boundary !== '' && (
        <button class="quiet" onClick={() => session.filter(getKind(session.state.value.kind).boundary, [])}>
          Clear area
        </button>
      )}
      <span class="draw-help" aria-live="polite">
        {help === undefined ? '' : `${help} Esc to cancel. To type coordinates, use “Within an area” in the filters.`}
      </span>
    </div>
  );
}
