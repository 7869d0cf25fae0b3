// The format of the columns of a release (ADR 0059). A column has a value for each record, in chunks. Numbers are
// doubles, or NaN if a record has no number. Ordinals stand for lookups, sets of uses and texts, and take as few bytes
// as the highest ordinal of the chunk needs. The directory defines the meaning of each ordinal.

import type { FilterField } from '../../query/filter-fields';
import type { ColumnName } from '../../store/artifacts';
import {
  type NarrowNumbers,
  sectionBuffers,
  Sections,
  toNarrowNumbers,
  toSection,
  writeSections,
} from '../../values/bytes/sections';

/** Amounts that differ in one of these members of their variables must not be added up (D40). In the answer's order. */
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
 * Keyed by filter field and code: the index of the value in the release's vocabulary plus one; 0 for no value. The code
 * of a lookup is its number within its kind, and the code of a row term is its ordinal.
 */
export type FieldValues = Readonly<Partial<Record<FilterField, readonly number[]>>>;

/** Null when no record of the chunk has a number. */
export type ChunkBounds = readonly [lowest: number, highest: number] | null;

/** The `columns` artifact, as JSON. */
export interface ColumnDirectory {
  /** Keyed by column: the bounds of each chunk. */
  readonly bounds: Readonly<Partial<Record<ColumnName, readonly ChunkBounds[]>>>;
  /** By ordinal of `variable`, in the order of VARIABLE_MEMBERS. */
  readonly variables: readonly VariableTexts[];
  /** By ordinal of `useSet`: numbers of uses, ascending. */
  readonly useSets: readonly (readonly number[])[];
  /** By ordinal of `useSet`: the number of the primary use plus one; 0 for no primary use. */
  readonly primaryUses: readonly number[];
  /** Keyed by ordinal of `reportYear` minus one. Ordinal 0 means no year; in `source`, it means no source. */
  readonly reportYears: readonly string[];
  /** The code is the number of a variable, a use or a water source, or the ordinal of `rowTerms`. */
  readonly values: Readonly<Record<'variable' | 'use' | 'source' | 'rowTerms', FieldValues>>;
  /** The fields of the `placeColumns` artifact, in its order. */
  readonly placeFields: readonly FilterField[];
}

/** The columns of the places of a release, indexed by rank. */
export interface PlaceColumns {
  /**
   * Meters in Web Mercator (EPSG:3857): the point, or else the center of the geometry's bounding box; NaN if the place
   * has neither.
   */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The same ordinals as in FieldValues. */
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

/** Returns the content that `readPlaceColumns` reads, as consecutive buffers. */
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
  return {
    x: sections.numbers(Float64Array, 0),
    y: sections.numbers(Float64Array, 1),
    values: Object.fromEntries(values),
    byteLength: content.byteLength,
  };
}

/** Returns the number of bytes per ordinal, then the ordinals. */
function toOrdinalSections(ordinals: Uint32Array): readonly NarrowNumbers[] {
  const narrow = toNarrowNumbers(ordinals);
  return [Uint32Array.of(narrow.BYTES_PER_ELEMENT), narrow];
}

function readOrdinalSection(sections: Sections, index: number): NarrowNumbers {
  const [bytes] = sections.numbers(Uint32Array, index);
  if (bytes === 1) return sections.numbers(Uint8Array, index + 1);
  return bytes === 2 ? sections.numbers(Uint16Array, index + 1) : sections.numbers(Uint32Array, index + 1);
}
