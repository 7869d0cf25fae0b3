// Counts occurrences and keeps the first few as examples for a report.

import { MAX_EXAMPLES_SHOWN } from './report';

export class CountedExamples<Example> {
  count = 0;
  readonly examples: Example[] = [];

  add(makeExample: () => Example): void {
    this.count++;
    if (this.examples.length < MAX_EXAMPLES_SHOWN) this.examples.push(makeExample());
  }
}
