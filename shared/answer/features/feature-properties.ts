// The properties of a feature in their order, for what describes features (D48, D53).

import type { AnswerLayout } from '../../records/data-sets';
import { ORGANIZATION_COLUMNS, tableColumns, type TableColumn } from '../table-columns';

export function propertyColumns(
  kind: AnswerLayout['kind'],
): readonly Pick<TableColumn, 'name' | 'type' | 'isList' | 'description'>[] {
  const { record, joined } = tableColumns[kind];
  const organization = ORGANIZATION_COLUMNS.map((name) => {
    return { name, type: 'text', isList: false, description: undefined } as const;
  });
  return [...organization, ...record, ...joined.flatMap(({ columns }) => columns)];
}
