// What every inbox must do, wherever it lies (submissions.md, 5). Each kind runs this suite.

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
