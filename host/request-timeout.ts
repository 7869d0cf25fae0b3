// Limits how long the body of a request may take to arrive. Node has one limit for all requests, which has to allow the
// slowest: sending a submission takes minutes (D76).

import type { IncomingMessage } from 'node:http';
import type { RequestBody } from './request-body';

/** Calls `refuse` unless the request arrives within `milliseconds` or its body is read as a stream. */
export function limitRequestTime(
  request: IncomingMessage,
  body: Pick<RequestBody, 'isStreamed'> | undefined,
  milliseconds: number,
  refuse: () => void,
): void {
  if (body === undefined) return;
  const timer = setTimeout(() => {
    if (!request.complete && !body.isStreamed()) refuse();
  }, milliseconds);
  request.once('close', () => {
    clearTimeout(timer);
  });
}
