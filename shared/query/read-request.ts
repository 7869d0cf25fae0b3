// From the query string to what is asked: every parameter read strictly, all errors at once (D1 to D5).

import { accessKey, RECORD_COUNT } from './paging-and-access';
import type { AnswerFormat } from './answer-format';
import { nearestName } from '../values/nearest-name';
import type { Parameter, ReadingSettings } from './parameter';
import { shownText } from './shown-text';
import type { QueryItem } from './query-text';
import { boundaryOf, type Criteria, type Period } from './criteria';
import { filterTerm } from './filter-terms';
import { foldText } from '../values/folded-text';
import type { Binding, Operation, Range } from './operation';

export interface OperationRequest {
  readonly criteria: Criteria;
  readonly startIndex: number;
  readonly recordCount: number;
  /** Undefined for the current one (D33). */
  readonly dataVersion?: string;
  /** Undefined when the header Accept decides. */
  readonly format?: AnswerFormat;
  /** What else was asked, as links repeat it: names as the operation spells them, in its order, values trimmed as sent. */
  readonly given: readonly GivenValue[];
}

export interface GivenValue {
  readonly name: string;
  readonly value: string;
}

/** One entry of a 400's `errors` (D31). */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
  /** At most MAX_VALUE_SHOWN characters of what was found; never an access key. */
  readonly value: string;
}

export type ReadRequest =
  | { readonly ok: true; readonly request: OperationRequest }
  | { readonly ok: false; readonly errors: readonly ParameterError[] };

const PAGE_ROLES: ReadonlySet<Binding['role']> = new Set(['startIndex', 'recordCount', 'dataVersion']);

/** D3. */
export const MAX_VALUES = 100;

/** D4. */
const MAX_VALUE_SHOWN = 200;

/** A request line has room for 80,000 unknown names; suggestions for all of them would cost seconds. */
const MAX_SUGGESTIONS = 20;

/** What boundaries by name ask places themselves for (ADR 0036). */
export const ATTRIBUTE_FIELDS = { huc8: 'huc8', county: 'placeCounty', state: 'placeState' } as const;

/** Boundaries that are the geometry of a place. */
const PLACE_FIELDS = { site: 'site', reportingunit: 'reportingUnit' } as const;

export function readRequest(
  operation: Pick<Operation, 'bindings'>,
  items: readonly QueryItem[],
  settings: ReadingSettings,
): ReadRequest {
  const values = new QueryValues(operation, items);
  const terms: string[][] = [];
  const ranges: Record<Range, Period> = { period: {}, published: {} };
  let organizations: readonly string[] = [];
  let place: Pick<Criteria, 'boundary' | 'boundaryPlace'> = {};
  let startIndex = 0;
  let recordCount: number = RECORD_COUNT.default;
  let dataVersion: string | undefined;
  let format: AnswerFormat | undefined;
  for (const binding of operation.bindings) {
    switch (binding.role) {
      case 'term': {
        const alternatives = values.readAll(binding.parameter, settings);
        if (alternatives.length > 0) terms.push(alternatives.map((value) => filterTerm(binding.field, value)));
        break;
      }
      case 'from':
      case 'to': {
        const day = values.readOne(binding.parameter, settings);
        const range = ranges[binding.range];
        if (day !== undefined) ranges[binding.range] = { ...range, [binding.role]: day };
        break;
      }
      case 'organization':
        organizations = values.readAll(binding.parameter, settings).map(foldText);
        break;
      case 'boundary': {
        const area = values.readOne(binding.parameter, settings);
        if (area === undefined) break;
        if (area.form === 'geometry') place = { boundary: boundaryOf(area.geometry) };
        else if (area.form === 'site' || area.form === 'reportingunit')
          place = { boundaryPlace: { field: PLACE_FIELDS[area.form], id: area.name } };
        else terms.push([filterTerm(ATTRIBUTE_FIELDS[area.form], area.name)]);
        break;
      }
      case 'startIndex':
        startIndex = values.readOne(binding.parameter, settings) ?? startIndex;
        break;
      case 'recordCount':
        recordCount = values.readOne(binding.parameter, settings) ?? recordCount;
        break;
      case 'dataVersion':
        dataVersion = values.readOne(binding.parameter, settings);
        break;
      case 'format':
        format = values.readOne(binding.parameter, settings);
        break;
    }
  }
  values.refuseReversedRanges(operation, ranges);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  const criteria: Criteria = {
    ...{ terms, ...ranges, ...place },
    ...(organizations.length === 0 ? {} : { organizations }),
  };
  const chosen = {
    ...(dataVersion === undefined ? {} : { dataVersion }),
    ...(format === undefined ? {} : { format }),
  };
  return { ok: true, request: { criteria, startIndex, recordCount, ...chosen, given: values.given(operation) } };
}

