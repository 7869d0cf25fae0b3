// A column of one row group of a Parquet file: its pages, and what the footer and the index of pages say of them. Codes
// are written, so that a value is converted, compared and measured once, however many rows have it (ADR 0083).

import type { ColumnChunk, Encoding, OffsetIndex } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { encodingOf, writeDictionary, writePage, type PageMemory } from './column-page';
import { pageSpans, slotsOf, type SlotMemory } from './column-slots';
import { boundsOf, pageIndexOf, statisticsOf, type PageIndex } from './column-statistics';
import type { ColumnCodes } from './column-values';
import type { LeafColumn } from './parquet-column';

/** Readers that know the index of pages skip within a group, for a year of a long series for instance. */
const PAGE_ROWS = 10_000;

/** A column of a row group. */
export interface GroupColumn {
  readonly values: ColumnCodes;
  /** The entry of each row. */
  readonly entryOf: Uint32Array;
}

/** What columns are made in, one after the other. */
export interface ChunkMemory {
  readonly slots: SlotMemory;
  readonly pages: PageMemory;
}

/** What the footer and the index of pages have of a written column. */
export interface WrittenChunk {
  readonly chunk: ColumnChunk & Required<Pick<ColumnChunk, 'meta_data'>>;
  readonly columnIndex?: PageIndex;
  readonly offsetIndex?: OffsetIndex;
}

export function writeColumnChunk(
  writer: ByteWriter,
  leaf: LeafColumn,
  { values, entryOf }: GroupColumn,
  memory: ChunkMemory,
): WrittenChunk {
  const { dictionary } = values;
  const slots = slotsOf(values, entryOf, memory.slots);
  const physical = dictionary.map(leaf.physicalOf);
  const encoding = encodingOf(leaf, slots, physical);
  const column = { leaf, slots, dictionary, physical, encoding, memory: memory.pages };
  const start = writer.offset;
  const hasDictionary = encoding === 'RLE_DICTIONARY';
  let uncompressed = hasDictionary ? writeDictionary(writer, column) : 0;
  const dataStart = writer.offset;
  const count = slots.codes.length;
  const isConstant = dictionary.length <= 1 && (slots.nulls === 0 || slots.nulls === count);
  const spans = pageSpans(slots, isConstant ? Infinity : PAGE_ROWS);
  const page_locations = spans.map((span) => {
    const offset = writer.offset;
    uncompressed += writePage(writer, column, span);
    const compressed_page_size = writer.offset - offset;
    return { offset: BigInt(offset), compressed_page_size, first_row_index: BigInt(span.firstRow) };
  });
  const bounds = spans.map((span) => boundsOf(dictionary, slots.codes.subarray(span.start, span.end)));
  const meta_data = {
    type: leaf.element.type ?? 'BYTE_ARRAY',
    encodings: [...(hasDictionary ? (['PLAIN'] as Encoding[]) : []), encoding],
    path_in_schema: [...leaf.path],
    codec: 'ZSTD' as const,
    num_values: BigInt(count),
    total_compressed_size: BigInt(writer.offset - start),
    total_uncompressed_size: BigInt(uncompressed),
    data_page_offset: BigInt(dataStart),
    ...(hasDictionary ? { dictionary_page_offset: BigInt(start) } : {}),
    statistics: statisticsOf(column, bounds),
  };
  const written = { chunk: { meta_data, file_offset: BigInt(start) } };
  if (spans.length === 1) return written;
  const columnIndex = pageIndexOf(column, bounds);
  return { ...written, ...(columnIndex && { columnIndex }), offsetIndex: { page_locations } };
}
