// Writes objects as JSON with exactly the declared members.

import type { Members, ObjectValue } from '../../shared/records/object-definition';
import { createMemberPicker } from '../format/row-shape';

/** Creates a function that writes the declared members of the objects from `buildObject` and omits all others. */
export function createWriter<M extends Members, Values extends readonly unknown[]>(
  members: M,
  buildObject: (...values: Values) => ObjectValue<M>,
): (...values: Values) => string {
  const pick = createMemberPicker(Object.keys(members));
  return (...values) => JSON.stringify(pick(buildObject(...values)));
}

/** Some dates in answers are timestamps at midnight (D28). */
export function toTimestamp(date: string | null): string | null {
  return date === null ? null : `${date}T00:00:00`;
}
