// Into which classes a name divides the records of a release (D39): by the organization, the years of their periods,
// the names of their places, or the values of a filter field.

import { filterFields, filterTerm, type FilterField, type Vocabulary } from '../../query/text-filters';
import { timeOf, type Grouping } from '../../query/groupings';
import type { TermFilter } from '../../query/parameter';
import { ColumnClassesBuilder, type ColumnClasses, type GroupValue } from '../../search/columns/column-classes';
import type { ColumnDirectory } from '../../search/columns/column-format';
import { codesOfField } from '../../search/release/field-codes';
import { placeCodesOf, placeNamesOf } from '../../search/release/release-columns';
import { periodColumnOf } from '../../search/release/release-index';
import type { SearchCaches } from '../../search/search-caches';
import type { SearchedRelease } from '../../search/evaluate';
import { numberAt } from '../../values/numbers';
import { foldText } from '../../values/text';

/** A release with what says the meaning of its codes. */
export interface ReleaseMeaning extends SearchedRelease {
  readonly caches: SearchCaches;
  readonly directory: ColumnDirectory;
  readonly vocabulary: Vocabulary;
}

/** Made once for a release and a name. */
export async function classesOfGrouping(grouping: Grouping, release: ReleaseMeaning): Promise<ColumnClasses> {
  const { reader, caches } = release;
  const key = `${reader.facts.releaseId}/${grouping.name}`;
  const known = caches.classes.get(key);
  if (known !== undefined) return known;
  const classes = await makeClasses(grouping, release);
  caches.classes.set(key, classes, classes.byteLength);
  return classes;
}

async function makeClasses(grouping: Grouping, release: ReleaseMeaning): Promise<ColumnClasses> {
  const { reader, caches, directory } = release;
  const builder = new ColumnClassesBuilder();
  const numberOf = (text: string | null): number => builder.numberOf(text === null ? [] : [{ key: text, text }]);
  switch (grouping.kind) {
    case 'organization': {
      const { OrganizationUUID: text } = reader.facts.organization;
      return builder.build('release', Uint32Array.of(builder.numberOf([{ key: foldText(text), text }])));
    }
    case 'time': {
      const { periods } = await periodColumnOf(reader, 'periods', caches);
      const classOf = new Uint32Array(periods.length / 2);
      // Code 0 is that of records without dates.
      classOf[0] = numberOf(null);
      for (let code = 1; code < classOf.length; code++) {
        classOf[code] = numberOf(timeOf(grouping.name, numberAt(periods, 2 * code), numberAt(periods, 2 * code + 1)));
      }
      return builder.build('period', classOf);
    }
    case 'reportYear':
      return builder.build('reportYear', Uint32Array.from([null, ...directory.reportYears], numberOf));
    case 'term': {
      const { field } = grouping.filter;
      if (filterFields[field].values === 'placeIdentifier') return classesOfPlaces(field, release, builder);
      return classesOfTerms(grouping.filter, release, builder);
    }
  }
}

async function classesOfPlaces(
  field: FilterField,
  { reader, caches }: ReleaseMeaning,
  builder: ColumnClassesBuilder,
): Promise<ColumnClasses> {
  const names = await placeNamesOf(reader, caches);
  const { sets } = await placeCodesOf(reader, caches);
  const values = names.map((text): GroupValue => ({ key: filterTerm(field, text), text }));
  const valuesOfRanks = (ranks: readonly number[]): readonly GroupValue[] =>
    ranks.flatMap((rank) => values[rank] ?? []);
  const ofCodes = [[], ...values.map((value) => [value]), ...sets.map(valuesOfRanks)];
  return builder.build(
    'place',
    Uint32Array.from(ofCodes, (found) => builder.numberOf(found)),
  );
}

/** The values of a field as its filter finds them (D39). */
async function classesOfTerms(
  { field, read }: TermFilter,
  release: ReleaseMeaning,
  builder: ColumnClassesBuilder,
): Promise<ColumnClasses> {
  // The filter by state finds by the organization as well; a group goes by the place (D52).
  const shownField = field === 'state' ? 'placeState' : field;
  const valueOf = (text: string): GroupValue => ({ key: filterTerm(field, text), text });
  const values = (release.vocabulary[shownField] ?? []).map(([text]): readonly GroupValue[] =>
    // What the filter refuses is no group. No text filter depends on the settings of dates.
    read(text, { slashDateOrder: 'MDY' }).ok ? [valueOf(text)] : [],
  );
  const { OrganizationState: state } = release.reader.facts.organization;
  const none = field === 'state' ? [valueOf(state)] : [];
  const classOfOrdinals = (ordinals: readonly number[]): number => {
    const found = ordinals.flatMap((ordinal) => values[ordinal - 1] ?? []);
    return builder.numberOf(found.length > 0 ? found : none);
  };
  const { column, ordinals, lists, ordinalsOfItems } = await codesOfField(shownField, release);
  const classOfOrdinal = new Uint32Array(values.length + 1);
  for (let ordinal = 0; ordinal <= values.length; ordinal++) classOfOrdinal[ordinal] = classOfOrdinals([ordinal]);
  const classOf = new Uint32Array(ordinals.length + lists.length);
  for (let code = 0; code < ordinals.length; code++) {
    classOf[code] = numberAt(classOfOrdinal, numberAt(ordinals, code));
  }
  lists.forEach((list, index) => {
    classOf[ordinals.length + index] = classOfOrdinals(list.map((item) => ordinalsOfItems[item] ?? 0));
  });
  return builder.build(column, classOf);
}
