// JSON schemas of the keys of removed records (D37), from the declarations of the records.

import { DATA_SET_KINDS, dataSetLayouts, type DataSetKind } from '../../shared/records/data-sets';
import { described, listOf, objectOf, requiredNumber, requiredText } from '../../shared/records/object-definition';

export function removedSchemaName(kind: DataSetKind): string {
  return `${kind}Removed`;
}

export function removedSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(DATA_SET_KINDS.map((kind) => [removedSchemaName(kind), answerSchema(kind)]));
}

function answerSchema(kind: DataSetKind): object {
  const { keyMembers, recordMembers } = dataSetLayouts[kind];
  const key = objectOf(Object.fromEntries(Object.entries(recordMembers).filter(([name]) => keyMembers.includes(name))));
  const removed = objectOf({
    OrganizationUUID: described(requiredText, 'The organization whose record it was.'),
    Key: described(key, 'The members that tell the record from all others of its organization.'),
  });
  return {
    ...objectOf({
      TotalRemovedCount: described(requiredNumber, 'How many records were removed, over all pages.'),
      Removed: described(listOf(removed), 'In the order that the records had.'),
    }).schema,
    description: 'A page of the keys of records that a former data version had and a later one has not.',
  };
}
