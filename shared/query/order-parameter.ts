// The order of records, across all organizations (D36, D61, D69).

import type { NumberColumn } from '../records/data-sets';
import { createChoice, joinNames, type Parameter } from './parameter';

/** The sort key is an effective day (D7), a number, or the owner. */
export interface Order {
  readonly key: 'firstDay' | 'lastDay' | 'owner' | NumberColumn;
  readonly isDescending: boolean;
}

export type OrderParameter = Parameter<Order> & { readonly kind: 'order' };

const ORDER_KEYS = {
  TimeframeStart: 'firstDay',
  TimeframeEnd: 'lastDay',
  Amount: 'amount',
  AllocationPriorityDate: 'firstDay',
  AllocationFlow_CFS: 'flow',
  AllocationVolume_AF: 'volume',
  AllocationOwner: 'owner',
} as const satisfies Readonly<Record<string, Order['key']>>;

/** Accepts one of the names, optionally with a hyphen in front for descending order. */
export function orderBy(...names: readonly (keyof typeof ORDER_KEYS)[]): OrderParameter {
  const choice = createChoice(
    names.flatMap((name): readonly (readonly [string, Order])[] => [
      [name, { key: ORDER_KEYS[name], isDescending: false }],
      [`-${name}`, { key: ORDER_KEYS[name], isDescending: true }],
    ]),
  );
  const { enum: allNames = [] } = choice.limits;
  return {
    kind: 'order',
    name: 'OrderBy',
    type: 'string',
    meaning: `Order of the records over all organizations: ${joinNames(allNames)}. A leading hyphen sorts in descending order; missing values come last.`,
    example: allNames.at(-1) ?? '',
    ...choice,
  };
}
