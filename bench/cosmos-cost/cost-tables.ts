// The tables of docs/cosmos-cost.md.

import type { Table } from '../report/table-text';
import type { CostRow } from './measured-costs';
import type { Cost } from './modelled-database';

export interface GrowthCost {
  readonly records: number;
  readonly loading: Cost;
  readonly walk: Cost;
  readonly deletion: Cost;
  /** Of the release. */
  readonly documents: number;
  readonly bytes: number;
  readonly recordBytes: number;
}

export interface ShapeCost {
  readonly name: string;
  readonly records: number;
  readonly bytesPerRecord: number;
  readonly first: Cost | undefined;
  readonly last: Cost | undefined;
  readonly neighbours: Cost;
  readonly scattered: Cost;
  readonly county: Cost | undefined;
  readonly year: Cost | undefined;
  readonly place: Cost | undefined;
  /** Of 1,000 records. */
  readonly load: Cost;
  readonly walk: Cost;
}

export interface SizeCost {
  readonly name: string;
  readonly kilobytes: number;
  readonly prices: string;
  readonly neighbours: number;
  readonly scattered: number | undefined;
  readonly county: number | undefined;
  readonly year: number | undefined;
}

export function costTable(records: number, rows: readonly CostRow[]): Table {
  return {
    title: `Requests, on ${count(records)} generated site amounts`,
    columns: ['What', 'Requests', 'RU', 'RU by the size table', 'At most'],
    rows: rows.map(({ name, cost, required }) => [
      ...[name, units(cost.requests), units(cost.overview), units(cost.sizeTable)],
      required === undefined ? '' : String(required),
    ]),
    notes: [
      'A page has 1,000 records. An instance that has asked before keeps release, directories, lookups and what filters found; pages are of one that has asked for one record only.',
    ],
  };
}

export function growthTable(costs: readonly GrowthCost[]): Table {
  const row = (name: string, value: (cost: GrowthCost) => number): readonly string[] => [
    name,
    ...costs.map((cost) => units(value(cost))),
  ];
  return {
    title: 'Growth',
    columns: ['What', ...costs.map(({ records }) => count(records))],
    rows: [
      row('Walk in pages of 1,000, RU for 1,000 records', ({ walk, records }) => (1000 * walk.overview) / records),
      row('The same by the size table', ({ walk, records }) => (1000 * walk.sizeTable) / records),
      row('Load, RU for 1,000 records', ({ loading, records }) => (1000 * loading.overview) / records),
      row('The same by the size table', ({ loading, records }) => (1000 * loading.sizeTable) / records),
      row('Load, requests', ({ loading }) => loading.requests),
      row('Documents', ({ documents }) => documents),
      row('Stored, bytes a record', ({ bytes, records }) => bytes / records),
      row('Of these in documents of records', ({ recordBytes, records }) => recordBytes / records),
      row('Deletion of the release, requests', ({ deletion }) => deletion.requests),
      row(
        'Deletion of the release, RU for 1,000 records',
        ({ deletion, records }) => (1000 * deletion.overview) / records,
      ),
      row('The same by the size table', ({ deletion, records }) => (1000 * deletion.sizeTable) / records),
    ],
    notes: [],
  };
}

export function shapeTable(shapes: readonly ShapeCost[]): Table {
  return {
    title: 'Shapes of data',
    columns: [
      'RU',
      'Bytes a record',
      'Load',
      'Neighbours',
      'Spread',
      'First page',
      'At 99 %',
      'Page of a walk',
      'County',
      'Year',
      'One place',
    ],
    rows: shapes.map((shape) => [
      ...[
        `${shape.name}${shape.name.includes('generated') ? '' : ` (${count(shape.records)})`}`,
        units(shape.bytesPerRecord),
      ],
      ...[
        shape.load,
        shape.neighbours,
        shape.scattered,
        shape.first,
        shape.last,
        shape.walk,
        shape.county,
        shape.year,
        shape.place,
      ].map((cost) => (cost === undefined ? '' : units(cost.overview))),
    ]),
    notes: [
      '1,000 records each, or all where there are fewer. Neighbours and spread records are documents of records alone; pages have their lookups and the pointer, read for the first time by that instance.',
    ],
  };
}

export function sizesTable(costs: readonly SizeCost[]): Table {
  return {
    title: 'Sizes of documents',
    columns: ['Data', 'KB', 'Prices', 'Neighbours', 'Spread', 'County', 'Year'],
    rows: costs.map(({ name, kilobytes, prices, ...cost }) => [
      ...[name, String(kilobytes), prices],
      ...[cost.neighbours, cost.scattered, cost.county, cost.year].map((value) =>
        value === undefined ? '' : units(value),
      ),
    ]),
    notes: ['Documents of records alone, for 1,000 records.'],
  };
}

function units(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: value < 100 ? 2 : 3 });
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
