// The report of a submission that the loading pipeline did not look into.

import { refusedOutcome } from '../publish/outcome';
import type { Report } from '../format/report';

/** `problem` is a sentence without its full stop. */
export function refusedReport(problem: string): Report {
  return { ...refusedOutcome(problem), files: [], findings: [], notes: [], milliseconds: 0 };
}
