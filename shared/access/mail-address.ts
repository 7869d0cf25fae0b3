// Email addresses of people who request a key (D56).

const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

/** The maximum length of an address (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;

/** Undefined if the string is not an address, or is an address that some mail servers reject. */
export function readMailAddress(text: string): string | undefined {
  const address = text.trim();
  return address.length <= MAX_ADDRESS_LENGTH && MAIL_ADDRESS.test(address) ? address : undefined;
}

/** Lists the domain and its parent domains: `a.b.org`, `b.org`, `org`. */
export function listParentDomains(domain: string): readonly string[] {
  const labels = domain.toLowerCase().split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
