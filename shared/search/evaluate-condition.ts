// Evaluates a condition (docs/architecture.md, "The path of a request") for any subject, such as the records of a
// release or its places. Conditions with their own index structures are evaluated first (posting lists, texts,
// boundaries). Conditions that scan a column come last and test only the remaining numbers, or the whole column if no
// other condition narrows them down. A negation is pushed down to a comparison: it matches the numbers for which the
// comparison is defined but not true. So three-valued logic costs one more set per comparison (ADR 0075).

import type { ComparedMember, Condition } from '../query/condition';
import { giveWayIfSliceOver } from '../store/deadline';
import { AllRecords, difference, intersection, NO_RECORDS, type RecordSet, union } from './index/record-set';

/** How a comparison is decided. */
export interface Predicate {
  /** Finds the numbers for which the comparison is true. */
  readonly matches: () => Promise<RecordSet>;
  /**
   * Finds the numbers for which the comparison is true or false. If missing, these are the numbers that have the
   * compared member.
   */
  readonly defined?: () => Promise<RecordSet>;
  /**
   * Selects the candidates (ascending) for which the comparison is true. Only comparisons that scan a column have this
   * function.
   */
  readonly filter?: (candidates: Uint32Array) => Promise<RecordSet>;
}

/** The subject of a condition. */
export interface ConditionSubject {
  /** All numbers are less than this. */
  readonly size: number;
  /** Returns undefined for a condition that only combines other conditions. */
  readonly toPredicate: (condition: Condition) => Predicate | undefined;
  /** Returns the numbers of the records or places that have the member. */
  readonly findWithMember: (member: ComparedMember) => Promise<RecordSet>;
}

/** Returns the numbers for which the condition, or its negation, is true. Throws DeadlinePassedError. */
export async function evaluateCondition(
  condition: Condition,
  subject: ConditionSubject,
  isNegated = false,
): Promise<RecordSet> {
  const { size } = subject;
  await giveWayIfSliceOver();
  const predicate = subject.toPredicate(condition);
  if (predicate !== undefined) {
    const matches = await predicate.matches();
    if (!isNegated) return matches;
    const defined = await (predicate.defined?.() ?? findDefined(condition, subject));
    return difference(defined, matches, size);
  }
  if (condition.kind === 'missing') {
    const withMember = await subject.findWithMember(condition.member);
    return isNegated ? withMember : difference(new AllRecords(size), withMember, size);
  }
  if (condition.kind === 'not') return evaluateCondition(condition.operand, subject, !isNegated);
  if (condition.kind !== 'all' && condition.kind !== 'any') throw new Error(`nothing decides ${condition.kind}`);
  if (condition.kind === 'all' && !isNegated) return evaluateAll(condition.operands, subject);
  const sets: RecordSet[] = [];
  for (const operand of condition.operands) sets.push(await evaluateCondition(operand, subject, isNegated));
  // NOT (a OR b) = NOT a AND NOT b.
  return condition.kind === 'any' && isNegated ? intersection([new AllRecords(size), ...sets]) : union(sets);
}

/** Finds the numbers that have the member that a comparison is about. */
async function findDefined(condition: Condition, { size, findWithMember }: ConditionSubject): Promise<RecordSet> {
  if (condition.kind === 'term') return findWithMember({ kind: 'field', field: condition.field });
  if (condition.kind === 'boundary') return findWithMember({ kind: 'geometry' });
  return 'member' in condition ? findWithMember(condition.member) : new AllRecords(size);
}

/** Evaluates cheap conditions first and stops when nothing is left. */
async function evaluateAll(conditions: readonly Condition[], subject: ConditionSubject): Promise<RecordSet> {
  const { size } = subject;
  const sets: RecordSet[] = [new AllRecords(size)];
  const columnScans: Required<Pick<Predicate, 'matches' | 'filter'>>[] = [];
  for (const condition of conditions.toSorted((a, b) => estimateCost(a) - estimateCost(b))) {
    const { matches, filter } = subject.toPredicate(condition) ?? {};
    if (matches !== undefined && filter !== undefined) {
      columnScans.push({ matches, filter });
      continue;
    }
    const set = await evaluateCondition(condition, subject);
    if (set.size === 0) return NO_RECORDS;
    sets.push(set);
  }
  let remaining = intersection(sets);
  for (const { matches, filter } of columnScans) {
    if (remaining.size === 0) return NO_RECORDS;
    remaining = remaining.size === size ? await matches() : await filter(remaining.slice());
  }
  return remaining;
}

function estimateCost({ kind }: Condition): number {
  if (kind === 'term') return 0;
  return kind === 'boundary' ? 2 : 1;
}
