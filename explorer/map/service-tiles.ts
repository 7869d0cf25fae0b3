// Serves tiles to the map library. The page requests them itself, like all other answers: with the key in a header, by
// POST if the filters are too long for an address, and never the same tile twice.

import type * as Maplibre from 'maplibre-gl';
import type { Session } from '../session/session';

/** For addresses with this protocol, the library calls the page. */
const PROTOCOL = 'service-tile';

/**
 * During a zoom, tile requests wait until it ends, but at most this long. Meanwhile the library cancels tiles of
 * intermediate zoom levels.
 */
const MAX_WAIT_MS = 2000;

export function toMapAddress(address: string): string {
  return `${PROTOCOL}://${address}`;
}

/**
 * Registers the protocol. The library reports a tile that is refused or does not arrive as an `AJAXError`. If nothing
 * matches the filters, all tiles are empty, and none is requested.
 */
export function serveTiles(
  { addProtocol, AJAXError }: Pick<typeof Maplibre, 'addProtocol' | 'AJAXError'>,
  { client, isEmpty, tilesOnTheWay }: Pick<Session, 'client' | 'isEmpty' | 'tilesOnTheWay'>,
  waitForZoom: (signal: AbortSignal) => Promise<void>,
): void {
  const fetchTile = async (url: string, signal: AbortSignal): Promise<{ readonly data: ArrayBuffer }> => {
    await waitForZoom(signal);
    if (isEmpty.peek()) return { data: new ArrayBuffer(0) };
    const address = url.slice(toMapAddress('').length);
    const toError = (status: number, reason: string): Error => new AJAXError(status, reason, address, new Blob([]));
    const response = await client
      .withSignal(signal)
      .sendTo(address)
      .catch((error: unknown) => {
        throw signal.aborted ? error : toError(0, String(error));
      });
    if (!response.ok) throw toError(response.status, response.statusText);
    return { data: await response.arrayBuffer() };
  };
  addProtocol(PROTOCOL, async ({ url }, { signal }) => {
    tilesOnTheWay.value++;
    try {
      return await fetchTile(url, signal);
    } finally {
      tilesOnTheWay.value--;
    }
  });
}

/** Resolves when the map does not zoom, or after a short time. Rejects when the signal aborts. */
export function waitForZoomEnd(map: Maplibre.Map, signal: AbortSignal): Promise<void> {
  if (!map.isZooming()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      map.off('zoomend', finish);
    };
    const finish = (): void => {
      stop();
      resolve();
    };
    const timer = setTimeout(finish, MAX_WAIT_MS);
    map.on('zoomend', finish);
    signal.addEventListener('abort', () => {
      stop();
      reject(new DOMException('The map no longer needs this tile.', 'AbortError'));
    });
  });
}
