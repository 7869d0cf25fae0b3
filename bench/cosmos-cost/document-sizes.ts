// What documents of other sizes would cost: the records of a release packed anew, priced without a store.

import { documentBytes, type RecordChunk, RecordChunkBuilder } from '../../shared/store/cosmos/documents';
import { type ReleaseReader, selectChunks } from '../../shared/store/port';
import type { SizeCost } from './cost-tables';
import { operationOf, slicesOf } from './data-shapes';
import { neighbourPlaces, spreadRecords } from './measured-costs';
import { SERVICE_BYTES } from './modelled-container';
import type { ModelledDatabase } from './modelled-database';
import { overview, type PriceList, sizeTable } from './request-units';

const SIZES_KB = [3, 4, 8, 16, 32] as const;

/** Documents of records alone, by both price lists. */
export async function costsOfSizes(
  database: ModelledDatabase,
  name: string,
  records: number,
): Promise<readonly SizeCost[]> {
  const instance = database.instance();
  const reader = await instance.reader();
  const operation = operationOf(reader.facts.dataSet);
  const slices = await slicesOf(reader);
  const numbersOf = async (filter: string | undefined): Promise<Uint32Array | undefined> =>
    filter === undefined ? undefined : instance.numbers(operation, filter);
  const county = await numbersOf(slices.county);
  const year = await numbersOf(slices.year);
  const places = neighbourPlaces(records);
  const packs = await packRecords(
    reader,
    SIZES_KB.map((size) => size * 1024),
  );
  return packs.flatMap((pack, index) =>
    [overview, sizeTable].map((prices) => {
      const of = (some: Uint32Array): number => priceOf(pack, some, prices);
      return {
        name,
        kilobytes: SIZES_KB[index] ?? 0,
        prices: prices.name,
        neighbours: places.reduce((sum, place) => sum + of(place), 0) / places.length,
        scattered: of(spreadRecords(records)),
        county: county === undefined ? undefined : of(county),
        year: year === undefined ? undefined : of(year),
      };
    }),
  );
}

interface PackedRecords {
  readonly firsts: Uint32Array;
  /** Sizes of the documents, as the service holds them. */
  readonly bytes: readonly number[];
}

/** Names in a document beside its run, as long as real ones are. */
const NAMES = { id: '12345', partition: `ORGANIZATION/SiteVariableAmounts/${'0'.repeat(41)}/records/0` };

async function packRecords(reader: ReleaseReader, sizes: readonly number[]): Promise<readonly PackedRecords[]> {
  const packs = sizes.map((size) => {
    const firsts: number[] = [];
    const bytes: number[] = [];
    const add = (run: RecordChunk | undefined): void => {
      if (run === undefined) return;
      firsts.push(run.first);
      bytes.push(documentBytes({ ...NAMES, ...run }) + SERVICE_BYTES);
    };
    // Records with documents of their own are left out of the price.
    return { packer: new RecordChunkBuilder(() => [0, 0, 0], size), firsts, bytes, add };
  });
  for await (const part of reader.parts()) {
    if (part.kind === 'record') for (const { packer, add } of packs) add(packer.add(part.json, part.references));
  }
  return packs.map(({ packer, firsts, bytes, add }) => {
    add(packer.endChunk());
    return { firsts: Uint32Array.from(firsts), bytes };
  });
}

/** Request units of the documents that hold these records. */
function priceOf({ firsts, bytes }: PackedRecords, numbers: Uint32Array, { read }: PriceList): number {
  return selectChunks(firsts, numbers).reduce((sum, { ordinal }) => sum + read(bytes[ordinal] ?? 0), 0);
}
