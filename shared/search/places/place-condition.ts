// Splits a condition on places (D42, D43, D47). A comparison applies either to the place itself or to its amounts.
// Comparisons of amounts that are joined by AND must all be true for the same amount.

import { type ComparedMember, type Condition, findConjuncts, joinAll, listConjuncts } from '../../query/condition';
import { isPlaceField } from '../../query/filter-fields';

/** All parts must be true. */
export interface PlaceCondition {
  /** The condition on one amount of the place; undefined if there is no such condition. */
  readonly amounts: Condition | undefined;
  /** The number of years in which one series must have such amounts. */
  readonly minimumYears: number | undefined;
  /** The other conditions, which must be true for the place. */
  readonly places: readonly Condition[];
}

export function splitCondition(condition: Condition): PlaceCondition {
  const conjuncts = listConjuncts(condition);
  const amounts = conjuncts.filter(isOfOneAmount);
  return {
    amounts: amounts.length === 0 ? undefined : joinAll(amounts),
    minimumYears: findConjuncts(condition, 'minimumYears')[0]?.years,
    places: conjuncts
      .filter((conjunct) => !isOfOneAmount(conjunct) && conjunct.kind !== 'minimumYears')
      .map(groupAmounts),
  };
}

/** Returns an equivalent condition in which comparisons that must be true for the same amount are one operand. */
function groupAmounts(condition: Condition): Condition {
  if (condition.kind === 'any') return { kind: 'any', operands: condition.operands.map(groupAmounts) };
  if (condition.kind === 'not') return { kind: 'not', operand: groupAmounts(condition.operand) };
  if (condition.kind !== 'all') return condition;
  const { amounts, places } = splitCondition(condition);
  return { kind: 'all', operands: amounts === undefined ? places : [...places, amounts] };
}

/** Whether the condition consists of comparisons of amounts, without a negation. */
export function isOfOneAmount(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.operands.length > 0 && condition.operands.every(isOfOneAmount);
    case 'term':
      return !isPlaceField(condition.field);
    case 'text':
    case 'number':
    case 'day':
      return !isMemberOfPlaces(condition.member);
    case 'within':
    case 'changedSince':
      return true;
    case 'not':
    case 'missing':
    case 'during':
    case 'boundary':
    case 'boundaryOfPlace':
    case 'minimumYears':
    case 'named':
      return false;
  }
}

export function isMemberOfPlaces(member: ComparedMember): boolean {
  if (member.kind === 'field') return isPlaceField(member.field);
  return member.kind === 'organization' || member.kind === 'geometry';
}
