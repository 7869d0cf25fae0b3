// Limits how deeply arguments may be nested (D72), because recursive functions would overflow the stack.

/** More than any argument needs. The deepest is a boundary as GeoJSON. */
export const MAX_NESTING = 20;

/** Whether any of the values contains more than `levels` nested lists or objects. Does not look any deeper. */
export function isNestedDeeper(values: readonly unknown[], levels: number): boolean {
  let containers = values.filter(isContainer);
  for (let level = 0; level < levels && containers.length > 0; level++) {
    containers = containers.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return containers.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
