// Request units (RU) that Azure Cosmos DB charges according to its documentation. This is a model: none of it was
// measured on an account.

/** `bytes` is the size of a document as stored by the service. */
export interface PriceList {
  readonly name: string;
  readonly read: (bytes: number) => number;
  /** A create, replace, upsert or deletion. */
  readonly write: (bytes: number) => number;
}

const KILOBYTE = 1024;

/**
 * "Optimize request cost": a point read of 1 KB is 1 RU, one of 100 KB is 10 RU, and other sizes are proportional.
 * Writes cost 5 RU per KB: the overview's 5 RU for 1 KB, without its discount for large ones (50 RU for 100 KB).
 */
export const overview: PriceList = {
  name: 'overview',
  read: (bytes) => 1 + (9 * (kilobytes(bytes) - 1)) / 99,
  write: (bytes) => 5 * kilobytes(bytes),
};

/** "Understand request unit consumption": KB, read, write. */
const SIZES = [
  [1, 1, 4.95],
  [2, 1.04, 6.29],
  [4, 1.14, 6.67],
  [8, 1.33, 7.04],
  [16, 1.67, 9.52],
  [32, 2.19, 11.23],
  [64, 4.76, 22.67],
  [128, 9.95, 48.19],
  [256, 20.28, 98.29],
  [512, 40.95, 184.57],
  [1024, 145.9, 625],
  [2048, 291.8, 1250],
] as const;

export const sizeTable: PriceList = {
  name: 'size table',
  read: (bytes) => interpolate(kilobytes(bytes), 1),
  write: (bytes) => interpolate(kilobytes(bytes), 2),
};

/**
 * The charge for a query itself, without the documents that it loads, derived from the short queries in the
 * documentation.
 */
export const QUERY_UNITS = 2.8;

/** A read of a missing document. */
export const MISS_UNITS = 1;

/** Every document costs at least as much as one of 1 KB. */
function kilobytes(bytes: number): number {
  return Math.max(1, bytes / KILOBYTE);
}

function interpolate(size: number, column: 1 | 2): number {
  const above = Math.max(
    1,
    SIZES.findIndex(([limit]) => size <= limit),
  );
  const low = SIZES[above - 1] ?? SIZES[0];
  const high = SIZES[above] ?? SIZES[0];
  return low[column] + ((high[column] - low[column]) * (size - low[0])) / (high[0] - low[0]);
}
