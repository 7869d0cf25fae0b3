// How a query parameter is declared: its name, how to read a value, what documentation says about it, and which
// condition it adds to the search.

import type { NumberColumn } from '../records/data-sets';
import type { SlashDateOrder } from '../values/dates';
import { readInteger } from '../values/numbers';
import { failure, type Result, success } from '../values/result';
import { MAX_TEXT_LENGTH, TEXT_TOO_LONG } from '../values/text-length';
import type { ComparedMember, Condition, DateRange } from './condition';
import type { ValueLimits } from './text-filter-definition';
import type { TextFilterField } from './text-filters';

/** Settings that affect how a value is read. */
export interface ReadingSettings {
  /** Set by the operator (D6). */
  readonly slashDateOrder: SlashDateOrder;
}

export interface Parameter<Value> {
  /** As spelled in documentation and errors. Names are matched without regard to letter case (D1). */
  readonly name: string;
  /** Other names of the same parameter. */
  readonly synonyms?: readonly string[];
  /** Whether the parameter may be repeated. Records then match if any of the values matches (D3). */
  readonly isRepeatable?: boolean;
  /** The maximum number of values, if not MAX_VALUES. */
  readonly maxValues?: number;
  readonly type: 'string' | 'integer';
  /** One sentence for documentation. */
  readonly meaning: string;
  readonly example: string;
  readonly limits?: ValueLimits;
  /** The value if the parameter is left out. */
  readonly defaultValue?: Value;
  /** Set if the parameter is required: a sentence about what is missing. */
  readonly required?: string;
  /** The CQL2 queryables that correspond to this parameter (D47), if no member has the parameter's name. */
  readonly queryables?: readonly Queryable[];
  /** Reads one value, which is trimmed and not blank. A problem is phrased to follow the name of the parameter. */
  readonly read: (text: string, settings: ReadingSettings) => Result<Value>;
}

/** A member that CQL2 can compare. */
export interface Queryable {
  readonly name: string;
  readonly type: 'text' | 'boolean' | 'number' | 'date' | 'geometry';
  readonly member: ComparedMember;
  readonly meaning: string;
}

interface TextsFilter extends Parameter<string> {
  /** Reading a text filter needs no settings. */
  readonly read: (text: string) => Result<string>;
  /** Builds one condition for all values. */
  readonly buildCondition: (values: readonly string[]) => Condition;
}

/** Matches records that have the filter term of any of the values. */
export interface TermFilter extends TextsFilter {
  readonly kind: 'term';
  readonly field: TextFilterField;
}

/** Matches records of organizations (D34), or rights whose owner contains the folded value (D35). */
export interface OrganizationOrOwnerFilter extends TextsFilter {
  readonly kind: 'organization' | 'owner';
}

/** One end of a range of days or numbers (D35), included in the range. */
export interface RangeFilter extends Parameter<number> {
  readonly kind: 'start' | 'end';
  readonly range: DateRange | NumberColumn;
  /** The condition of the range, without its ends. */
  readonly open: Condition;
  /** The end of the range that the value sets. */
  readonly end: 'from' | 'to' | 'min' | 'max';
}

/** A filter whose value is a condition: a boundary (D15), a number of years (D42), or changes since a version (D37). */
export interface ConditionFilter extends Parameter<Condition> {
  readonly kind: 'boundary' | 'minimumYears' | 'changedSince';
}

/** Gives the parameter the name that another operation uses. The original name becomes a synonym. */
export function renameParameter<Renamed extends Parameter<unknown>>(parameter: Renamed, name: string): Renamed {
  const others = [parameter.name, ...(parameter.synonyms ?? [])];
  return { ...parameter, name, synonyms: others.filter((other) => other.toLowerCase() !== name.toLowerCase()) };
}

/** Joins names for a sentence: "A, B or C". */
export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((text) => text !== '').join(' or ');
}

/**
 * Wraps `read` so that it rejects a value longer than any value in the data, before the value is folded or compared.
 */
export function limitLength<Value>(read: (text: string) => Result<Value>): (text: string) => Result<Value> {
  return (text) => (text.length > MAX_TEXT_LENGTH ? failure(TEXT_TOO_LONG) : read(text));
}

/** The schema and reader of a parameter with a fixed list of values, in any letter case. */
export function createChoice<Value>(
  choices: readonly (readonly [name: string, value: Value])[],
): Required<Pick<Parameter<Value>, 'limits' | 'read'>> {
  const names = choices.map(([name]) => name);
  return {
    limits: { enum: names },
    read: (text) => {
      const choice = choices.find(([name]) => name.toLowerCase() === text.toLowerCase());
      return choice === undefined ? failure(`must be ${joinNames(names)}`) : success(choice[1]);
    },
  };
}

/** The schema and reader of an integer parameter. Both bounds are included. */
export function createIntegerRange(
  minimum: number,
  maximum: number,
): Pick<Parameter<number>, 'type' | 'limits' | 'read'> {
  const read = (text: string): Result<number> => {
    const value = readInteger(text);
    if (value !== undefined && value >= minimum && value <= maximum) return success(value);
    return failure(`must be a whole number from ${minimum} to ${maximum}, written in decimal digits`);
  };
  return { type: 'integer', limits: { minimum, maximum }, read };
}
