// The query parameters of an operation as OpenAPI describes them, from their declarations.

import type { Operation } from '../../../shared/query/operation';
import { MAX_VALUES } from '../../../shared/query/read-request';
import type { Parameter } from '../../../shared/query/parameter';

export function parametersOf({ bindings }: Pick<Operation, 'bindings'>): readonly object[] {
  return bindings.map(({ parameter }) => parameterObject(parameter));
}

/**
 * The example stands in the schema: pages that let people try an operation fill in a parameter's own, and a search for all examples
 * at once finds nothing.
 */
function parameterObject(parameter: Parameter<unknown>): object {
  const { name, type, isRepeatable, defaultValue, limits, example } = parameter;
  const value = {
    type,
    ...limits,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    examples: [type === 'integer' ? Number(example) : example],
  };
  const schema = isRepeatable ? { type: 'array', items: value, maxItems: MAX_VALUES } : value;
  const style = isRepeatable ? { style: 'form', explode: true } : {};
  return { name, in: 'query', required: false, description: descriptionOf(parameter), ...style, schema };
}

function descriptionOf({ meaning, synonyms, isRepeatable, example }: Parameter<unknown>): string {
  const repeats = isRepeatable ? [`May be given up to ${MAX_VALUES} times, meaning any of the values.`] : [];
  const otherNames = synonyms.length === 0 ? [] : [`Also read as ${synonyms.join(', ')}.`];
  return [meaning, ...repeats, ...otherNames, `Example: \`${example}\``].join(' ');
}
