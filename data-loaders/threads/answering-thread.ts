// A thread that answers requests one by one, in their order.

import { Worker, type ResourceLimits } from 'node:worker_threads';

export interface AnsweringThreadInput {
  /** What the thread does, for its errors: `reads rows`. */
  readonly task: string;
  /** Its compiled entry point. */
  readonly program: string;
  readonly data: unknown;
  readonly limits: ResourceLimits;
}

export class AnsweringThread {
  private readonly thread: Worker;
  /** Requests without an answer yet; answers come in the order of the requests. */
  private readonly pending: PromiseWithResolvers<unknown>[] = [];
  private failure: Error | undefined;

  constructor({ task, program, data, limits }: AnsweringThreadInput) {
    this.thread = new Worker(program, { workerData: data, resourceLimits: limits });
    this.thread.on('message', (answer: unknown) => this.pending.shift()?.resolve(answer));
    const failed = (cause: unknown): void => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.fail(new Error(`the thread that ${task} failed: ${reason}`, { cause }));
    };
    this.thread.once('error', failed);
    this.thread.once('messageerror', failed);
    this.thread.once('exit', () => {
      this.fail(new Error(`the thread that ${task} has ended`));
    });
  }

  /** Sends a request with memory that becomes the thread's; rejects when the thread fails or ends before it answers. */
  request(request: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const answer = Promise.withResolvers<unknown>();
    this.pending.push(answer);
    this.thread.postMessage(request, transfer);
    return answer.promise;
  }

  /** Sends what has no answer. */
  send(message: unknown): void {
    this.thread.postMessage(message);
  }

  /** Ends the thread at once; requests that are pending fail. */
  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.pending.splice(0)) reject(this.failure);
  }
}
