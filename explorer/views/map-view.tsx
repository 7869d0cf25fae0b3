// The place of the map: loads its program when it is first shown, and says what is missing where a browser cannot draw
// one (WebGL); the table and the chart work without.

import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ViewProps } from './view-props';

/** The addresses of the library's files, which are not part of our program. */
export interface MapFiles {
  readonly program: string;
  readonly worker: string;
  readonly style: string;
}

export function MapView({ session, files }: ViewProps & { readonly files: MapFiles }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const failure = useSignal('');
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    if (!hasWebGl()) {
      failure.value = 'This browser cannot draw maps: it has no WebGL.';
      return undefined;
    }
    const opened = import('../map/open-map').then(({ openMap }) => openMap(element, session, files));
    opened.catch((error: unknown) => {
      failure.value = `The map could not be opened: ${String(error)}.`;
    });
    return () => {
      void opened.then((close) => {
        close();
      });
    };
  }, [session, files, failure]);
  return (
    <div class="map-view">
      {failure.value === '' ? (
        <div class="map" ref={place} role="region" aria-label="Map" />
      ) : (
        <p class="notice">{failure.value} The table and the chart show the same data, and filters work as ever.</p>
      )}
    </div>
  );
}

function hasWebGl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}
