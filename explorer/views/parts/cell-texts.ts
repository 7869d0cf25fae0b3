// Formats the columns and cells of the service's CSV for people: thousands separators, dates, and lists with commas.

/** Names of numeric columns. Identifiers and years are not numeric here. */
const NUMBERS = /(Amount|_CFS|_AF|Acreage|Maximum|PopulationServed|GWh|MW|Duty)$/;

const MOMENT = /^(\d{4}-\d{2}-\d{2})T00:00:00$/;

export function isNumberColumn(column: string): boolean {
  return NUMBERS.test(column);
}

export function formatCell(column: string, cell: string): string {
  if (cell === '') return '';
  // Shows all digits.
  if (isNumberColumn(column) && !Number.isNaN(Number(cell)))
    return Number(cell).toLocaleString('en-US', { maximumFractionDigits: 15 });
  const items = cell.split(/(?<!\\)\|/);
  const texts = items.map((item) => MOMENT.exec(item)?.[1] ?? item.replaceAll(/\\([\\|])/g, '$1'));
  return [...new Set(texts)].filter((text) => text !== '').join(', ');
}

/** A column's name as words: AllocationFlow_CFS is "Allocation flow (CFS)". */
export function formatColumn(column: string): string {
  const [name = column, unit] = column.split('_');
  const words = name
    .replace('PODorPOU', 'PodOrPou')
    .replace(/^Allocation(?=[A-Z])/, '')
    .replace(/(Code)?CV$/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word, index) => (index === 0 || /^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/pod or pou/i, 'POD or POU');
  return unit === undefined ? words : `${words} (${unit})`;
}
