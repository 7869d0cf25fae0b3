// The map view. It opens the map, which loads its library, and explains when a browser cannot draw maps (WebGL).

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatAttribution } from '../../map/attribution';
import type { MapFiles } from '../../map/base-map';
import { openMap } from '../../map/open-map';
import { getKind } from '../../state/kinds';
import type { ViewProps } from '../parts/controls';
import { formatTotal } from '../parts/texts';
import { TableView } from '../table/table-view';
import { MapLegend } from './map-legend';
import { renderMapPicture } from './map-picture';
import { MapTools } from './map-tools';

const DESCRIPTION_ID = 'map-words';

export function MapView({ session, files }: ViewProps & { readonly files: MapFiles }): VNode {
  const container = useRef<HTMLDivElement>(null);
  const attribution = formatAttribution(files);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    let isShown = true;
    const opening = openMap(element, session, files);
    opening.then(
      (map) => {
        if (isShown) session.drawMapPicture.value = () => renderMapPicture(session, map.picture(), attribution);
      },
      (error: unknown) => setFailure(explainMapFailure(error)),
    );
    return () => {
      isShown = false;
      session.drawMapPicture.value = undefined;
      void opening.then(
        (map) => map.close(),
        () => undefined,
      );
    };
  }, [session, files]);
  const hasNoPlaces = session.hasNoPlaces.value && (session.total.value ?? 0) > 0;
  return (
    <div class="map-view">
      <MapTools session={session} />
      {hasNoPlaces && <RecordsWithoutPlaces session={session} />}
      {failure === '' ? (
        <div class="map-frame" hidden={hasNoPlaces}>
          <p class="unseen" id={DESCRIPTION_ID}>
            {describeMap(session)}
          </p>
          <div class="map" ref={container} data-words={DESCRIPTION_ID} />
          <MapLegend session={session} />
          <p class="printed soft">{attribution}</p>
        </div>
      ) : (
        <p class="notice">{failure} Table and Chart show the same data.</p>
      )}
    </div>
  );
}

/** Checked only after a failure, because the check takes time. */
function explainMapFailure(error: unknown): string {
  const hasWebGl = document.createElement('canvas').getContext('webgl2') !== null;
  if (!hasWebGl) return 'This browser can’t draw maps because it has no WebGL.';
  return `The map could not be opened: ${String(error)}.`;
}

function RecordsWithoutPlaces({ session }: ViewProps): VNode {
  const { kind } = session.state.value;
  return (
    <>
      <p class="notice" role="status">
        {kind === 'aggregates'
          ? 'None of these areas can be mapped (no shapes supplied). Here is the table.'
          : `None of these ${getKind(kind).plural} can be mapped (no position). Here is the table.`}
      </p>
      <TableView session={session} />
    </>
  );
}

/** Describes the map for screen readers. */
function describeMap({ state, total, areaYear }: ViewProps['session']): string {
  const { kind } = state.value;
  const year = areaYear.value ?? '';
  const totalText = total.value === undefined ? '' : `${formatTotal(kind, total.value)}. `;
  const shown =
    kind === 'aggregates'
      ? `Areas are shaded by their totals${year === '' ? '' : ` for ${year}`}`
      : `Points are colored as in the legend; a circle with a number stands for that many ${getKind(kind).places.plural}`;
  return `${totalText}${shown}. The table shows the same records, and the chart shows the same totals.`;
}
