// Copies the picture of the map, for files and for print.

import type * as Maplibre from 'maplibre-gl';

/** Copies the picture of the map onto a background of the color `ground`. */
export function copyPicture(map: Maplibre.Map, ground: string): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  // The WebGL buffer is valid only in the current task.
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

/** Browsers do not print WebGL, so a copy replaces it in print. Returns a function that stops this. */
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
