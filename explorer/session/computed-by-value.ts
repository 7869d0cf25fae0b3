// A computed signal that compares plain data by content.

import { computed, type ReadonlySignal } from '@preact/signals-core';

/** Notifies only when the content changes, not on every new object. */
export function computedByValue<Value>(compute: () => Value): ReadonlySignal<Value> {
  const text = computed(() => JSON.stringify(compute()) as string | undefined);
  return computed(() => (text.value === undefined ? undefined : JSON.parse(text.value)) as Value);
}