/** The values of each known parameter, and the errors found so far. */
class QueryValues {
  readonly errors: ParameterError[] = [];
  private readonly values = new Map<string, string[]>();
  private readonly unknownNames = new Set<string>();

  constructor(operation: Pick<Operation, 'bindings'>, items: readonly QueryItem[]) {
    const { names, spellings } = knownNamesOf(operation);
    for (const item of items) this.take(item, names.get(item.name.trim().toLowerCase()), spellings);
    if ((this.values.get(accessKey.name)?.length ?? 0) > 1) {
      this.errors.push({ parameter: accessKey.name, message: 'may stand only once', value: '' });
    }
  }

  /** Every value of a repeatable parameter; the only one of another. */
  readAll<Value>(parameter: Parameter<Value>, settings: ReadingSettings): Value[] {
    const texts = this.values.get(parameter.name) ?? [];
    if (texts.length > 1 && !parameter.isRepeatable) {
      this.refuse(parameter.name, 'may stand only once', texts.join(' and '));
      return [];
    }
    if (texts.length > MAX_VALUES) {
      this.refuse(parameter.name, `may be given at most ${MAX_VALUES} times`, `${texts.length} values`);
      return [];
    }
    return texts.flatMap((text) => {
      const read = parameter.read(text, settings);
      if (read.ok) return [read.value];
      this.refuse(parameter.name, read.problem, text);
      return [];
    });
  }

  readOne<Value>(parameter: Parameter<Value>, settings: ReadingSettings): Value | undefined {
    return this.readAll(parameter, settings)[0];
  }

  /** All but the page and its data version. */
  given({ bindings }: Pick<Operation, 'bindings'>): readonly GivenValue[] {
    return bindings.flatMap(({ role, parameter: { name } }) =>
      PAGE_ROLES.has(role) ? [] : (this.values.get(name) ?? []).map((value) => ({ name, value })),
    );
  }

  /** D7: a start after its end. Both names are in the sentence, the entry stands under the start. */
  refuseReversedRanges({ bindings }: Pick<Operation, 'bindings'>, ranges: Readonly<Record<Range, Period>>): void {
    for (const end of bindings) {
      if (end.role !== 'to') continue;
      const { from, to } = ranges[end.range];
      if (from === undefined || to === undefined || from <= to) continue;
      const start = bindings.find((binding) => binding.role === 'from' && binding.range === end.range);
      const names = [start?.parameter.name ?? '', end.parameter.name] as const;
      const value = names.map((name) => this.values.get(name)?.[0] ?? '').join(' to ');
      this.refuse(names[0], `must not be later than ${names[1]}`, value);
    }
  }

  private take(item: QueryItem, name: string | undefined, spellings: readonly string[]): void {
    const value = item.value.trim();
    if (name === undefined) {
      this.refuseUnknown(item, spellings);
    } else if (item.isBroken) {
      this.refuse(name, 'has a percent escape that is not valid UTF-8', name === accessKey.name ? '' : item.value);
    } else if (value !== '') {
      const list = this.values.get(name);
      if (list === undefined) this.values.set(name, [value]);
      else list.push(value);
    }
  }

  /** Each unknown name once, the first ones with the name that was probably meant (D2). */
  private refuseUnknown({ name, value }: QueryItem, spellings: readonly string[]): void {
    if (this.unknownNames.has(name)) return;
    this.unknownNames.add(name);
    const nearest = this.unknownNames.size > MAX_SUGGESTIONS ? undefined : nearestName(name, spellings);
    const suggestion = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    this.refuse(name, `is not a parameter of this operation${suggestion}`, value);
  }

  private refuse(parameter: string, message: string, value: string): void {
    this.errors.push({
      parameter: shownText(parameter, MAX_VALUE_SHOWN),
      message,
      value: shownText(value, MAX_VALUE_SHOWN),
    });
  }
}

interface KnownNames {
  /** Of each name in lower case, how its parameter is spelled. */
  readonly names: ReadonlyMap<string, string>;
  readonly spellings: readonly string[];
}

const knownNames = new WeakMap<Operation['bindings'], KnownNames>();

function knownNamesOf({ bindings }: Pick<Operation, 'bindings'>): KnownNames {
  const known = knownNames.get(bindings);
  if (known !== undefined) return known;
  const parameters: readonly Parameter<unknown>[] = [...bindings.map((binding) => binding.parameter), accessKey];
  const made = {
    names: new Map(parameters.flatMap((parameter) => namesOf(parameter).map((name) => [name, parameter.name]))),
    spellings: parameters.flatMap((parameter) => [parameter.name, ...parameter.synonyms]),
  };
  knownNames.set(bindings, made);
  return made;
}

function namesOf(parameter: Parameter<unknown>): string[] {
  return [parameter.name, ...parameter.synonyms].map((name) => name.toLowerCase());
}
