// Remembers the order of members in records and lookups. These are stored as objects but returned as the texts that the
// loader wrote, and Cosmos DB does not guarantee to return members in the order in which they were written. So a
// release stores one order for each set of members, and texts are written in that order.

type Members = Readonly<Record<string, unknown>>;

/** Names of data members have no line breaks. An object with such a name is stored as JSON text. */
const SEPARATOR = '\n';

/**
 * A release has about twenty sets of members. Objects with arbitrary names would make its release document expensive to
 * read.
 */
const MAX_ORDERS = 200;

/** JSON.stringify writes lone surrogates as escapes; the service stores text as UTF-8, which cannot represent them. */
const LONE_SURROGATE = /\\ud[89a-f]/i;

/** No data member has this name, and assigning a member with this name would set the prototype. */
const PROTOTYPE = '"__proto__"';

/** Each set of members has one order. */
export class MemberOrders {
  private readonly bySet = new Map<string, readonly string[]>();
  /** The orders, each joined into a key, because most objects already have the stored order. */
  private readonly ordered = new Set<string>();

  constructor(orders: readonly (readonly string[])[] = []) {
    for (const names of orders) this.add(names);
  }

  list(): readonly (readonly string[])[] {
    return [...this.bySet.values()];
  }

  /**
   * Parses a JSON object and records the order of its members. Undefined if the text is not an object or if `write` would not return the same text: -0, 1.0, spaces, a repeated name, the same members in two orders.
   */
  parse(json: string): Members | undefined {
    if (!json.startsWith('{') || LONE_SURROGATE.test(json) || json.includes(PROTOTYPE)) return undefined;
    try {
      const value: unknown = JSON.parse(json);
      // JSON that starts with a brace is an object.
      return JSON.stringify(value) === json && this.accepts(value) ? (value as Members) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the text that was passed to `parse`. */
  write(value: Members): string {
    return JSON.stringify(this.isOrdered(value) ? value : this.arrange(value));
  }

  /** Adds the member order of the object and of the objects in it, unless their set of members already has an order. */
  private accepts(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return value.every((item) => this.accepts(item));
    return this.add(Object.keys(value)) && Object.values(value).every((member) => this.accepts(member));
  }

  private add(names: readonly string[]): boolean {
    const key = names.join(SEPARATOR);
    if (this.ordered.has(key)) return true;
    const set = names.toSorted().join(SEPARATOR);
    if (this.bySet.has(set) || this.bySet.size >= MAX_ORDERS || key.split(SEPARATOR).length > Math.max(1, names.length))
      return false;
    this.bySet.set(set, names);
    this.ordered.add(key);
    return true;
  }

  private isOrdered(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return value.every((item) => this.isOrdered(item));
    return (
      this.ordered.has(Object.keys(value).join(SEPARATOR)) && Object.values(value).every((one) => this.isOrdered(one))
    );
  }

  private arrange(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.arrange(item));
    const members = value as Members; // Here the value is neither null nor a list.
    const names = this.bySet.get(Object.keys(members).toSorted().join(SEPARATOR)) ?? Object.keys(members);
    return Object.fromEntries(names.map((name) => [name, this.arrange(members[name])]));
  }
}
