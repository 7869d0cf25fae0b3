// Questions of the page that are put again and again: the newest one wins, and one that must wait is put again.

import type { Reply } from '../../explorer/requests/reply';
import { Asking, type Wait } from '../../explorer/session/asking';
import { settle } from '../fixtures/explorer-services';

describe('what is asked again and again', () => {
  type Resolve = (reply: Reply<number>) => void;
  const answer = (value: number): Reply<number> => ({ kind: 'answer', value, version: '' });
  const quiet = { isFormer: false, trouble: undefined, isAsking: false, isSlow: false };
  const never = () => new Promise<Reply<number>>(() => undefined);

  /** Waits that are over when a test says so, and those that were not prevented by then. */
  function clock() {
    const waits: { readonly milliseconds: number; readonly act: () => void; isPrevented: boolean }[] = [];
    const wait: Wait = (milliseconds, act) => {
      const one = { milliseconds, act, isPrevented: false };
      waits.push(one);
      return () => {
        one.isPrevented = true;
      };
    };
    return { wait, due: () => waits.filter(({ isPrevented }) => !isPrevented) };
  }

  test('shows the newest answer, whichever comes first, and the former one until then', async () => {
    const asking = new Asking<number>(() => () => undefined);
    const resolves: Resolve[] = [];
    const question = () => new Promise<Reply<number>>((resolve: Resolve) => resolves.push(resolve));
    const questions = [1, 2, 3].map(() => () => question());
    for (const one of questions) asking.ask(one, 'one subject');
    resolves[1]?.(answer(2));
    await settle();
    expect(asking.current.value).toEqual({ ...quiet, answer: undefined, isAsking: true });
    resolves[2]?.(answer(3));
    resolves[0]?.(answer(1));
    await settle();
    expect(asking.current.value).toEqual({ ...quiet, answer: answer(3) });
    asking.again();
    expect(asking.current.value).toEqual({ ...quiet, answer: answer(3), isAsking: true });
  });

  test('says that an answer is a former one when the subject is another, also when there is none to that', async () => {
    const asking = new Asking<number>(() => () => undefined);
    asking.ask(() => Promise.resolve(answer(3)), 'Utah');
    await settle();
    const refused: Reply<number> = { kind: 'refused', reasons: ['No such county.'] };
    asking.ask(() => Promise.resolve(refused), 'nowhere');
    expect(asking.current.value).toEqual({ ...quiet, answer: answer(3), isFormer: true, isAsking: true });
    await settle();
    expect(asking.current.value).toEqual({ ...quiet, answer: answer(3), isFormer: true, trouble: refused });
    asking.ask(() => Promise.resolve(answer(4)), 'Idaho');
    expect(asking.current.value.trouble).toBeUndefined();
    await settle();
    expect(asking.current.value).toEqual({ ...quiet, answer: answer(4) });
  });

  test('says after a while that it waits, gives up in the end, and asks again when it is told to', async () => {
    const { wait, due } = clock();
    const asking = new Asking<number>(wait);
    const signals: AbortSignal[] = [];
    asking.ask((abort) => {
      signals.push(abort);
      return never();
    }, '');
    const [slow, silent] = due();
    slow?.act();
    expect(asking.current.value).toMatchObject({ isAsking: true, isSlow: true });
    silent?.act();
    const trouble = { kind: 'silent', seconds: 45 };
    expect(asking.current.value).toEqual({ ...quiet, answer: undefined, trouble });
    expect([signals.map(({ aborted }) => aborted), due()]).toEqual([[true], []]);
    asking.again();
    expect([signals.length, due().length, asking.current.value.isSlow]).toEqual([2, 2, false]);
    asking.ask(() => Promise.resolve(answer(1)), '');
    await settle();
    expect([asking.current.value, due()]).toEqual([{ ...quiet, answer: answer(1) }, []]);
  });

  test('waits as long as it is told, and then asks by itself', async () => {
    const { wait, due } = clock();
    const asking = new Asking<number>(wait);
    const waited: number[] = [];
    const actOnce = async (): Promise<void> => {
      const waits = due();
      waited.push(...waits.map(({ milliseconds }) => milliseconds));
      waits[0]?.act();
      await settle();
    };
    const replies: Reply<number>[] = [{ kind: 'busy', seconds: 4 }, { kind: 'unreachable' }, answer(5)];
    asking.ask(() => Promise.resolve(replies.shift() ?? answer(0)), '');
    await settle();
    expect(asking.current.value.trouble).toEqual({ kind: 'busy', seconds: 4 });
    await actOnce();
    await actOnce();
    expect([waited, due()]).toEqual([[4000, 10_000], []]);
    expect(asking.current.value).toEqual({ ...quiet, answer: answer(5) });
  });
});
