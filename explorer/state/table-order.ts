// Maps the order of the records to the sort arrows of the table's columns.

import { type Kind, kinds } from './kinds';

/** How an order sorts a column; undefined where the service sorts by others only. */
export function getSortDirection(
  kind: Kind,
  order: string,
  column: string,
): 'ascending' | 'descending' | 'none' | undefined {
  if (order === column) return 'ascending';
  if (order === `-${column}`) return 'descending';
  return kinds[kind].orders.some(({ name }) => name === column) ? 'none' : undefined;
}

/** The order after another click on the head of a column: as listed first, then the other way, then as published. */
export function getNextOrder(kind: Kind, order: string, column: string): string {
  const names = kinds[kind].orders.map(({ name }) => name).filter((name) => name.replace('-', '') === column);
  return names[names.indexOf(order) + 1] ?? '';
}
