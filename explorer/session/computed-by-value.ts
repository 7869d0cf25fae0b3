// A computed signal that compares plain data by content.

import { computed, type ReadonlySignal } from '@preact/signals-core';

/** A value of plain data that counts as another one when it says something else, and not whenever it is made anew. */
export function computedByValue<Value>(compute: () => Value): ReadonlySignal<Value> {
  const text = computed(() => JSON.stringify(compute()) as string | undefined);
  return computed(() => (text.value === undefined ? undefined : JSON.parse(text.value)) as Value);
}
