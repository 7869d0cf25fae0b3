// Failures on the console, never with an access key (D30): errors of URLs and of libraries repeat what they were given.

import { inspect } from 'node:util';
import { withoutKeys } from '../query/shown-text';

export function logFailure(message: string, error: unknown): void {
  console.error(withoutKeys(`${message} ${inspect(error)}`));
}
