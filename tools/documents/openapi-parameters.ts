// The parameters of an operation as OpenAPI describes them.

import type { OperationParameter } from '../../shared/query/operations';
import type { Parameter } from '../../shared/query/parameter';
import { MAX_VALUES } from '../../shared/query/query-values';

/**
 * The example stands in the schema and not in the parameter: pages for trying an operation fill in the examples of all
 * parameters, and a search for all of them at once finds nothing.
 */
export function parameterObject(parameter: OperationParameter): object {
  const required = parameter.kind === 'changedSince' && parameter.isRequired;
  const { name, type, isRepeatable, defaultValue, limits, example } = parameter;
  const value = {
    type,
    ...limits,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    examples: [type === 'integer' ? Number(example) : example],
  };
  const schema = isRepeatable ? { type: 'array', items: value, maxItems: parameter.mostValues ?? MAX_VALUES } : value;
  const style = isRepeatable ? { style: 'form', explode: true } : {};
  return { name, in: 'query', required, description: descriptionOf(parameter), ...style, schema };
}

function descriptionOf({ meaning, synonyms, isRepeatable, example, mostValues }: Parameter<unknown>): string {
  const times = `May be given up to ${mostValues ?? MAX_VALUES} times`;
  const repeats = isRepeatable ? [mostValues === undefined ? `${times}, meaning any of the values.` : `${times}.`] : [];
  const otherNames = synonyms.length === 0 ? [] : [`Also read as ${synonyms.join(', ')}.`];
  return [meaning, ...repeats, ...otherNames, `Example: \`${example}\``].join(' ');
}
