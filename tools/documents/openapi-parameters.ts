// The parameters of operations as OpenAPI describes them.

import type { OperationParameter } from '../../shared/query/operations';
import type { Parameter } from '../../shared/query/parameter';
import { MAX_VALUES } from '../../shared/query/query-values';

/** The values of a parameter: one, or a list of them. */
export function buildParameterSchema(parameter: OperationParameter): object {
  const { type, isRepeatable = false, defaultValue, limits, example } = parameter;
  const examples = [type === 'integer' ? Number(example) : example];
  // A default that is undefined is left out of the JSON text.
  const value = { type, ...limits, default: defaultValue, examples };
  return isRepeatable ? { type: 'array', items: value, maxItems: parameter.maxValues ?? MAX_VALUES } : value;
}

export function describeParameter({
  meaning,
  synonyms = [],
  isRepeatable,
  example,
  maxValues: mostValues,
}: Parameter<unknown>): string {
  const times = `May be given up to ${mostValues ?? MAX_VALUES} times`;
  const repeats = isRepeatable ? [mostValues === undefined ? `${times}, meaning any of the values.` : `${times}.`] : [];
  const otherNames = synonyms.length === 0 ? [] : [`Also accepted as ${synonyms.join(', ')}.`];
  return [meaning, ...repeats, ...otherNames, `Example: \`${example}\``].join(' ');
}
