// Computes which rows of a long table to render. Browsers limit the height of an element, so above a limit the scroll
// bar moves through the rows proportionally instead of pixel by pixel.

/** In pixels, before the element is measured. */
export const INITIAL_HEIGHT = 600;

/** In pixels, as in the style sheet. */
const ROW_HEIGHT = 30;

/** In pixels. Firefox supports up to 17 million. */
const MAX_HEIGHT = 8_000_000;

const EXTRA_ROWS = 12;

export interface TableWindow {
  readonly first: number;
  /** The index after the last rendered row. */
  readonly end: number;
  /** Empty space above and below the rendered rows, in pixels. */
  readonly above: number;
  readonly below: number;
}

export function computeWindow(scrollTop: number, viewHeight: number, total: number): TableWindow {
  const { height, ratio } = computeScrolling(viewHeight, total);
  // The head adds height, so the scroll position can exceed the rows.
  const position = Math.max(0, Math.min(scrollTop, height - viewHeight));
  const top = Math.floor((position * ratio) / ROW_HEIGHT);
  const first = Math.max(0, top - EXTRA_ROWS);
  const end = Math.min(total, top + Math.ceil(viewHeight / ROW_HEIGHT) + EXTRA_ROWS);
  const drawn = (end - first) * ROW_HEIGHT;
  const above = Math.max(0, Math.min(first * ROW_HEIGHT - position * (ratio - 1), height - drawn));
  return { first, end, above, below: height - above - drawn };
}

/** The scroll position that centers a row. */
export function computeScrollTop(row: number, viewHeight: number, total: number): number {
  return Math.max(0, (row * ROW_HEIGHT - viewHeight / 2) / computeScrolling(viewHeight, total).ratio);
}

/** The rendered height of all rows, and how many pixels of rows one pixel of scrolling covers. */
function computeScrolling(viewHeight: number, total: number): { readonly height: number; readonly ratio: number } {
  const rowsHeight = total * ROW_HEIGHT;
  const height = Math.min(rowsHeight, MAX_HEIGHT);
  return { height, ratio: rowsHeight === height ? 1 : (rowsHeight - viewHeight) / (height - viewHeight) };
}
