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

test.each([
  // Uses of the real submissions: New Mexico, Oklahoma, Utah, Wyoming.
  ['Public Water Supply', 'Public Supply'],
  ['Domestic (self-supplied)', 'Domestic'],
  ['Irrigated Agriculture', 'Irrigation'],
  ['Livestock (self-supplied)', 'Livestock'],
  ['Commercial (self-supplied)', null],
  ['Industrial (self-supplied)', 'Industrial'],
  ['Mining (self-supplied)', 'Mining'],
  ['Power (self-supplied)', 'Thermoelectric Power'],
  ['Reservoir Evaporation', null],
  ['Public Supply', 'Public Supply'],
  ['Irrigation', 'Irrigation'],
  ['Agriculture', null],
  ['Recreation Fish Wildlife', null],
  ['Power', null],
  ['Other', null],
  ['DCII', 'Public Supply'],
  ['Institutional', null],
  ['Agricultural Consumptive Use', null],
  ['Municipal Use', 'Public Supply'],
  // Uses of western states' rights.
  ['STOCKWATERING', 'Livestock'],
  ['Stock Water', 'Livestock'],
  ['Quasi-Municipal', 'Public Supply'],
  ['Golf Course Irrigation', 'Irrigation'],
  ['Fish Hatchery', 'Aquaculture'],
  ['Oil Well Flooding', 'Mining'],
  ['Instream Flow', null],
  ['Hydroelectric', null],
  ['Fire Protection', null],
  ['Domestic and Stock', null],
  ['Commercial/Industrial', null],
])('%s is known, and its USGS category is %p', (term, usgs) => {
  expect(categoriesOf(term).usgs).toBe(usgs);
  expect(categoriesOf(term).primaryUse).not.toBeNull();
});

test('a term that is not in the table has no category', () => {
  expect(categoriesOf('Unheard of')).toEqual({ primaryUse: null, usgs: null, naics: null });
});
