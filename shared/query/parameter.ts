// A query parameter, declared once: its name, how one value of it is read, what documentation says of it, and what it
// means for the search. The access key stands here (D30), filters in filters.ts, and what changes nothing about which
// records match in paging-and-format.ts.

import type { NumberColumn } from '../records/data-sets';
import type { SlashDateOrder } from '../values/dates';
import { failure, type Result, success } from '../values/result';
import type { ComparedMember, Condition, DateRange } from './condition';
import type { TextFilterField } from './text-filters';
import type { ValueLimits } from './text-filter-definition';

/** What reading a value depends on beside its text. */
export interface ReadingSettings {
  /** The operator sets it (D6). */
  readonly slashDateOrder: SlashDateOrder;
}

export interface Parameter<Value> {
  /** As documentation and errors spell it; matched without regard to case (D1). */
  readonly name: string;
  /** Other names of the same parameter. */
  readonly synonyms?: readonly string[];
  /** Whether it may be given several times, meaning any of the values (D3). */
  readonly isRepeatable?: boolean;
  /** How many values a repeatable one may have, where that is not MAX_VALUES. */
  readonly maxValues?: number;
  readonly type: 'string' | 'integer';
  /** One sentence for documentation. */
  readonly meaning: string;
  readonly example: string;
  readonly limits?: ValueLimits;
  /** The value that a client gets which leaves the parameter out, where there is one. */
  readonly defaultValue?: Value;
  /** Where a request must not leave the parameter out: what is missing then, in words. */
  readonly required?: string;
  /** What CQL2 names in its place (D47), where that is no member of its own name. */
  readonly queryables?: readonly Queryable[];
  /** Reads one value, trimmed and not blank. A problem is a sentence that follows the parameter's name. */
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
  /** What a text means depends on no settings. */
  readonly read: (text: string) => Result<string>;
  /** What all values ask for together. */
  readonly buildCondition: (values: readonly string[]) => Condition;
}

/** Finds the records that have the field's filter term for any of the values. */
export interface TermFilter extends TextsFilter {
  readonly kind: 'term';
  readonly field: TextFilterField;
}

/** Finds the records of organizations (D34), or the rights whose owner contains the folded text (D35). */
export interface OrganizationOrOwnerFilter extends TextsFilter {
  readonly kind: 'organization' | 'owner';
}

/** One end of a range of days, or of a number of the record (D35), included in it. */
export interface RangeFilter extends Parameter<number> {
  readonly kind: 'start' | 'end';
  readonly range: DateRange | NumberColumn;
  /** What the range asks for, without its ends. */
  readonly open: Condition;
  /** The member of the condition that the value becomes. */
  readonly end: 'from' | 'to' | 'min' | 'max';
}

/** Its value is what it asks for: a boundary (D15), amounts in so many years (D42), changes since a version (D37). */
export interface ConditionFilter extends Parameter<Condition> {
  readonly kind: 'boundary' | 'minimumYears' | 'changedSince';
}

/** The same parameter under the name that another operation spells it with; the first name stays as a synonym. */
export function renameParameter<Declared extends Parameter<unknown>>(parameter: Declared, name: string): Declared {
  const others = [parameter.name, ...(parameter.synonyms ?? [])];
  return { ...parameter, name, synonyms: others.filter((other) => other.toLowerCase() !== name.toLowerCase()) };
}

/** Names as a sentence lists them. */
export function joinNames(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((text) => text !== '').join(' or ');
}

/** What a parameter has whose value is one of some names, in any letter case. */
export function createChoice<Value>(
  choices: readonly (readonly [name: string, value: Value])[],
): Required<Pick<Parameter<Value>, 'limits' | 'read'>> {
  const names = choices.map(([name]) => name);
  return {
    limits: { enum: names },
    read: (text) => {
      const found = choices.find(([name]) => name.toLowerCase() === text.toLowerCase());
      return found === undefined ? failure(`must be ${joinNames(names)}`) : success(found[1]);
    },
  };
}

/** A key or a part of one, escaped or not: errors, logs and links must not repeat it (D30). */
export const KEY_PATTERN = /(w|%77)(d|%64)(k|%6b)(_|%5f)[^\s&"'<>]*/gi;

/** Read before all other parameters, and never repeated in an error. */
export const accessKey: Parameter<string> = {
  name: 'key',
  type: 'string',
  meaning: 'The access key; the header X-API-Key is the better place for it, and wins.',
  example: 'YOUR-KEY',
  read: success,
};

/** The beginning of a client's text, at most `maxLength` characters of it, with keys blotted out (D30). */
export function shortenForDisplay(text: string, maxLength: number): string {
  const cut = redactKeys(text).slice(0, maxLength);
  // A character of two UTF-16 units is shown whole or not at all.
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** The text with every key, or what may be a part of one, blotted out (D30). */
export function redactKeys(text: string): string {
  return text.replaceAll(KEY_PATTERN, '[key]');
}
