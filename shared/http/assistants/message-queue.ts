// Answers the messages of one body in turn (D72). A batch has up to 100 messages, which must not all run at once.

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { giveWayIfSliceOver } from '../../store/deadline';

/** When the answers to a batch exceed this size together, its remaining messages are refused. */
const MAX_ANSWERS_BYTES = 250_000;

export class MessageQueue {
  /** Failures inside the service. The first one ends the work on the body. */
  readonly failures: unknown[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private answeredBytes = 0;

  /** Runs the work after all earlier messages. Other requests can run between messages. */
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
  const message = `Together, the answers to this batch have more than ${limit}. Send this message again in a request of its own.`;
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
}
