// Maps the order of the records to the sort arrows of the table's columns.

import { type Kind, kinds } from './kinds';

/** The direction in which an order sorts a column. Undefined if the service cannot sort by it. */
export function getSortDirection(
  kind: Kind,
  order: string,
  column: string,
): 'ascending' | 'descending' | 'none' | undefined {
  if (order === column) return 'ascending';
  if (order === `-${column}`) return 'descending';
  return kinds[kind].orders.some(({ name }) => name === column) ? 'none' : undefined;
}

/** The order after a click on a column head: the first listed order, its reverse, then as published. */
export function getNextOrder(kind: Kind, order: string, column: string): string {
  const names = kinds[kind].orders.map(({ name }) => name).filter((name) => name.replace('-', '') === column);
  return names[names.indexOf(order) + 1] ?? '';
}
