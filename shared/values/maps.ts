// Maps and objects whose values are created on demand or by name.

/** Returns the value of a key, and creates it when it is first needed. */
export function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}

/** Returns the number of a key. New keys get the next number, from 0. */
export function getOrAssignNumber<Key>(numbers: Map<Key, number>, key: Key): number {
  const existing = numbers.get(key);
  if (existing !== undefined) return existing;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

/** Builds an object with one member for each name. */
export function buildByName<Name extends string, Value>(
  names: readonly Name[],
  buildValue: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  // The object has exactly these names.
  return Object.fromEntries(names.map((name) => [name, buildValue(name)])) as Record<Name, Value>;
}
