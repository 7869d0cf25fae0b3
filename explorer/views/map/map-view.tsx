// The map with its tools and its legend: loads its program when it is first shown, and says what is missing where a
// browser cannot draw one (WebGL); the table and the chart work without.

import { useSignal } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { MapFiles } from '../../map/open-map';
import { kindOf } from '../../state/kinds';
import { TableView } from '../table/table-view';
import { MapLegend } from './map-legend';
import { mapPicture } from './map-picture';
import { MapTools } from './map-tools';
import { totalText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';

const WORDS = 'map-words';

export function MapView({ session, files }: ViewProps & { readonly files: MapFiles }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const failure = useSignal('');
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let isShown = true;
    const opened = import('../../map/open-map').then(({ openMap }) => openMap(element, session, files));
    opened.then(
      (map) => {
        if (isShown) session.mapPicture.value = () => mapPicture(session, map.picture());
      },
      (error: unknown) => {
        failure.value = hasWebGl()
          ? `The map could not be opened: ${String(error)}.`
          : 'This browser cannot draw maps: it has no WebGL.';
      },
    );
    return () => {
      isShown = false;
      session.mapPicture.value = undefined;
      void opened.then(
        (map) => map.close(),
        () => undefined,
      );
    };
  }, [session, files, failure]);
  const hasNoPlaces = session.hasNoPlaces.value && (session.total.value ?? 0) > 0;
  return (
    <div class="map-view">
      <MapTools session={session} />
      {hasNoPlaces && <RecordsWithoutPlaces session={session} />}
      {failure.value === '' ? (
        <MapFrame session={session} place={place} isHidden={hasNoPlaces} />
      ) : (
        <p class="notice">{failure.value} The table and the chart show the same data, and filters work as ever.</p>
      )}
    </div>
  );
}

function MapFrame(props: ViewProps & { readonly place: RefObject<HTMLDivElement>; readonly isHidden: boolean }): VNode {
  return (
    <div class="map-frame" hidden={props.isHidden}>
      <p class="unseen" id={WORDS}>
        {mapWords(props.session)}
      </p>
      <div class="map" ref={props.place} data-words={WORDS} />
      <MapLegend session={props.session} />
    </div>
  );
}

function RecordsWithoutPlaces({ session }: ViewProps): VNode {
  const { kind } = session.state.value;
  return (
    <>
      <p class="notice" role="status">
        {kind === 'aggregates'
          ? 'None of these areas has a shape that a map could show. This is the table of their amounts.'
          : `None of these ${kindOf(kind).many} has a position that a map could show. This is their table.`}
      </p>
      <TableView session={session} />
    </>
  );
}

/** What the picture says, for those who do not see it. */
function mapWords({ state, total, areaYear }: ViewProps['session']): string {
  const { kind } = state.value;
  const year = areaYear.value ?? '';
  const found = total.value === undefined ? '' : `${totalText(kind, total.value)}. `;
  const shown =
    kind === 'aggregates'
      ? `Areas are shaded by their sums${year === '' ? '' : ` of ${year}`}`
      : `Places are coloured by the values of the legend; a circle with a number stands for so many ${kindOf(kind).places.many}`;
  return `${found}${shown}. The table has the same records, and the chart the same sums, in words.`;
}

/** Asked when a map has failed, since it takes as long as a part of the map's own start. */
function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}
