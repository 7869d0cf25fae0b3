// Maintenance of the records of self-service keys, by the service and by its operator (D56).

import { SELF_SERVICE_KINDS } from '../store/catalog-types';
import type { Store } from '../store/port';
import type { DocumentStore } from '../store/service-documents';
import { isUsable, removePerson } from './access-keys';
import { NEVER } from './self-service-keys';

/** Deletes expired documents, and the names of owners whose keys are no longer valid. */
export async function deleteExpired({ keys, documents }: Pick<Store, 'keys' | 'documents'>, now: Date): Promise<void> {
  for (const key of await keys.list()) {
    const isNamed = key.email !== null && `${key.email}${key.owner}` !== '';
    if (isNamed && !isUsable(key, now)) await keys.change(key.id, removePerson);
  }
  const at = now.toISOString();
  for (const kind of SELF_SERVICE_KINDS) {
    const expired = (await documents.list(kind)).filter(({ expiresAt }) => expiresAt <= at);
    const ids = expired.map(({ id }) => id);
    // A document may have been renewed since it was read.
    await documents.change(kind, ids, (stored) => (stored && stored.expiresAt > at ? stored : undefined));
  }
  await documents.wipe();
}

/** Stops emails to a domain and all of its subdomains. */
export function blockDomain(documents: DocumentStore, domain: string): Promise<unknown> {
  const id = domain.toLowerCase();
  return documents.change('blocked', [id], () => ({ id, expiresAt: NEVER, content: {} }));
}
