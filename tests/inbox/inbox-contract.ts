// The contract of inboxes (submissions.md, 5), which every kind of inbox runs as a suite.

import { testClaims } from './claims-contract';
import { inboxForEachTest, type TestInbox } from './inbox-of-test';
import { testMoves } from './moves-contract';

export function describeInboxContract(name: string, createInbox: () => Promise<TestInbox>, folder: string): void {
  describe(name, () => {
    const at = inboxForEachTest(createInbox, folder);
    testClaims(at);
    testMoves(at);
  });
}
