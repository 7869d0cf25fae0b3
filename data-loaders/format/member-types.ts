// The types with which members of a report are declared, beside those of shared/records: types, writers and
// docs/report.schema.json all follow from one declaration.

import type { Member } from '../../shared/records/object-definition';

export const integer: Member<number> = { schema: { type: 'integer', minimum: 0 } };

/** Any value that JSON can hold without a structure of its own. */
export const scalar: Member<string | number | boolean | null> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
};

export function oneOf<const Values extends readonly string[]>(values: Values): Member<Values[number]> {
  return { schema: { type: 'string', enum: values } };
}

export function nullable<Value>(member: Member<Value>): Member<Value | null> {
  return { schema: { anyOf: [member.schema, { type: 'null' }] } };
}

/** An object whose names are data. */
export function mapOf<Value>(value: Member<Value>): Member<Readonly<Record<string, Value>>> {
  return { schema: { type: 'object', additionalProperties: value.schema } };
}

/** An object that has some of the names. */
export function partialMapOf<const Names extends readonly string[], Value>(
  names: Names,
  value: Member<Value>,
): Member<Readonly<Partial<Record<Names[number], Value>>>> {
  const properties = Object.fromEntries(names.map((name) => [name, value.schema]));
  return { schema: { type: 'object', properties, additionalProperties: false } };
}
