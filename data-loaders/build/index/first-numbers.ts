// Numbers values in the order in which they came first, by their keys. Who takes the new ones with each batch knows all
// numbers that are in it (ADR 0114).

export class FirstNumbers<Value> {
  private readonly numbers = new Map<string, number>();
  private added: Value[] = [];

  numberOf(key: string, valueOf: () => Value): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(key, number);
    this.added.push(valueOf());
    return number;
  }

  takeNew(): readonly Value[] {
    const { added } = this;
    this.added = [];
    return added;
  }
}
