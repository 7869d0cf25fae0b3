// Opens the map in an element of the page: loads the library, draws the base of states and counties and the data, and
// keeps both as the state says. Its room knows states, requests and the session, and no other view.

import type * as Maplibre from 'maplibre-gl';
import type { Session } from '../session/session';

/** Returns how to close the map again. */
export async function openMap(
  element: HTMLElement,
  session: Session,
  files: { readonly program: string; readonly worker: string; readonly style: string },
): Promise<() => void> {
  await addStyle(files.style);
  // The library's own module, under the address that the page names; esbuild would need a quarter of a minute for it.
  const maplibre = (await import(files.program)) as typeof Maplibre;
  maplibre.setWorkerUrl(files.worker);
  const map = new maplibre.Map({
    container: element,
    style: { version: 8, sources: {}, layers: [] },
    center: [-98, 39],
    zoom: 3.4,
    attributionControl: false,
    transformRequest: (url) => ({ url, headers: { ...session.client.headers() } }),
  });
  return () => {
    map.remove();
  };
}

function addStyle(address: string): Promise<void> {
  if (document.querySelector(`link[href="${address}"]`) !== null) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.onload = () => {
      resolve();
    };
    link.onerror = () => {
      reject(new Error('its style sheet did not load'));
    };
    document.head.append(link);
  });
}
