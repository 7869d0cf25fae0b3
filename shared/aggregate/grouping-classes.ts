// Divides the records of a release into the classes of a grouping (D39): by organization, by the years of their
// periods, by the identifiers of their places, or by the values of a filter field.

import { toFilterTerm } from '../query/filter-terms';
import { type Grouping, SEVERAL_VALUES } from '../query/groupings';
import type { TermFilter } from '../query/parameter';
import { toTimeGroup } from '../query/time-groups';
import { loadFieldCodes, loadFieldValues } from '../search/index/field-codes';
import { loadColumnDirectory, loadPeriodColumn } from '../search/index/release-index';
import { getByteLength, type SearchableRelease } from '../search/index/search-caches';
import { foldText } from '../values/fold-text';
import { numberAt } from '../values/number-arrays';
import { type ColumnClasses, ColumnClassesBuilder, type GroupValue } from './column-classes';
import { reduceLists } from './count-once';

/** The group for records with several values. Folded values contain no line feed, so no value has this key. */
const SEVERAL: GroupValue = { key: '\n', text: SEVERAL_VALUES };

export interface GroupingQuery {
  readonly grouping: Grouping;
  /** Whether a record with several values counts in only one group (D78). */
  readonly countsOnce: boolean;
}

/** Returns the classes, which are built once per release, grouping name, and way of counting. */
export async function loadClasses(query: GroupingQuery, release: SearchableRelease): Promise<ColumnClasses> {
  const key = `${release.reader.facts.releaseId}/${query.grouping.name}${query.countsOnce ? '/once' : ''}`;
  const cache = release.caches.getCache<ColumnClasses>('classes');
  return cache.getOrCompute(key, () => buildClasses(query, release), getByteLength);
}

async function buildClasses(
  { grouping, countsOnce }: GroupingQuery,
  release: SearchableRelease,
): Promise<ColumnClasses> {
  const builder = new ColumnClassesBuilder();
  const getTextClass = (text: string | null): number => builder.getClass(text === null ? [] : [{ key: text, text }]);
  switch (grouping.kind) {
    case 'organization': {
      const { OrganizationUUID: text } = release.reader.facts.organization;
      return builder.build('release', Uint32Array.of(builder.getClass([{ key: foldText(text), text }])));
    }
    case 'time': {
      const { periods } = await loadPeriodColumn(release, 'periods');
      const classByCode = new Uint32Array(periods.length / 2);
      // Records without dates have code 0.
      classByCode[0] = getTextClass(null);
      for (let code = 1; code < classByCode.length; code++) {
        const time = toTimeGroup(grouping.name, numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1));
        classByCode[code] = getTextClass(time);
      }
      return builder.build('period', classByCode);
    }
    case 'reportYear': {
      const { reportYears } = await loadColumnDirectory(release);
      return builder.build('reportYear', Uint32Array.from([null, ...reportYears], getTextClass));
    }
    case 'term':
      return buildTermClasses(grouping.filter, countsOnce, release, builder);
  }
}

/** The values of a field, as the filter compares them (D39). */
async function buildTermClasses(
  { field, read }: TermFilter,
  countsOnce: boolean,
  release: SearchableRelease,
  builder: ColumnClassesBuilder,
): Promise<ColumnClasses> {
  // The filter by state also matches the state of the organization. Groups use the state of the place, and fall back to
  // that of the organization only if the place has no state (D52).
  const groupField = field === 'state' ? 'placeState' : field;
  const toGroupValue = (text: string): GroupValue => ({ key: toFilterTerm(field, text), text });
  // A value that the filter rejects does not form a group.
  const groupValues = (await loadFieldValues(groupField, release)).map((text): readonly GroupValue[] =>
    read(text).ok ? [toGroupValue(text)] : [],
  );
  const { OrganizationState } = release.reader.facts.organization;
  const defaultValues = field === 'state' ? [toGroupValue(OrganizationState)] : [];
  const getOrdinalsClass = (ordinals: readonly number[]): number => {
    const values = ordinals.flatMap((ordinal) => groupValues[ordinal - 1] ?? []);
    const isSeveral = countsOnce && new Set(values.map(({ key }) => key)).size > 1;
    if (isSeveral) return builder.getClass([SEVERAL]);
    return builder.getClass(values.length > 0 ? values : defaultValues);
  };
  const fieldCodes = await loadFieldCodes(groupField, release);
  const { column, ordinals, itemOrdinals } = fieldCodes;
  const lists = countsOnce ? await reduceLists(fieldCodes, release) : fieldCodes.lists;
  const classByOrdinal = new Uint32Array(groupValues.length + 1);
  for (let ordinal = 0; ordinal < classByOrdinal.length; ordinal++) {
    classByOrdinal[ordinal] = getOrdinalsClass([ordinal]);
  }
  const classByCode = new Uint32Array(ordinals.length + lists.length);
  for (let code = 0; code < ordinals.length; code++) {
    classByCode[code] = numberAt(classByOrdinal, numberAt(ordinals, code));
  }
  lists.forEach((list, index) => {
    classByCode[ordinals.length + index] = getOrdinalsClass(list.map((item) => itemOrdinals[item] ?? 0));
  });
  return builder.build(column, classByCode);
}
