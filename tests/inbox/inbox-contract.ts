// The contract of inboxes (submissions.md, 5), which every kind of inbox runs as a suite.

import { testClaims } from './claims-contract';
import { inboxForEachTest, type TestInbox } from './inbox-of-test';
import { testMoves, type Strides } from './moves-contract';

export function describeInboxContract(
  name: string,
  create: () => Promise<TestInbox>,
  folder: string,
  strides: Strides,
): void {
  describe(name, () => {
    const at = inboxForEachTest(create, folder);
    testClaims(at);
    testMoves(at, strides);
  });
}
