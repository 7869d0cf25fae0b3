// Answers that several requests ask for at the same time are rendered once, and the others wait for the result.

import { awaitUntilDeadline, type Deadline, getCurrentDeadline, withDeadline } from '../../store/deadline';

interface Rendering {
  readonly result: Promise<unknown>;
  /** The deadlines of the requests that wait for it. */
  readonly waiting: Set<Deadline>;
}

/** The renderings that are in progress. Nothing is kept when one has ended, neither its result nor its failure. */
export class SharedRenderings {
  private readonly renderings = new Map<string, Rendering>();

  /**
   * Calls `render`, or waits for the rendering with the same key that is in progress. `key` must name everything that
   * the result depends on. A rendering goes on while at least one client waits for it; it has the deadline of the first.
   * Each request waits until its own deadline. Throws DeadlinePassedError, and what `render` throws.
   */
  async run<Value>(key: string, render: () => Promise<Value>): Promise<Value> {
    const rendering = this.renderings.get(key) ?? this.start(key, render);
    const deadline = getCurrentDeadline();
    rendering.waiting.add(deadline);
    try {
      return (await awaitUntilDeadline(rendering.result)) as Value; // All renderings with this key have the same type.
    } finally {
      rendering.waiting.delete(deadline);
    }
  }

  private start(key: string, render: () => Promise<unknown>): Rendering {
    const waiting = new Set<Deadline>([getCurrentDeadline()]);
    const isNobodyWaiting = (): boolean => [...waiting].every((deadline) => deadline.isClientGone());
    const shared = getCurrentDeadline().share(isNobodyWaiting);
    const result = withDeadline(shared, render).finally(() => this.renderings.delete(key));
    const rendering = { result, waiting };
    this.renderings.set(key, rendering);
    return rendering;
  }
}
