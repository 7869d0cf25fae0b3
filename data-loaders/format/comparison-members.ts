// The part of a report that compares a data set with its former release (submissions.md, 5): examples of added, removed
// and changed records, totals, and smells; and the types with which members of a report are declared.

import {
  described,
  listOf,
  objectOf,
  requiredNumber,
  requiredText,
  text,
  type Member,
  type ValueOf,
} from '../../shared/records/object-definition';
import { SMELL_NAMES } from './smell-texts';

export const integer: Member<number> = { schema: { type: 'integer', minimum: 0 } };

/** Any value that JSON can hold without a structure of its own. */
const scalar: Member<string | number | boolean | null> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
};

export function oneOf<const Values extends readonly string[]>(values: Values): Member<Values[number]> {
  return { schema: { type: 'string', enum: values } };
}

export function nullable<Value>(member: Member<Value>): Member<Value | null> {
  return { schema: { anyOf: [member.schema, { type: 'null' }] } };
}

/** An object whose names are data. */
function mapOf<Value>(value: Member<Value>): Member<Readonly<Record<string, Value>>> {
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

/** How many added, removed and changed records are shown, and how many examples of each smell. */
export const MAX_EXAMPLES_SHOWN = 20;

const identity = described(
  mapOf(requiredText),
  'The members that identify the record or place, by name, without those that are missing',
);

const difference = objectOf({
  member: requiredText,
  before: described(scalar, 'Lists and objects as JSON text; long texts are cut'),
  after: scalar,
});

const examples = objectOf({
  added: listOf(identity),
  removed: listOf(identity),
  changed: listOf(objectOf({ identity, members: listOf(difference) })),
});

const sums = objectOf({
  records: integer,
  sums: described(
    mapOf(requiredNumber),
    'By member: Amount, or AllocationFlow_CFS and AllocationVolume_AF of allocations',
  ),
});

const beforeAndAfter = {
  before: described(nullable(sums), 'Null when the former release has no such record, or there is no former release'),
  after: described(nullable(sums), 'Null when the release has no such record'),
};

const variableTotals = objectOf({
  variableSpecificUuid: requiredText,
  variableSpecific: requiredText,
  unit: text,
  ...beforeAndAfter,
});

const useTotals = objectOf({
  use: described(text, 'Null for records without any use; a record with several uses counts under each'),
  unit: text,
  ...beforeAndAfter,
});

const totalsChange = objectOf({
  variables: listOf(variableTotals),
  uses: listOf(useTotals),
  omitted: described(integer, 'Variables and uses beyond the 200 with the most records'),
});

const PLACE_MEMBER = 'The member of the record; null for a place, whose values are longitude and latitude';

const smell = objectOf({
  smell: oneOf(SMELL_NAMES),
  sentence: requiredText,
  count: described(integer, 'Records or places concerned'),
  examples: listOf(objectOf({ identity, member: described(text, PLACE_MEMBER), before: scalar, after: scalar })),
});

const uncategorizedUse = objectOf({
  use: requiredText,
  records: integer,
  primaryUse: described(text, 'Its category in our table or beneficialuses.csv; null when neither knows the term'),
});

/** The members of a data set's outcome that come from the comparison. */
export const comparisonMembers = {
  examples: described(nullable(examples), `The first ${MAX_EXAMPLES_SHOWN} of each, in the order of the answers`),
  totals: nullable(totalsChange),
  smells: listOf(smell),
  uncategorizedUses: described(listOf(uncategorizedUse), 'Uses in none of the eight USGS categories'),
};

export type Identity = ValueOf<typeof identity>;
export type Difference = ValueOf<typeof difference>;
export type ChangeExamples = ValueOf<typeof examples>;
export type Sums = ValueOf<typeof sums>;
export type VariableTotals = ValueOf<typeof variableTotals>;
export type UseTotals = ValueOf<typeof useTotals>;
export type TotalsChange = ValueOf<typeof totalsChange>;
export type Smell = ValueOf<typeof smell>;
export type UncategorizedUse = ValueOf<typeof uncategorizedUse>;
