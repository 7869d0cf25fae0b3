// The positions of the generated sites and reporting units: two states, with more sites in the west than in the east. A
// position is derived from two numbers between 0 and 1, so that the share of all sites within a boundary is known in
// advance.

import { type DegreeBox, formatPolygon, type Position } from './polygons';

export interface BenchmarkPlace {
  readonly longitude: number;
  readonly latitude: number;
  readonly county: string;
  readonly huc8: string;
  readonly huc12: string;
  readonly state: string;
}

const AREA: DegreeBox = { west: -114, south: 37, east: -102, north: 41 };

/** The border of the two states, which is also a border between columns of counties. */
const STATE_BORDER = -109;
export const benchmarkStates = ['UT', 'CO'] as const;

/** Above 1, so that counties in the west have several times as many sites as counties in the east, like real ones. */
const WESTWARD_SKEW = 1.4;

const COUNTY_COLUMNS = 12;
const COUNTY_ROWS = 10;
const WATERSHED_COLUMNS = 10;
const WATERSHED_ROWS = 6;

/** Numbers starting at 9001, which no real watershed in region 1402 has. */
const FIRST_WATERSHED = 14029001;

const countyFirstWords = 'Amber Birch Copper Dusk Elder Flint Garnet Heron Iron Juniper Lantern Marten'.split(' ');
const countySecondWords = 'Bend Crest Draw Flat Gate Hollow Mesa Rim Stair Wells'.split(' ');

/** Ordered by column from west to east, and within a column from south to north. */
export const benchmarkCounties = countyFirstWords.flatMap((first) =>
  countySecondWords.map((second) => `${first} ${second}`),
);

export const benchmarkWatersheds = Array.from({ length: WATERSHED_COLUMNS * WATERSHED_ROWS }, (_, index) =>
  String(FIRST_WATERSHED + index),
);

/** Shares above 1 or below 0 wrap around. */
export function findPlace(eastShare: number, northShare: number): BenchmarkPlace {
  const [longitude, latitude] = toPosition(eastShare - Math.floor(eastShare), northShare - Math.floor(northShare));
  const [countyColumn, countyRow] = findCell(longitude, latitude, COUNTY_COLUMNS, COUNTY_ROWS);
  const [column, row] = findCell(longitude, latitude, WATERSHED_COLUMNS, WATERSHED_ROWS);
  const [fineColumn, fineRow] = findCell(longitude, latitude, WATERSHED_COLUMNS * 4, WATERSHED_ROWS * 5);
  const huc8 = benchmarkWatersheds[column * WATERSHED_ROWS + row] ?? '';
  return {
    longitude,
    latitude,
    county: benchmarkCounties[countyColumn * COUNTY_ROWS + countyRow] ?? '',
    huc8,
    huc12: `${huc8}0${(fineColumn % 4) + 1}0${(fineRow % 5) + 1}`,
    state: longitude < STATE_BORDER ? benchmarkStates[0] : benchmarkStates[1],
  };
}

export function getCountyBox(index: number): DegreeBox {
  return getCellBox(index, COUNTY_COLUMNS, COUNTY_ROWS);
}

export function getWatershedBox(index: number): DegreeBox {
  return getCellBox(index, WATERSHED_COLUMNS, WATERSHED_ROWS);
}

export function findStateOfBox(box: DegreeBox): string {
  return (box.west + box.east) / 2 < STATE_BORDER ? benchmarkStates[0] : benchmarkStates[1];
}

/** A round boundary (WKT) that contains about this share (0 to 0.7) of all sites. */
export function buildBoundary(share: number, corners: number): string {
  const radius = Math.sqrt(share / Math.PI);
  const ring = Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    return toPosition(0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle));
  });
  return formatPolygon(ring);
}

function toPosition(eastShare: number, northShare: number): Position {
  return [
    AREA.west + (AREA.east - AREA.west) * eastShare ** WESTWARD_SKEW,
    AREA.south + (AREA.north - AREA.south) * northShare,
  ];
}

function findCell(longitude: number, latitude: number, columns: number, rows: number): readonly [number, number] {
  return [
    Math.floor(((longitude - AREA.west) / (AREA.east - AREA.west)) * columns),
    Math.floor(((latitude - AREA.south) / (AREA.north - AREA.south)) * rows),
  ];
}

function getCellBox(index: number, columns: number, rows: number): DegreeBox {
  const column = Math.floor(index / rows);
  const row = index % rows;
  const width = (AREA.east - AREA.west) / columns;
  const height = (AREA.north - AREA.south) / rows;
  const west = AREA.west + column * width;
  const south = AREA.south + row * height;
  return { west, south, east: west + width, north: south + height };
}
