// Creates self-service keys (D56) as the settings configure them: the keys, and the queue of emails about them.

import type { Store } from '../store/port';
import { MailQueue, type MailQueueInput } from './mail-queue';
import type { MailSettings } from './mail-text';
import { type ClockAndRandom, SelfServiceKeys, type SelfServiceOptions } from './self-service-keys';

export interface SelfService {
  readonly kind: SelfServiceOptions['kind'];
  readonly keys: SelfServiceKeys;
  /** Undefined if keys are issued without emails. */
  readonly mails: MailQueue | undefined;
}

/** Undefined if the settings turn self-service keys off. */
export function createSelfService(
  settings: { readonly selfService: SelfServiceOptions | undefined; readonly mail: MailSettings | undefined },
  store: Pick<Store, 'keys' | 'documents'>,
  parts: ClockAndRandom & Pick<MailQueueInput, 'logError' | 'count'>,
): SelfService | undefined {
  const { selfService: options, mail } = settings;
  if (options === undefined) return undefined;
  const keys = new SelfServiceKeys(store, options, parts);
  const { now, logError, count } = parts;
  const queue = { documents: store.documents, keys, now, logError, count };
  return { kind: options.kind, keys, mails: mail && new MailQueue({ ...queue, settings: mail }) };
}
