// Phrases that the sections of a report share.

import type { Inline } from '../../shared/documents/document';
import type { DataSetOutcome, Hold, Report } from '../format/report';

export function seconds({ milliseconds }: Report): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Empty for a record or place that is gone, of which only the identity is known. */
export function exampleText(example: Hold['examples'][number]): readonly Inline[] {
  const { member, before, after } = example;
  if (member === null && before === null && after === null) return [];
  const previous = before === null ? [] : [scalarText(before), ' → '];
  return [`${member ?? 'at'} `, ...previous, scalarText(after)];
}

/** How to publish held data; empty for other verdicts. */
export function confirmation({ verdict, confirmationCode: code }: Report): readonly string[] {
  if (code === null || (verdict !== 'held' && verdict !== 'would-be-held')) return [];
  return [
    `The confirmation code is ${code}. To publish exactly this, do one of these: press Confirm on the page /submit, if you ` +
      `sent the submission there; write "confirm": "${code}" into submission.json and send the submission again; or run ` +
      `npm run load -- FOLDER --confirm ${code}.`,
  ];
}

export function getDataSetTitle({ dataSet, organizationUuid }: DataSetOutcome): string {
  return `${dataSet} of ${organizationUuid}`;
}

export function scalarText(value: string | number | boolean | null): Inline {
  return valueText(value === null ? '' : String(value));
}

/** A value from a file, on one line. */
export function valueText(value: string): Inline {
  const flat = value.replace(/\s+/g, ' ').trim();
  if (flat === '') return '(empty)';
  return { code: flat };
}

/** Joins names and values with commas. */
export function joinInlines(parts: readonly Inline[]): readonly Inline[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));
}
