// Reads the values of parameters from a query string, strictly, and collects all errors (D1 to D4).

import { getOrAdd } from '../values/maps';
import { accessKey, shortenForDisplay } from './access-key-parameter';
import type { Parameter, ReadingSettings } from './parameter';
import type { QueryItem } from './query-string';
import { suggestParameter, suggestValue } from './spelling-hints';

/** One item of `errors` in a 400 (D31). */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
  /** Up to MAX_VALUE_SHOWN characters from the start of the value. Never contains an access key. */
  readonly value: string;
}

/** A parsed query, or all of its errors. */
export type ReadQuery<Query> =
  { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly errors: readonly ParameterError[] };

/** Maximum number of values of a repeatable parameter (D3). */
export const MAX_VALUES = 100;

/** Maximum number of characters of a value that an error repeats (D4). */
const MAX_VALUE_SHOWN = 200;

/**
 * A message may repeat part of the value. The longest message that does not is the list of a collection's queryables.
 */
const MAX_MESSAGE_SHOWN = 2000;

/** A request line can contain 80,000 unknown names. Suggestions for all of them would take seconds. */
const MAX_SUGGESTIONS = 20;

/** The values of each declared parameter, and the errors so far. */
export class QueryValues {
  readonly errors: ParameterError[] = [];
  private readonly values = new Map<string, string[]>();
  private readonly unknownNames = new Set<string>();

  /** Every query accepts the access key. `otherNames` are additional names that an error may suggest. */
  constructor(
    private readonly parameters: readonly Parameter<unknown>[],
    items: readonly QueryItem[],
    private readonly settings: ReadingSettings,
    private readonly otherNames: readonly string[] = [],
  ) {
    const spelledBy = new Map<string, string>();
    for (const { name, synonyms = [] } of [...parameters, accessKey]) {
      for (const spelling of [name, ...synonyms]) spelledBy.set(spelling.toLowerCase(), name);
    }
    for (const item of items) this.addItem(item, spelledBy.get(item.name.trim().toLowerCase()));
    if (this.getTexts(accessKey).length > 1) this.refuse(accessKey.name, 'may be sent only once', '');
  }

  /** Returns the values of a parameter, trimmed and without blank ones. */
  getTexts({ name }: Pick<Parameter<unknown>, 'name'>): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /**
   * Reads all values of a parameter. Values that cannot be read, and repetitions that are not allowed, become errors.
   */
  readAll<Value>(parameter: Parameter<Value>): readonly Value[] {
    const texts = this.getTexts(parameter);
    if (texts.length === 0) {
      if (parameter.required !== undefined) this.refuse(parameter.name, `is required: ${parameter.required}`, '');
      return [];
    }
    if (texts.length > 1 && parameter.isRepeatable !== true) {
      this.refuse(parameter.name, 'may be sent only once', texts.join(' and '));
      return [];
    }
    const { maxValues = MAX_VALUES } = parameter;
    if (texts.length > maxValues) {
      this.refuse(parameter.name, `may be sent at most ${maxValues} times`, `${texts.length} values`);
      return [];
    }
    return texts.flatMap((text) => {
      const read = parameter.read(text, this.settings);
      if (read.ok) return [read.value];
      this.refuse(parameter.name, `${read.problem}${suggestValue(parameter, text, this.settings)}`, text);
      return [];
    });
  }

  readOne<Value>(parameter: Parameter<Value>): Value | undefined {
    return this.readAll(parameter)[0];
  }

  refuse(parameter: string, message: string, value: string): void {
    const shown = (text: string): string => shortenForDisplay(text, MAX_VALUE_SHOWN);
    const sentence = shortenForDisplay(message, MAX_MESSAGE_SHOWN);
    this.errors.push({ parameter: shown(parameter), message: sentence, value: shown(value) });
  }

  private addItem(item: QueryItem, name: string | undefined): void {
    const value = item.value.trim();
    if (name === undefined) {
      this.refuseUnknown(item);
    } else if (name === accessKey.name && item.isInBody === true) {
      this.refuseKeyInBody(item);
    } else if (item.isBroken) {
      this.refuse(name, 'has a percent escape that is not valid UTF-8', name === accessKey.name ? '' : item.value);
    } else if (value !== '') {
      getOrAdd(this.values, name, () => []).push(value);
    }
  }

  /** Rejects each unknown name once. The first few errors include a suggestion (D2). */
  private refuseUnknown({ name, value }: QueryItem): void {
    if (this.unknownNames.has(name)) return;
    this.unknownNames.add(name);
    const suggestion = this.unknownNames.size <= MAX_SUGGESTIONS ? this.suggest(name, value) : '';
    this.refuse(name, `is not a parameter of this operation${suggestion}`, value);
  }

  /** Rejects a key in a body: programs that do not expect a key there may log or store the body (D68). */
  private refuseKeyInBody({ name }: QueryItem): void {
    if (this.unknownNames.has(name)) return;
    this.unknownNames.add(name);
    this.refuse(name, 'is not a parameter of the body; send the key in the header X-API-Key', '');
  }

  private suggest(unknownName: string, value: string): string {
    const declared = [...this.parameters, accessKey].flatMap(({ name, synonyms = [] }) => [name, ...synonyms]);
    return suggestParameter(unknownName, value, [...declared, ...this.otherNames]);
  }
}
