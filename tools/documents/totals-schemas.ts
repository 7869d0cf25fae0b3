// JSON schemas of totals (D40), from the declarations of their rows, and the tables of totals and facets.

import { MEDIA_TYPES } from '../../shared/values/media-types';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { boolean, objectOf, requiredNumber } from '../../shared/records/object-definition';
import { totalledVariableMembers, totalsMembers } from '../../shared/records/totals';

type Schema = Readonly<Record<string, unknown>>;

export function totalsSchemaName(kind: DataSetKind): string {
  return `${kind}Totals`;
}

export function totalsSchemas(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    DATA_SET_KINDS.flatMap((kind) => [
      [totalsSchemaName(kind), answerSchema(kind)],
      [`${kind}TotalsRow`, rowSchema(kind)],
    ]),
  );
}

/** The same rows as a table. */
export const totalsTable = {
  [MEDIA_TYPES.csv]: {
    schema: { type: 'string', description: 'One row for each row of the JSON answer, its members as columns.' },
  },
};

export const facetsTable = {
  [MEDIA_TYPES.csv]: {
    schema: { type: 'string', description: 'A row for each value, with the name of its facet and its count.' },
  },
};

function answerSchema(kind: DataSetKind): Schema {
  const overlap = 'Whether a record can stand in several groups, so that the rows do not add up to the whole.';
  const list = { type: 'array', items: { $ref: `#/components/schemas/${kind}TotalsRow` } };
  return {
    ...objectOf({
      TotalGroupsCount: {
        schema: { ...requiredNumber.schema, description: 'How many rows there are, over all pages.' },
      },
      GroupsOverlap: { schema: { ...boolean.schema, type: 'boolean', description: overlap } },
      Totals: { schema: { ...list, description: 'In the order of their members, null first.' } },
    }).schema,
    description: 'A page of totals.',
  };
}

/** A group that is one of the variable's members stands for it, so none of these is required. */
function rowSchema(kind: DataSetKind): Schema {
  const variable = kind === 'WaterAllocations' ? {} : totalledVariableMembers;
  const { properties } = objectOf({ ...variable, ...totalsMembers[kind] }).schema;
  return {
    ...{ type: 'object', properties, required: Object.keys(totalsMembers[kind]) },
    additionalProperties: { type: ['string', 'null'] },
    description: 'First the groups that GroupBy asked for, under its names: text, null for records without a value.',
  };
}
