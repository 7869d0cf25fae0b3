// Answers the messages of one body one at a time (D72). A batch may contain 100 messages, which must not all run at
// once.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { giveWayIfSliceOver } from '../../store/deadline';

/**
 * The maximum total size of the answers to a batch. Once it is exceeded, the remaining messages of the batch are
 * refused.
 */
const MAX_ANSWERS_BYTES = 250_000;

export class MessageQueue {
  /** Failures inside the service. After the first failure, no more messages of the body are processed. */
  readonly failures: unknown[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private answeredBytes = 0;

  /** Runs the work after all earlier messages have been processed. Other requests can run between messages. */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.last.then(() => this.answer(work));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async answer<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.failures.length > 0) throw this.failures[0];
    if (this.answeredBytes > MAX_ANSWERS_BYTES) throw createLengthError();
    try {
      await giveWayIfSliceOver();
      const value = await work();
      this.answeredBytes += Buffer.byteLength(JSON.stringify(value));
      return value;
    } catch (error) {
      this.failures.push(error);
      throw error;
    }
  }
}

function createLengthError(): ProtocolError {
  const limit = `${MAX_ANSWERS_BYTES / 1000} KB`;
  const message = `Together, the answers to this batch have more than ${limit}. Send this message again in a separate request.`;
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
}
