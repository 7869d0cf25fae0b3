// Finds files whose names are nearly those of the format, such as `site.csv` for `sites.csv` (ADR 0051).

import { editDistance } from '../../shared/values/nearest-names';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE } from '../format/submission-metadata';
import { type SubmittedFiles } from '../format/submitted-files';

/** Files whose names differ slightly from those of the format: another letter case, `site.csv`, `sites (1).csv`. */
export function findMisnamedFiles(files: SubmittedFiles): readonly string[] {
  const names = [...submissionFiles.map(({ name }) => name), METADATA_FILE];
  const others = files.names().filter((name) => !names.includes(name));
  return names.flatMap((name) => {
    if (files.file(name) !== undefined) return [];
    const candidate = others.find((other) => isNearlyName(other, name));
    return candidate === undefined ? [] : [`${candidate} seems to be meant as ${name}, so give it that very name`];
  });
}

/** Reports of an earlier load may be in the folder. */
const REPORT_NAME = /^(?:submitted-)?report\.(?:json|md)$/;

/** The number of typing errors allowed in a name: two in a name so long that no other word is as close. */
const MAX_SLIPS = { ofShort: 1, ofLong: 2, long: 9 };

/**
 * Whether one name can only be a misspelling of the other: the letters are the same, or all but a typing error or two.
 */
function isNearlyName(other: string, name: string): boolean {
  if (REPORT_NAME.test(other)) return false;
  const letters = extractLetters(other);
  const nameLetters = extractLetters(name);
  const slips = nameLetters.length < MAX_SLIPS.long ? MAX_SLIPS.ofShort : MAX_SLIPS.ofLong;
  return editDistance(letters, nameLetters, slips) <= slips;
}

/** Fewer letters occur in many names by chance. */
const MIN_LETTERS = 5;

/** Missing files whose names contain this name, as waterallocations.csv contains `water.csv`. */
export function findSimilarFiles(other: string, files: SubmittedFiles): readonly string[] {
  const letters = extractLetters(other);
  if (letters.length < MIN_LETTERS) return [];
  const absent = submissionFiles.map(({ name }) => name).filter((name) => files.file(name) === undefined);
  return absent.filter((name) => extractLetters(name).includes(letters));
}

/** The letters of a file name before its first dot. */
function extractLetters(name: string): string {
  return name
    .replace(/\..*$/, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
