// What the soak runs: tests that `npm test` runs in small, each with a count and a seed of its own (tests/fixtures/soak.ts).

import { join } from 'node:path';
import { projectDirectory } from '../../shared/project-files';

export interface SoakPart {
  readonly name: string;
  /** The file of the test. */
  readonly test: string;
}

export const soakParts: readonly SoakPart[] = [
  part('mutations', 'tests/property/mutated-submissions.test.ts'),
  part('killed-loads', 'tests/host/kill.test.ts'),
  part('killed-inboxes', 'tests/schedule/kill.test.ts'),
  part('fuzz', 'tests/property/openapi-fuzz.test.ts'),
  part('cosmos-faults', 'tests/store/cosmos-faults.test.ts'),
];

function part(name: string, test: string): SoakPart {
  return { name, test: join(projectDirectory(), test) };
}
