// Names a downloaded file after its content.

import { getKind } from '../state/kinds';
import { orderFilters, type Selection } from '../state/state';
import type { FileFormat } from './downloads';

/** Maximum characters of one value in a file name, and of all values together. */
const MAX_VALUE_LENGTH = 30;

const MAX_VALUES_LENGTH = 90;

/** Consists of the kind, the filter values, and the first characters of the data version. */
export function buildFileName(selection: Selection, format: FileFormat | 'png', version: string): string {
  const parts = Object.entries(orderFilters(selection))
    .filter(([name]) => name !== 'DataVersion')
    .flatMap(([name, values]) => values.map((value) => toNamePart(value.length > MAX_VALUE_LENGTH ? name : value)));
  const shown = parts.filter((_, index) => parts.slice(0, index + 1).join('_').length <= MAX_VALUES_LENGTH);
  const more = parts.length > shown.length ? [`and-${parts.length - shown.length}-more`] : [];
  return `${[getKind(selection.kind).dataSet, ...shown, ...more, version.slice(0, 8)].filter(Boolean).join('_')}.${format}`;
}

/** Keeps letters and digits of any script, and replaces anything between them with one hyphen. */
function toNamePart(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
}
