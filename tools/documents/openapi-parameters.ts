// The parameters of operations for the OpenAPI document.

import type { ItemParameter } from '../../shared/query/cql2/item-parameters';
import type { OperationParameter } from '../../shared/query/operations';
import { MAX_VALUES } from '../../shared/query/query-values';

/** A query parameter in the document. */
export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly example?: unknown;
  readonly [member: string]: unknown;
}

export function buildParameter(parameter: OperationParameter, exampleVersion: string): DescribedParameter {
  const { name, isRepeatable = false, required } = parameter;
  const example = getExample(parameter, exampleVersion);
  return {
    name,
    in: 'query',
    required: required !== undefined,
    description: describeParameter(parameter, exampleVersion),
    ...(isRepeatable && { style: 'form', explode: true }),
    schema: buildParameterSchema(parameter, exampleVersion),
    example: isRepeatable ? [example] : example,
  };
}

/** A parameter that an OGC standard defines; its lists are separated by commas. */
export function buildStandardParameter({
  name,
  meaning,
  schema,
  example: text,
}: ItemParameter<unknown>): DescribedParameter {
  const isList = schema['type'] === 'array';
  const scalar = schema['type'] === 'integer' ? Number(text) : text;
  const example = isList ? text.split(',').map(Number) : scalar;
  const style = isList ? { style: 'form', explode: false } : {};
  const described = { ...schema, examples: [example] };
  return { name, in: 'query', required: false, description: meaning, ...style, schema: described, example };
}

/** Omits the default, because generators treat a body member with a default as required. */
export function buildFormMemberSchema(parameter: OperationParameter, exampleVersion: string): object {
  return buildSchema(parameter, exampleVersion, {});
}

function buildParameterSchema(parameter: OperationParameter, exampleVersion: string): object {
  const { defaultValue } = parameter;
  return buildSchema(parameter, exampleVersion, defaultValue === undefined ? {} : { default: defaultValue });
}

/** The schema of a parameter's value: a single value, or a list. */
function buildSchema(parameter: OperationParameter, exampleVersion: string, more: object): object {
  const { type, isRepeatable = false, limits } = parameter;
  const value = { type, ...limits, ...more, examples: [getExample(parameter, exampleVersion)] };
  return isRepeatable ? { type: 'array', items: value, maxItems: parameter.maxValues ?? MAX_VALUES } : value;
}

/**
 * An example value that the service accepts, either alone or together with the parameters that the operation requires.
 */
function getExample({ kind, type, example }: OperationParameter, exampleVersion: string): string | number {
  if (kind === 'dataVersion' || kind === 'changedSince') return exampleVersion;
  return type === 'integer' ? Number(example) : example;
}

export function describeParameter(parameter: OperationParameter, exampleVersion: string): string {
  const { meaning, synonyms = [], isRepeatable, maxValues } = parameter;
  const anyValue = `One value or a list of up to ${MAX_VALUES}; any of them matches.`;
  const list = maxValues === undefined ? anyValue : `Up to ${maxValues}.`;
  const otherNames = synonyms.length === 0 ? [] : [`Also accepted as ${synonyms.join(', ')}.`];
  const example = `Example: \`${getExample(parameter, exampleVersion)}\``;
  return [meaning, ...(isRepeatable === true ? [list] : []), ...otherNames, example].join(' ');
}
