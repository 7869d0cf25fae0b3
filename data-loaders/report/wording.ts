// How counts read in the sentences of a report.

export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 10 });
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
