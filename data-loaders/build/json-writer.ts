// Writes objects as JSON with exactly the declared members.

import type { Members, ObjectValue } from '../../shared/records/object-definition';
import { createMemberPicker } from '../format/row-shape';

/** Writes the declared members of the object that `objectOf` makes, which may have others beside them. */
export function createWriter<M extends Members, Values extends readonly unknown[]>(
  members: M,
  buildObject: (...values: Values) => ObjectValue<M>,
): (...values: Values) => string {
  const pick = createMemberPicker(Object.keys(members));
  return (...values) => JSON.stringify(pick(buildObject(...values)));
}

/** Some dates are given as timestamps at midnight in the answer (D28). */
export function toTimestamp(date: string | null): string | null {
  return date === null ? null : `${date}T00:00:00`;
}
