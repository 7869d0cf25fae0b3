// The pages of a column as Parquet has them (https://parquet.apache.org/docs/file-format/data-pages/): a dictionary of
// its values, and runs of the levels and the codes of its slots. Headers and runs are written by hyparquet-writer.

import { constants, zstdCompressSync } from 'node:zlib';
import type { Encoding } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import type { ColumnSlots, PageSpan } from './column-slots';
import type { LeafColumn, PhysicalValue } from './parquet-column';

/** A dictionary must save a quarter of the bytes, since readers have to look values up. */
const WORTHWHILE = 0.75;

/** So few bytes do not get fewer. */
const LEAST_COMPRESSED = 64;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** What pages are made in, one after the other. */
export class PageMemory {
  private readonly writers = new Map<'levels' | 'values' | 'runs', ByteWriter>();
  private words = new Uint32Array();

  /** Empty; what is written there is good until it is asked for again. */
  writer(name: 'levels' | 'values' | 'runs'): ByteWriter {
    const writer = this.writers.get(name) ?? new ByteWriter();
    this.writers.set(name, writer);
    writer.offset = 0;
    writer.index = 0;
    return writer;
  }

  indexes(count: number): Uint32Array {
    if (this.words.length < count) this.words = new Uint32Array(count);
    return this.words.subarray(0, count);
  }
}

/** A column of a group, as its pages are written. */
export interface PagedColumn {
  readonly leaf: LeafColumn;
  readonly slots: ColumnSlots;
  /** The distinct values, by code minus one. */
  readonly physical: readonly PhysicalValue[];
  readonly encoding: Encoding;
  readonly memory: PageMemory;
}

export function encodingOf(
  { element }: LeafColumn,
  { codes, nulls }: ColumnSlots,
  physical: readonly PhysicalValue[],
): Encoding {
  if (element.type === 'BOOLEAN') return 'RLE';
  if (element.type === 'BYTE_ARRAY' && element.logical_type === undefined) return 'PLAIN';
  const present = codes.length - nulls;
  if (physical.length === present) return 'PLAIN';
  const sizes = Uint32Array.from(physical, sizeOf);
  let plain = 0;
  for (const code of codes) if (code !== 0) plain += sizes[code - 1] ?? 0;
  const indexes = (present * bitWidth(physical.length)) / 8;
  const coded = sizes.reduce((sum, size) => sum + size, indexes);
  return coded <= plain * WORTHWHILE ? 'RLE_DICTIONARY' : 'PLAIN';
}

/** In plain form, where a text's length stands before it. */
function sizeOf(value: PhysicalValue): number {
  if (typeof value === 'string') return 4 + Buffer.byteLength(value);
  return value instanceof Uint8Array ? 4 + value.length : 8;
}

/** For indexes of so many values. */
function bitWidth(values: number): number {
  return values <= 1 ? 0 : 32 - Math.clz32(values - 1);
}

/** Returns the bytes before they were compressed, as `writePage` does. */
export function writeDictionary(writer: ByteWriter, { leaf, physical, memory }: PagedColumn): number {
  const page = memory.writer('values');
  writePlainValues(page, leaf, physical);
  const content = zstdCompressSync(page.getBytes(), ZSTD);
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: page.offset,
    compressed_page_size: content.length,
    dictionary_page_header: { num_values: physical.length, encoding: 'PLAIN' },
  });
  const headerBytes = writer.offset - start;
  writer.appendBytes(content);
  return headerBytes + page.offset;
}

export function writePage(writer: ByteWriter, column: PagedColumn, { start, end, rows }: PageSpan): number {
  const { slots, encoding, memory } = column;
  const codes = slots.codes.subarray(start, end);
  const levels = memory.writer('levels');
  const repetitions = slots.repetitions?.subarray(start, end);
  const repetitionBytes = repetitions === undefined ? 0 : writeRleBitPackedHybrid(levels, repetitions, 1);
  const definitions = slots.definitions.subarray(start, end);
  const definitionBytes = writeRleBitPackedHybrid(levels, definitions, bitWidth(slots.mostDefined + 1));
  const indexes = indexesOf(codes, memory);
  const page = memory.writer('values');
  writeValues(page, column, indexes);
  const plain = page.getBytes();
  const compressed = plain.length < LEAST_COMPRESSED ? plain : zstdCompressSync(plain, ZSTD);
  const isCompressed = compressed.length < plain.length;
  const content = isCompressed ? compressed : plain;
  const offset = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.offset + plain.length,
    compressed_page_size: levels.offset + content.length,
    data_page_header_v2: {
      num_values: codes.length,
      num_nulls: codes.length - indexes.length,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: definitionBytes,
      repetition_levels_byte_length: repetitionBytes,
      is_compressed: isCompressed,
    },
  });
  const headerBytes = writer.offset - offset;
  writer.appendBytes(levels.getBytes());
  writer.appendBytes(content);
  return headerBytes + levels.offset + plain.length;
}

/** Those of the values that are there, in the dictionary. */
function indexesOf(codes: Uint32Array, memory: PageMemory): Uint32Array {
  const indexes = memory.indexes(codes.length);
  let count = 0;
  for (const code of codes) if (code !== 0) indexes[count++] = code - 1;
  return indexes.subarray(0, count);
}

function writeValues(page: ByteWriter, column: PagedColumn, indexes: Uint32Array): void {
  const { leaf, physical, encoding, memory } = column;
  if (encoding === 'RLE_DICTIONARY') {
    const width = bitWidth(physical.length);
    page.appendUint8(width);
    writeRleBitPackedHybrid(page, indexes, width);
  } else if (encoding === 'RLE') {
    const runs = memory.writer('runs');
    writeRleBitPackedHybrid(
      runs,
      indexes.map((index) => Number(physical[index])),
      1,
    );
    page.appendUint32(runs.offset);
    page.appendBytes(runs.getBytes());
  } else {
    writePlainValues(
      page,
      leaf,
      Array.from(indexes, (index) => physical[index] ?? ''),
    );
  }
}

function writePlainValues(page: ByteWriter, { element }: LeafColumn, values: readonly PhysicalValue[]): void {
  if (element.logical_type?.type === 'STRING') writeTexts(page, values);
  else writePlain(page, [...values], element.type ?? 'BYTE_ARRAY', undefined);
}

/** As writePlain does, which makes an object for each text: a file has millions. */
function writeTexts(page: ByteWriter, texts: readonly PhysicalValue[]): void {
  const bytes = texts.reduce((sum: number, text) => sum + sizeOf(text), 0);
  page.ensure(bytes);
  const target = Buffer.from(page.buffer);
  for (const text of texts) {
    const length = target.write(String(text), page.index + 4);
    page.appendUint32(length);
    page.offset += length;
    page.index += length;
  }
}
