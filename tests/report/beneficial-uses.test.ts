// The vocabulary table that assigns beneficial uses to categories.

import vocabulary from '../../shared/records/beneficial-uses.json';
import { foldText } from '../../shared/values/fold-text';

/** The categories of the national water-use reports of the USGS. */
const USGS_CATEGORIES = [
  'Public Supply',
  'Domestic',
  'Irrigation',
  'Livestock',
  'Aquaculture',
  'Industrial',
  'Mining',
  'Thermoelectric Power',
];

test('every category is one of the eight national water-use categories or none', () => {
  const categories = new Set(vocabulary.categories.flatMap(({ usgs }) => usgs ?? []));
  expect([...categories].sort()).toEqual([...USGS_CATEGORIES].sort());
});

test('every term is listed once, ignoring letter case', () => {
  const terms = vocabulary.categories.flatMap((category) => category.terms.map(foldText));
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
});
