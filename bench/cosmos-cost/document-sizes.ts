// Compares document sizes: packs the records of a release into documents of other sizes, and prices them without a
// store.

import { DataDocumentBuilder } from '../../shared/store/cosmos/data-documents';
import { countJsonBytes, SERVICE_BYTES } from '../../shared/store/cosmos/document-names';
import { MemberOrders } from '../../shared/store/cosmos/member-orders';
import type { ReleaseReader } from '../../shared/store/port';
import { selectChunks } from '../../shared/store/select-chunks';
import { overview, type PriceList, sizeTable } from '../../tools/azure-check/request-units';
import type { SizeCost } from './cost-tables';
import { findOperation, findSlices } from './data-shapes';
import { listNeighborRanges, listSpreadRecords } from './measured-costs';
import type { ModeledDatabase } from './modeled-database';

const SIZES_KB = [4, 8, 16, 32, 64] as const;

/** Prices only documents of records, by both price lists. */
export async function priceSizes(
  database: ModeledDatabase,
  name: string,
  records: number,
): Promise<readonly SizeCost[]> {
  const instance = database.instance();
  const reader = await instance.reader();
  const operation = findOperation(reader.facts.dataSet);
  const slices = await findSlices(reader);
  const findNumbers = async (filter: string | undefined): Promise<Uint32Array | undefined> =>
    filter === undefined ? undefined : instance.numbers(operation, filter);
  const county = await findNumbers(slices.county);
  const year = await findNumbers(slices.year);
  const ranges = listNeighborRanges(records);
  const packs = await packRecords(
    reader,
    SIZES_KB.map((size) => size * 1024),
  );
  return packs.flatMap((pack, index) =>
    [overview, sizeTable].map((prices) => {
      const price = (numbers: Uint32Array): number => priceRecords(pack, numbers, prices);
      return {
        name,
        kilobytes: SIZES_KB[index] ?? 0,
        prices: prices.name,
        neighbors: ranges.reduce((sum, range) => sum + price(range), 0) / ranges.length,
        scattered: price(listSpreadRecords(records)),
        county: county === undefined ? undefined : price(county),
        year: year === undefined ? undefined : price(year),
      };
    }),
  );
}

interface PackedRecords {
  readonly firsts: Uint32Array;
  /** The sizes of the documents, as the service stores them. */
  readonly bytes: readonly number[];
}

/** All members except the content, with values of realistic length. */
const FRAME = {
  id: '12345',
  partition: `ORGANIZATION/SiteVariableAmounts/${'0'.repeat(41)}/records/0`,
  organization: 'ORGANIZATION',
  dataSet: 'SiteVariableAmounts',
  release: '0'.repeat(32),
  kind: 'records',
};

async function packRecords(reader: ReleaseReader, sizes: readonly number[]): Promise<readonly PackedRecords[]> {
  const frameBytes = countJsonBytes(FRAME) + SERVICE_BYTES;
  const packs = sizes.map((size) => {
    const firsts: number[] = [];
    const bytes: number[] = [];
    const builder = new DataDocumentBuilder(
      new MemberOrders(),
      // Records that would be split into fragments are not priced.
      () => [0, 0, 0],
      (content) => {
        firsts.push(content.first);
        bytes.push(countJsonBytes(content) + frameBytes);
      },
      size - frameBytes,
    );
    return { builder, firsts, bytes };
  });
  for await (const part of reader.parts()) {
    if (part.kind === 'record') for (const { builder } of packs) builder.add(part.json, part.references);
  }
  return packs.map(({ builder, firsts, bytes }) => {
    builder.endDocument();
    return { firsts: Uint32Array.from(firsts), bytes };
  });
}

/** The request units for reading the documents that contain these records. */
function priceRecords({ firsts, bytes }: PackedRecords, numbers: Uint32Array, { read }: PriceList): number {
  return selectChunks(firsts, numbers).reduce((sum, { ordinal }) => sum + read(bytes[ordinal] ?? 0), 0);
}
