// The parameters of the search for names (D60).

import { NAMED_KINDS, type NamedKind } from '../records/find-results';
import { splitWords } from '../values/fold-text';
import { failure, success } from '../values/result';
import { state } from './filters';
import { recordCount, startIndex } from './page-parameters';
import { createChoice, createIntegerRange, joinNames, limitLength, type Parameter, type TermFilter } from './parameter';

export type WordsParameter = Parameter<readonly string[]> & { readonly kind: 'words' };

export type FoundKindParameter = Parameter<NamedKind> & { readonly kind: 'foundKind' };

/** Limits the work: each word is searched separately, and no real name has this many words. */
const MAX_WORDS = 32;

export const words: WordsParameter = {
  kind: 'words',
  name: 'Query',
  type: 'string',
  meaning:
    'Words from a name or an identifier; the beginning of a word is enough. Letter case, diacritics and punctuation are ignored.',
  example: 'bear riv',
  limits: { minLength: 1 },
  required: 'words of a name',
  read: limitLength((text) => {
    const read = splitWords(text);
    if (read.length === 0) return failure('must have a letter or a digit');
    return read.length > MAX_WORDS ? failure(`must have at most ${MAX_WORDS} words`) : success(read);
  }),
};

const kind: FoundKindParameter = {
  kind: 'foundKind',
  name: 'Kind',
  isRepeatable: true,
  type: 'string',
  meaning: `The kind of result: ${joinNames(NAMED_KINDS)}. Without it, all kinds.`,
  example: 'County',
  ...createChoice(NAMED_KINDS.map((name) => [name, name] as const)),
};

const stateOfNames: TermFilter = {
  ...state,
  meaning: 'Two-letter state abbreviation. Only results located in this state, and its rights and organizations.',
};

export const findParameters = [
  words,
  kind,
  stateOfNames,
  { ...startIndex, meaning: '0-based index of the first name.' },
  {
    ...recordCount,
    ...createIntegerRange(1, 100),
    meaning: 'Number of names in the answer.',
    example: '10',
    defaultValue: 20,
  },
] as const;
