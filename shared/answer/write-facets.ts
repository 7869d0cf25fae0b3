// Facets as JSON and as CSV (D41).

import type { AnswerFormat } from '../query/paging-and-format';
import { facetsMembers } from '../records/facets';
import { objectWriter } from '../records/object-definition';
import type { CountedFacets } from '../aggregate/facets';
import { cellOf, LINE_END } from './write-csv';

const write = objectWriter(facetsMembers);

export function writeFacets(counted: CountedFacets, format: AnswerFormat): string {
  return format === 'csv' ? csvOf(counted) : jsonOf(counted);
}

function jsonOf({ total, facets }: CountedFacets): string {
  const Facets = facets.map(({ name, values, moreValues }) => {
    const Values = values.map(({ value, count }) => ({ Value: value, Count: count }));
    return { Name: name, Values, MoreValues: moreValues };
  });
  return write({ TotalCount: total, Facets });
}

/** A row for each value. */
function csvOf({ facets }: CountedFacets): string {
  const rows = facets.flatMap(({ name, values }) =>
    values.map(({ value, count }) => [name, value, count].map(cellOf).join()),
  );
  return ['Name,Value,Count', ...rows].map((row) => row + LINE_END).join('');
}
