// The map as a picture, for a file and for paper: browsers print nothing of WebGL, so a copy of what it shows stands in
// its place while they print.

import type * as Maplibre from 'maplibre-gl';

/** A copy of what the map shows; `ground` is the colour under the picture. */
export function pictureOf(map: Maplibre.Map, ground: string): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  // The picture of WebGL is there until the task ends in which it was drawn.
  map.redraw();
  const canvas = map.getCanvas();
  copy.width = canvas.width;
  copy.height = canvas.height;
  const paper = copy.getContext('2d');
  if (paper !== null) {
    paper.fillStyle = ground;
    paper.fillRect(0, 0, copy.width, copy.height);
    paper.drawImage(canvas, 0, 0);
  }
  return copy;
}

/** Returns how to stop that. */
export function showWhenPrinted(map: Maplibre.Map, element: HTMLElement, ground: string): () => void {
  let copy: HTMLCanvasElement | undefined;
  const draw = (): void => {
    copy = pictureOf(map, ground);
    copy.className = 'printed';
    element.append(copy);
  };
  const remove = (): void => copy?.remove();
  addEventListener('beforeprint', draw);
  addEventListener('afterprint', remove);
  return () => {
    removeEventListener('beforeprint', draw);
    removeEventListener('afterprint', remove);
    remove();
  };
}
