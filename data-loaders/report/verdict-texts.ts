// What each verdict means for a submitter, and how to fix rejected rows after it.

import type { Report } from '../format/report';

const NOTHING_CHANGED = 'Nothing was published, and nothing that was published before has changed.';

interface VerdictText {
  readonly title: string;
  readonly meaning: string;
  /** How to fix rejected rows. A merge changes only what is published, so it fixes nothing else. */
  readonly advice: string;
}

const MEND_ROWS = 'mend them there and send them as a `merge`, or mend the files and send everything again.';
const MEND_FILES = 'mend the files and send everything again.';

const DRY_RUN: VerdictText = {
  title: 'Dry run',
  meaning: 'Nothing was published: this run only looked.',
  advice: MEND_FILES,
};

export const verdictTexts: Readonly<Record<Report['verdict'], VerdictText>> = {
  published: {
    title: 'Published',
    meaning: 'Whoever asks the service is answered from this submission now.',
    advice: MEND_ROWS,
  },
  unchanged: {
    title: 'Unchanged',
    meaning: 'Whoever asks the service gets what they got before.',
    advice: MEND_ROWS,
  },
  refused: {
    title: 'Refused',
    meaning: `${NOTHING_CHANGED} Mend what is listed and send everything again.`,
    advice: MEND_FILES,
  },
  'would-publish': DRY_RUN,
  held: { title: 'Held', meaning: NOTHING_CHANGED, advice: MEND_FILES },
  'would-be-held': DRY_RUN,
};
