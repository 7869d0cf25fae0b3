// Phrases that the terminal report and the Markdown report share.

import type { DataSetOutcome, Hold, Report } from '../format/report';
import { code } from './markdown';

export function seconds({ milliseconds }: Report): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Empty for a record or place that is gone, which has only its identity. */
export function exampleText({ member, before, after }: Hold['examples'][number]): string {
  if (member === null && before === null && after === null) return '';
  return `${member ?? 'at'} ${before === null ? '' : `${scalarText(before)} → `}${scalarText(after)}`;
}

/** How to publish what is held; empty for other verdicts. */
export function confirmation({ verdict, confirmationCode: code }: Report): readonly string[] {
  if (code === null || (verdict !== 'held' && verdict !== 'would-be-held')) return [];
  return [
    `The confirmation code is ${code}. To publish exactly this, write "confirm": "${code}" into submission.json and send ` +
      `the submission again, or run npm run load -- FOLDER --confirm ${code}.`,
  ];
}

export function titleOf({ dataSet, organizationUuid }: DataSetOutcome): string {
  return `${dataSet} of ${organizationUuid}`;
}

export function scalarText(value: string | number | boolean | null): string {
  return value === null ? '(empty)' : code(String(value));
}
