// How the columns of a release are written (design: ADR 0059). A column has a value for each record, in chunks. Numbers
// are doubles, NaN where a record has none. Ordinals stand for lookups, sets of uses and texts, in the least bytes that
// the chunk's highest one needs. What the ordinals mean stands in the directory.

import type { FilterField } from '../../query/filter-fields';
import type { ColumnName } from '../../store/artifacts';
import {
  toNarrowNumbers,
  type NarrowNumbers,
  toSection,
  sectionBuffers,
  Sections,
  writeSections,
} from '../../values/bytes/sections';

/** The members of a variable that tell amounts apart which must not be added up (D40), in the answer's order. */
export const VARIABLE_MEMBERS = [
  'VariableSpecificTypeCV',
  'VariableCV',
  'AmountUnitCV',
  'AggregationStatisticCV',
  'AggregationInterval',
  'AggregationIntervalUnitCV',
] as const;

export type VariableTexts = readonly (string | null)[];

/**
 * The values of filter fields by code, each as its number in the release's vocabulary plus one, and 0 for none. The
 * codes of lookups are their numbers within their kind; those of row terms are ordinals.
 */
export type FieldValues = Readonly<Partial<Record<FilterField, readonly number[]>>>;

/** The lowest and the highest value of a chunk; null where no record has a number. */
export type ChunkBounds = readonly [lowest: number, highest: number] | null;

/** The `columns` artifact, as JSON. */
export interface ColumnDirectory {
  /** By chunk, of each column. */
  readonly bounds: Readonly<Partial<Record<ColumnName, readonly ChunkBounds[]>>>;
  /** By ordinal of `variable`, in the order of VARIABLE_MEMBERS. */
  readonly variables: readonly VariableTexts[];
  /** By ordinal of `useSet`: numbers of uses, ascending. */
  readonly useSets: readonly (readonly number[])[];
  /** By ordinal of `reportYear`, minus one. Ordinal 0 stands for none, as it does in `source`. */
  readonly reportYears: readonly string[];
  /** By code: the number of a variable, a use, a water source, or the ordinal of `rowTerms`. */
  readonly values: Readonly<Record<'variable' | 'use' | 'source' | 'rowTerms', FieldValues>>;
  /** The fields of the `placeColumns` artifact, in its order. */
  readonly placeFields: readonly FilterField[];
}

/** What the places of a release have, by rank. */
export interface PlaceColumns {
  /** Meters in WebMercator (EPSG:3857): the point, else the middle of the geometry's box; NaN without either. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** As FieldValues. */
  readonly values: Readonly<Partial<Record<FilterField, NarrowNumbers>>>;
  readonly byteLength: number;
}

export function writeOrdinals(ordinals: Uint32Array): Uint8Array {
  return writeSections(toOrdinalSections(ordinals));
}

export function readOrdinals(content: Uint8Array): NarrowNumbers {
  return readOrdinalSection(new Sections(content), 0);
}

export function writeNumbers(numbers: Float64Array): Uint8Array {
  return writeSections([numbers]);
}

export function readNumbers(content: Uint8Array): Float64Array {
  return new Sections(content).numbers(Float64Array, 0);
}

/** What `readPlaceColumns` reads. */
export function writePlaceColumns(
  x: Float64Array,
  y: Float64Array,
  fields: readonly Uint32Array[],
): Iterable<Uint8Array> {
  return sectionBuffers([x, y, ...fields.flatMap(toOrdinalSections)].map(toSection));
}

export function readPlaceColumns(content: Uint8Array, fields: readonly FilterField[]): PlaceColumns {
  const sections = new Sections(content);
  const values = fields.map((field, index) => [field, readOrdinalSection(sections, 2 + 2 * index)] as const);
  const { byteLength } = content;
  return {
    x: sections.numbers(Float64Array, 0),
    y: sections.numbers(Float64Array, 1),
    values: Object.fromEntries(values),
    byteLength,
  };
}

/** The bytes of an ordinal, then the ordinals. */
function toOrdinalSections(ordinals: Uint32Array): readonly NarrowNumbers[] {
  const narrow = toNarrowNumbers(ordinals);
  return [Uint32Array.of(narrow.BYTES_PER_ELEMENT), narrow];
}

function readOrdinalSection(sections: Sections, index: number): NarrowNumbers {
  const [bytes] = sections.numbers(Uint32Array, index);
  if (bytes === 1) return sections.numbers(Uint8Array, index + 1);
  return bytes === 2 ? sections.numbers(Uint16Array, index + 1) : sections.numbers(Uint32Array, index + 1);
}

// The period column of a release: for each record its effective first and last day (D7), and the dates that it shows,
// of which one may be missing and the first may be the later one (D62). Records share few distinct
// periods (years, months, days), so the column holds a code per record and a table of periods: 2 bytes a record instead
// of 8, and a range is decided once per period, not once per record.

/** The code of a record that has no dates, and never matches once a bound is given. */
export const NO_PERIOD = 0;

/** Stands for a date that a record does not show, or a series has not; days lie within about +-4 million. */
export const NO_DAY = -0x80000000;

export interface PeriodColumn {
  /** For code c: first day at 2c, last day at 2c + 1. The pair of code 0 is unused. */
  readonly periods: Int32Array;
  /** As `periods`; NO_DAY for none. */
  readonly displayed: Int32Array;
  readonly codes: Uint16Array | Uint32Array;
}

export function readPeriodColumn(content: Uint8Array): PeriodColumn {
  const sections = new Sections(content);
  const isShort = sections.numbers(Uint32Array, 0)[0] === Uint16Array.BYTES_PER_ELEMENT;
  const codes = sections.numbers<PeriodColumn['codes']>(isShort ? Uint16Array : Uint32Array, 3);
  return { periods: sections.numbers(Int32Array, 1), displayed: sections.numbers(Int32Array, 2), codes };
}
