// Which rows of a long table are drawn: those that are seen, and a few around. A table of a million rows would be
// higher than browsers can draw, so above a height the scroll bar stands for the rows by share and not by pixel.

/** In pixels, as the style sheet has it. */
export const ROW_HEIGHT = 30;

/** Firefox draws up to 17 million pixels. */
const MOST_HEIGHT = 8_000_000;

const ROWS_AROUND = 12;

export interface TableWindow {
  readonly first: number;
  /** Behind the last row that is drawn. */
  readonly end: number;
  /** Empty heights above and below the rows that are drawn. */
  readonly above: number;
  readonly below: number;
}

export function windowOf(scrollTop: number, viewHeight: number, total: number): TableWindow {
  const height = Math.min(total * ROW_HEIGHT, MOST_HEIGHT);
  const seen = Math.ceil(viewHeight / ROW_HEIGHT);
  const range = Math.max(1, height - viewHeight);
  const share = Math.min(1, Math.max(0, scrollTop / range));
  const top = height < MOST_HEIGHT ? Math.floor(scrollTop / ROW_HEIGHT) : Math.round(share * Math.max(0, total - seen));
  const first = Math.max(0, Math.min(top, total) - ROWS_AROUND);
  const end = Math.min(total, top + seen + ROWS_AROUND);
  const drawn = (end - first) * ROW_HEIGHT;
  const above =
    height < MOST_HEIGHT
      ? first * ROW_HEIGHT
      : Math.max(0, Math.min(scrollTop - (top - first) * ROW_HEIGHT, height - drawn));
  return { first, end, above, below: Math.max(0, height - above - drawn) };
}

/** Where to scroll so that a row is seen. */
export function scrollTopOf(row: number, viewHeight: number, total: number): number {
  const height = total * ROW_HEIGHT;
  if (height <= MOST_HEIGHT) return Math.max(0, row * ROW_HEIGHT - viewHeight / 2);
  const seen = Math.ceil(viewHeight / ROW_HEIGHT);
  return (row / Math.max(1, total - seen)) * (MOST_HEIGHT - viewHeight);
}
