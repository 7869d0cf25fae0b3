import vocabulary from '../../shared/records/beneficial-uses.json';
import { useCategories } from '../../data-loaders/build/release-json';
import { foldText } from '../../shared/values/text';

/** The categories of the national water-use reports. */
const EIGHT = [
  ...['Public Supply', 'Domestic', 'Irrigation', 'Livestock', 'Aquaculture', 'Industrial', 'Mining'],
  'Thermoelectric Power',
];

const categoriesOf = useCategories([]);

test('every category is one of the eight of the national water-use reports, or none', () => {
  const named = new Set(vocabulary.categories.flatMap(({ usgs }) => usgs ?? []));
  expect([...named].sort()).toEqual([...EIGHT].sort());
});

test('every term stands once, whatever its letter case', () => {
  const terms = vocabulary.categories.flatMap((category) => category.terms.map(foldText));
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});

test('a term that is not in the table has no category', () => {
  expect(categoriesOf('Unheard of')).toEqual({ primaryUse: null, usgs: null, naics: null });
});
