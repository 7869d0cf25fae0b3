// Numbers values in the order in which they came first, by their keys. Who takes the new ones with each batch knows all
// numbers that are in it (ADR 0114).

export class FirstNumbers<Value> {
  /** Keys of each group apart: joined to one text, both would be copied and hashed for each value. */
  private readonly groups = new Map<string, Map<string, number>>();
  private count = 0;
  private added: Value[] = [];

  /** Equal keys of two groups are two values. */
  numberOf(group: string, key: string, valueOf: () => Value): number {
    const numbers = this.numbersOf(group);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = this.count++;
    numbers.set(key, number);
    this.added.push(valueOf());
    return number;
  }

  takeNew(): readonly Value[] {
    const { added } = this;
    this.added = [];
    return added;
  }

  private numbersOf(group: string): Map<string, number> {
    const known = this.groups.get(group);
    if (known !== undefined) return known;
    const created = new Map<string, number>();
    this.groups.set(group, created);
    return created;
  }
}
