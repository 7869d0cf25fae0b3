// Explains each verdict to a submitter, and then how to fix rejected rows.

import type { Report } from '../format/report';

const NOTHING_CHANGED = 'Nothing was published, and the published data have not changed.';

interface VerdictText {
  readonly title: string;
  readonly meaning: string;
  /** How to fix rejected rows. A merge only changes published data, so it cannot help if nothing was published. */
  readonly advice: string;
  /** What to send again if no row was rejected; missing if nothing has to be sent again. */
  readonly sendAgain?: string;
}

const FIX_ROWS = 'fix them there and send them as a `merge`, or fix the files and send everything again.';
const FIX_FILES = 'fix the files and send everything again.';

const DRY_RUN: VerdictText = {
  title: 'Dry run',
  meaning: 'This was a check only: nothing was published.',
  advice: FIX_FILES,
};

export const verdictTexts: Readonly<Record<Report['verdict'], VerdictText>> = {
  published: {
    title: 'Published',
    meaning: 'Queries now return this submission.',
    advice: FIX_ROWS,
  },
  unchanged: {
    title: 'Unchanged',
    meaning: 'Query results have not changed.',
    advice: FIX_ROWS,
  },
  refused: {
    title: 'Refused',
    meaning: NOTHING_CHANGED,
    advice: FIX_FILES,
    sendAgain:
      'Fix the problem that the first line describes. Then send the whole submission again: all of its files, even those that need no change.',
  },
  'would-publish': DRY_RUN,
  held: { title: 'Held', meaning: 'The published data have not changed.', advice: FIX_FILES },
  'would-be-held': { title: 'Dry run', meaning: 'This was a check only.', advice: FIX_FILES },
};
