// Keeps the SDK from trying again on its own where the network fails: it would wait a second and ask once more, ten times, within
// what retries.ts counts as one try. It still looks for another region, and for what a session has written.

import { NoAnswerError } from './failures';

/** After these the SDK looks whether the account has another region. */
const REGION_IS_GONE: readonly unknown[] = ['ENOTFOUND', 'REQUEST_SEND_ERROR'];

/** The SDK's plugins see each request that it sends; its types hide them. */
interface Plugins {
  readonly plugins: readonly { readonly on: 'request'; readonly plugin: typeof sendOnce }[];
}

export const WITHOUT_RETRIES: Plugins = { plugins: [{ on: 'request', plugin: sendOnce }] };

async function sendOnce<Context, Answer>(
  context: Context,
  _diagnostics: unknown,
  next: (context: Context) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await next(context);
  } catch (error) {
    const { code } = error as { readonly code?: unknown }; // Of an Error, or undefined.
    throw typeof code === 'number' || REGION_IS_GONE.includes(code) ? error : new NoAnswerError(error);
  }
}
