// How counts read in the sentences of a report.

export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 10 });
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** As a share of one: 0.125 is "12.5 percent". */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} percent`;
}
