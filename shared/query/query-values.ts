// The query string as it was sent, and the values that it has of each parameter, read strictly; what is wrong with any
// of them is collected (D1 to D4).

import { getOrAdd } from '../values/maps';
import { findNearestName } from '../values/nearest-names';
import { accessKey, shortenForDisplay } from './access-key-parameter';
import type { Parameter, ReadingSettings } from './parameter';
import type { QueryItem } from './query-string';

/** One entry of a 400's `errors` (D31). */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
  /** At most MAX_VALUE_SHOWN characters of what was found; never an access key. */
  readonly value: string;
}

/** What a query asks for, or all that is wrong with it. */
export type ReadQuery<Asked> =
  { readonly ok: true; readonly query: Asked } | { readonly ok: false; readonly errors: readonly ParameterError[] };

/** How many values a repeatable parameter may have (D3). */
export const MAX_VALUES = 100;

/** How many characters of a value an error repeats (D4). */
const MAX_VALUE_SHOWN = 200;

/** A request line has room for 80,000 unknown names; suggestions for all of them would cost seconds. */
const MAX_SUGGESTIONS = 20;

/** The values of each known parameter, and the errors found so far. */
export class QueryValues {
  readonly errors: ParameterError[] = [];
  private readonly values = new Map<string, string[]>();
  private readonly unknownNames = new Set<string>();

  /** The access key is among the parameters of every query. `others` are names that a suggestion may be, too. */
  constructor(
    private readonly parameters: readonly Parameter<unknown>[],
    items: readonly QueryItem[],
    private readonly settings: ReadingSettings,
    private readonly others: readonly string[] = [],
  ) {
    const spelledBy = new Map<string, string>();
    for (const { name, synonyms = [] } of [...parameters, accessKey]) {
      for (const spelling of [name, ...synonyms]) spelledBy.set(spelling.toLowerCase(), name);
    }
    for (const item of items) this.take(item, spelledBy.get(item.name.trim().toLowerCase()));
    if (this.getTexts(accessKey).length > 1) this.refuse(accessKey.name, 'may stand only once', '');
  }

  /** The texts that were given for a parameter, trimmed; blank ones count as not given. */
  getTexts({ name }: Pick<Parameter<unknown>, 'name'>): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Every value of a repeatable parameter; the only one of another. Values that cannot be read become errors. */
  readAll<Value>(parameter: Parameter<Value>): readonly Value[] {
    const texts = this.getTexts(parameter);
    if (texts.length === 0) {
      if (parameter.required !== undefined) this.refuse(parameter.name, `is required: ${parameter.required}`, '');
      return [];
    }
    if (texts.length > 1 && parameter.isRepeatable !== true) {
      this.refuse(parameter.name, 'may stand only once', texts.join(' and '));
      return [];
    }
    const { maxValues = MAX_VALUES } = parameter;
    if (texts.length > maxValues) {
      this.refuse(parameter.name, `may be given at most ${maxValues} times`, `${texts.length} values`);
      return [];
    }
    return texts.flatMap((text) => {
      const read = parameter.read(text, this.settings);
      if (read.ok) return [read.value];
      this.refuse(parameter.name, read.problem, text);
      return [];
    });
  }

  readOne<Value>(parameter: Parameter<Value>): Value | undefined {
    return this.readAll(parameter)[0];
  }

  refuse(parameter: string, message: string, value: string): void {
    const shown = (text: string): string => shortenForDisplay(text, MAX_VALUE_SHOWN);
    this.errors.push({ parameter: shown(parameter), message, value: shown(value) });
  }

  private take(item: QueryItem, name: string | undefined): void {
    const value = item.value.trim();
    if (name === undefined) {
      this.refuseUnknown(item);
    } else if (item.isBroken) {
      this.refuse(name, 'has a percent escape that is not valid UTF-8', name === accessKey.name ? '' : item.value);
    } else if (value !== '') {
      getOrAdd(this.values, name, () => []).push(value);
    }
  }

  /** Refuses each unknown name once, the first ones with the name that was probably meant (D2). */
  private refuseUnknown({ name, value }: QueryItem): void {
    if (this.unknownNames.has(name)) return;
    this.unknownNames.add(name);
    const declared = [...this.parameters, accessKey].flatMap((one) => [one.name, ...(one.synonyms ?? [])]);
    const isFirst = this.unknownNames.size <= MAX_SUGGESTIONS;
    const nearest = isFirst ? findNearestName(name, [...declared, ...this.others]) : undefined;
    const suggestion = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    this.refuse(name, `is not a parameter of this operation${suggestion}`, value);
  }
}
