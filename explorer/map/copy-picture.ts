// Copies the picture of the map, for files and for print.

import type * as Maplibre from 'maplibre-gl';

/** A copy of what the map shows; `ground` is the color under the picture. */
export function copyPicture(map: Maplibre.Map, ground: string): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  // The picture of WebGL is there until the task ends in which it was drawn.
  map.redraw();
  const canvas = map.getCanvas();
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  if (context !== null) {
    context.fillStyle = ground;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
  }
  return copy;
}

/** Browsers print nothing of WebGL, so a copy stands in its place while they print. Returns how to stop that. */
export function showWhenPrinted(map: Maplibre.Map, ground: string): () => void {
  let copy: HTMLCanvasElement | undefined;
  const draw = (): void => {
    copy = copyPicture(map, ground);
    copy.className = 'printed';
    map.getContainer().append(copy);
  };
  const stop = new AbortController();
  addEventListener('beforeprint', draw, stop);
  addEventListener('afterprint', () => copy?.remove(), stop);
  return () => stop.abort();
}
