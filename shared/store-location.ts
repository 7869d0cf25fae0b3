// Reads from the settings which store has the data, and where that store lies.

import { failure, success, type Result } from './values/result';
import type { CosmosLocation } from './store/cosmos/connect';

export type StoreLocation = { readonly kind: 'embedded' } | ({ readonly kind: 'cosmos' } & CosmosLocation);

/** Reads the address of the account. The problem does not repeat the text, which may contain a credential. */
export function readCosmosEndpoint(text: string): Result<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) {
    return failure(
      'must with WATER_STORE=cosmos be the address of an account, as https://ACCOUNT.documents.azure.com:443/',
    );
  }
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    return failure('must begin with https: (http: only of an emulator on this machine)');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    return failure('must hold no key: that is for COSMOS_KEY');
  }
  return success(url.href);
}
