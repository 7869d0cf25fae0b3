// Finds the reasons to hold a submission (D64). A submission is held if it would probably publish wrong data. It must
// then be confirmed with the code in its report.

import type { DataSetKind } from '../../shared/records/data-sets';
import { digestContent } from '../../shared/values/digest';
import { HOLD_LIMITS, type HoldReason } from '../format/hold-reasons';
import { type DataSetOutcome, type Difference, type Hold, MAX_EXAMPLES_SHOWN } from '../format/report';
import { formatCount, formatNumber, formatPercent } from '../format/report-numbers';
import type { ChangedExample, RecordChanges } from './record-comparison';
import { measureNames } from './totals';

/** The number of affected records or places, the total, and the first affected ones. */
type Share = Pick<Hold, 'count' | 'of' | 'examples'>;

/** The holds for records. There are none without a previous release. */
export function findRecordHolds(kind: DataSetKind, changes: RecordChanges | undefined): readonly Hold[] {
  if (changes === undefined) return [];
  const { previousRecords, added, removed, gone, changedAmounts, changedPriorities, links } = changes;
  const remaining = { of: previousRecords - removed };
  const isMeasure = ({ member }: Difference): boolean => measureNames[kind].includes(member);
  const isPriority = ({ member }: Difference): boolean => member === 'AllocationPriorityDate';
  const amounts = {
    ...remaining,
    count: changedAmounts.count,
    examples: listDifferences(changedAmounts.examples, isMeasure),
  };
  const { count, examples } = changedPriorities;
  const priorities = { ...remaining, count, examples: listDifferences(examples, isPriority) };
  const goneExamples = gone.examples.map((identity) => ({ identity, member: null, before: null, after: null }));
  return [
    ...findRecordsGoneHold({ count: gone.count, of: previousRecords, examples: goneExamples }, added),
    ...findGoneHold('place-links-gone', links, [
      'links from rights to sites',
      'would be removed, although the rights stay',
    ]),
    ...findMajorityHold('amounts-changed', amounts, ['records that stay', 'have a different amount']),
    ...findMajorityHold('priorities-changed', priorities, ['rights that stay', 'have a different priority date']),
  ].map((hold) => ({ ...hold, examples: hold.examples.slice(0, MAX_EXAMPLES_SHOWN) }));
}

/** Lists the included differences of examples. */
export function listDifferences(
  examples: readonly ChangedExample[],
  isIncluded: (difference: Difference) => boolean,
): Hold['examples'] {
  return examples.flatMap(({ identity, members }) =>
    members.filter(isIncluded).map((difference) => ({ identity, ...difference })),
  );
}

/** The hold for missing records, places or links. There is none if only a few are missing. */
export function findGoneHold(reason: HoldReason, share: Share, parts: SentenceParts): readonly Hold[] {
  const { goneShare, minGone } = HOLD_LIMITS;
  if (share.count < minGone || share.count <= share.of * goneShare) return [];
  return [buildHold(reason, share, parts)];
}

/**
 * `added` is the number of new records. If it is close to the number of missing records, these are probably the same
 * records with new keys.
 */
function findRecordsGoneHold(share: Share, added: number): readonly Hold[] {
  const [hold] = findGoneHold('records-gone', share, ['published records', 'would be removed']);
  if (hold === undefined) return [];
  if (added < share.count * HOLD_LIMITS.majorityShare) return [hold];
  const remark = ` ${formatCount(added, 'other')} ${added === 1 ? 'is' : 'are'} new: an identifier or a date in the keys has probably changed.`;
  return [{ ...hold, sentence: hold.sentence + remark }];
}

/** The parts of "12 of the 20 THINGS DO SOMETHING". */
type SentenceParts = readonly [things: string, predicate: string];

/**
 * The hold if a majority of records or places is affected. There is none if only a few are. `remark` follows its
 * sentence.
 */
export function findMajorityHold(reason: HoldReason, share: Share, parts: SentenceParts, remark = ''): readonly Hold[] {
  const { majorityShare, minCompared } = HOLD_LIMITS;
  if (share.of < minCompared || share.count <= share.of * majorityShare) return [];
  const hold = buildHold(reason, share, parts);
  return [{ ...hold, sentence: hold.sentence + remark }];
}

/** The hold if a majority of positions is unusable or, if there are few positions, all of them. */
export function findUnusableHold(share: Share, parts: SentenceParts, remark: string): readonly Hold[] {
  const { minPlaces } = HOLD_LIMITS;
  if (share.of < minPlaces || share.count < share.of)
    return findMajorityHold('positions-unusable', share, parts, remark);
  const hold = buildHold('positions-unusable', share, parts);
  return [{ ...hold, sentence: hold.sentence + remark }];
}

function buildHold(reason: HoldReason, { count, of, examples }: Share, [things, predicate]: SentenceParts): Hold {
  const share = formatPercent(count / of);
  const sentence = `${formatNumber(count)} of the ${formatNumber(of)} ${things} ${predicate} (${share}).`;
  return { reason, sentence, count, of, examples };
}

const CODE_LENGTH = 12;

/** The code depends on the data to be published, the release to be replaced, and the reasons to hold. */
export function computeConfirmationCode(dataSets: readonly DataSetOutcome[]): string {
  const content = dataSets.map(({ organizationUuid, dataSet, releaseId, formerReleaseId, holds }) => {
    return [organizationUuid, dataSet, releaseId, formerReleaseId, holds.map(({ reason }) => reason)];
  });
  return digestContent(JSON.stringify(content)).slice(0, CODE_LENGTH);
}
