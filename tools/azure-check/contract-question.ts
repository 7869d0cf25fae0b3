// Does the account fulfill the store contract? Runs the same checks as the tests (tools/store-contract).

import type { Store } from '../../shared/store/port';
import { declareSharingContract, declareStoreContract } from '../store-contract/store-contract';
import { type Answer, describeError, openSubject, type Question, type Subject } from './question';

export const contractQuestion: Question = {
  title: "Does the account meet the store's contract?",
  answer: runContract,
};

interface Check {
  readonly name: string;
  readonly run: () => Promise<void>;
}

async function runContract(subject: Subject): Promise<Answer> {
  let stores: readonly [Store, Store] = [openSubject(subject), openSubject(subject)];
  const checks: Check[] = [];
  const declare = (name: string, run: () => Promise<void>): void => void checks.push({ name, run });
  declareStoreContract(declare, () => stores[0]);
  declareSharingContract(declare, () => stores);
  const failures: string[] = [];
  for (const { name, run } of checks) {
    if (subject.signal.aborted) break;
    try {
      await run();
    } catch (error) {
      failures.push(`${name}: ${describeError(error)}`);
    }
    await Promise.all(stores.map((store) => store.close()));
    await subject.database.empty();
    stores = [openSubject(subject), openSubject(subject)];
  }
  await Promise.all(stores.map((store) => store.close()));
  const passed = `${checks.length - failures.length} of ${checks.length} checks passed.`;
  return { verdict: failures.length === 0 ? 'PASS' : 'FAIL', details: [passed, ...failures] };
}
