// The tables of docs/cosmos-cost.md.

import type { Table } from '../report/table-text';
import type { CostRow } from './measured-costs';
import type { Cost } from './modeled-database';

export interface GrowthCost {
  readonly records: number;
  readonly loading: Cost;
  readonly walk: Cost;
  readonly deletion: Cost;
  /** The number of documents in the release, and their total bytes. */
  readonly documents: number;
  readonly bytes: number;
  readonly recordBytes: number;
}

/** The costs of 1,000 records. */
export interface ShapeCost extends Readonly<Record<ShapeColumn, Cost | undefined>> {
  readonly name: string;
  readonly records: number;
  readonly bytesPerRecord: number;
}

type ShapeColumn = (typeof SHAPE_COLUMNS)[number][0];

export interface SizeCost {
  readonly name: string;
  readonly kilobytes: number;
  readonly prices: string;
  readonly neighbors: number;
  readonly scattered: number | undefined;
  readonly county: number | undefined;
  readonly year: number | undefined;
}

const SHAPE_COLUMNS = [
  ['load', 'Load'],
  ['neighbors', 'Neighbors'],
  ['scattered', 'Spread'],
  ['first', 'First page'],
  ['last', 'At 99 %'],
  ['walk', 'Page of a walk'],
  ['county', 'County'],
  ['year', 'Year'],
  ['place', 'One place'],
] as const;

export function costTable(records: number, rows: readonly CostRow[]): Table {
  return {
    title: `Requests, on ${count(records)} generated site amounts`,
    columns: ['What', 'Requests', 'RU', 'RU by the size table', 'At most'],
    rows: rows.map(({ name, cost, maxUnits: required }) => [
      name,
      writeUnits(cost.requests),
      writeUnits(cost.overview),
      writeUnits(cost.sizeTable),
      required === undefined ? '' : String(required),
    ]),
    notes: [
      'A page has 1,000 records. An instance keeps the release, directories, lookups and results of filters in memory ' +
        'after its first request. Pages were measured on an instance that had read one record before.',
    ],
  };
}

export function growthTable(costs: readonly GrowthCost[]): Table {
  const row = (name: string, value: (cost: GrowthCost) => number): readonly string[] => [
    name,
    ...costs.map((cost) => writeUnits(value(cost))),
  ];
  /** Two rows: request units for 1,000 records by each price list. */
  const perThousand = (name: string, part: 'walk' | 'loading' | 'deletion'): (readonly string[])[] => [
    row(`${name}, RU for 1,000 records`, (cost) => (1000 * cost[part].overview) / cost.records),
    row('The same, by the size table', (cost) => (1000 * cost[part].sizeTable) / cost.records),
  ];
  return {
    title: 'Growth',
    columns: ['What', ...costs.map(({ records }) => count(records))],
    rows: [
      ...perThousand('All pages of 1,000 in order', 'walk'),
      ...perThousand('Load', 'loading'),
      row('Load, requests', ({ loading }) => loading.requests),
      row('Documents', ({ documents }) => documents),
      row('Stored bytes per record', ({ bytes, records }) => bytes / records),
      row('Of which in record documents', ({ recordBytes, records }) => recordBytes / records),
      row('Deletion of the release, requests', ({ deletion }) => deletion.requests),
      ...perThousand('Deletion of the release', 'deletion'),
    ],
    notes: [],
  };
}

export function shapeTable(shapes: readonly ShapeCost[]): Table {
  return {
    title: 'Shapes of data',
    columns: ['RU', 'Bytes per record', ...SHAPE_COLUMNS.map(([, title]) => title)],
    rows: shapes.map((shape) => [
      `${shape.name}${shape.name.includes('generated') ? '' : ` (${count(shape.records)})`}`,
      writeUnits(shape.bytesPerRecord),
      ...SHAPE_COLUMNS.map(([column]) => optionalUnits(shape[column]?.overview)),
    ]),
    notes: [
      '1,000 records each, or all if there are fewer. Neighbors and spread records count only record documents. Pages ' +
        'also include their lookups and the pointer, which the instance reads for the first time.',
    ],
  };
}

export function sizesTable(costs: readonly SizeCost[]): Table {
  return {
    title: 'Sizes of documents',
    columns: ['Data', 'KB', 'Prices', 'Neighbors', 'Spread', 'County', 'Year'],
    rows: costs.map(({ name, kilobytes, prices, neighbors: neighbors, scattered, county, year }) => [
      name,
      String(kilobytes),
      prices,
      ...[neighbors, scattered, county, year].map(optionalUnits),
    ]),
    notes: ['Record documents only, for 1,000 records.'],
  };
}

export function writeUnits(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value < 100 ? 2 : 3 });
}

function optionalUnits(value: number | undefined): string {
  return value === undefined ? '' : writeUnits(value);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
