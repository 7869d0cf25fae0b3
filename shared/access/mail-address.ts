// Mail addresses of people who ask for a key (D56).

const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

/** RFC 5321. */
const MAX_ADDRESS_LENGTH = 254;

/** Undefined for a text that is not an address, or not one that every mail server accepts. */
export function readMailAddress(text: string): string | undefined {
  const address = text.trim();
  return address.length <= MAX_ADDRESS_LENGTH && MAIL_ADDRESS.test(address) ? address : undefined;
}

/** The domain and its parents: `a.b.org`, `b.org`, `org`. */
export function listParentDomains(domain: string): readonly string[] {
  const labels = domain.toLowerCase().split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
