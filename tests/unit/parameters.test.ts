// What one value of a parameter may be, and the sentence that refuses it; the suggestion for a misspelt name (D2).

import fc from 'fast-check';
import { anyText } from '../fixtures/any-text';
import { nearestName } from '../../shared/values/text';
import { boundaryOf } from '../../shared/query/condition';
import { dataVersion, recordCount, startIndex } from '../../shared/query/paging-and-format';
import { renamed, type Parameter } from '../../shared/query/parameter';
import { endDate, searchBoundary, startDate, state, termFilter } from '../../shared/query/filters';

const county = termFilter('county');
const huc8 = termFilter('huc8');
const huc12 = termFilter('huc12');
const siteUuid = termFilter('site');

const SETTINGS = { slashDateOrder: 'MDY' } as const;

test.each<[Parameter<unknown>, string, unknown]>([
  [siteUuid, 'UT_1, 2', 'UT_1, 2'],
  [county, 'Cache County', 'Cache County'],
  [huc8, '01010202', '01010202'],
  [huc12, '010102020305', '010102020305'],
  [state, 'ut', 'UT'],
  [recordCount, '1', 1],
  [recordCount, '10000', 10_000],
  [startIndex, '0', 0],
  [startIndex, '9007199254740991', 9_007_199_254_740_991],
  [dataVersion, '0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
  [startDate, '1/2/1970', 1],
  [endDate, '1969-12-31T23:00Z', -1],
  [searchBoundary, 'POINT (1 2)', { kind: 'boundary', boundary: boundaryOf({ type: 'Point', coordinates: [1, 2] }) }],
])('%p reads %j as %j', (parameter, text, value) => {
  expect(parameter.read(text, SETTINGS)).toEqual({ ok: true, value });
});

test.each<[string, Parameter<unknown>, readonly string[], RegExp]>([
  [
    'HUC8',
    huc8,
    ['1', '1601020', '160102023', '160102020305', '1601020a', '1601 202', '1.6e7', '\u0661601020\u0662'],
    /8 digits/,
  ],
  ['HUC12', huc12, ['16010202', '16010202030', '1601020203055', '16010202030x'], /12 digits/],
  ['State', state, ['U', 'Utah', 'XX', 'UT,CO', 'U.T.'], /two-letter.*UT/],
  ['RecordCount', recordCount, ['0', '10001', '-1', '1e3', '1.5', 'all', '9'.repeat(400)], /from 1 to 10000/],
  ['StartIndex', startIndex, ['-1', '9007199254740992', '0x10', '1 0'], /from 0 to 9007199254740991/],
  ['DataVersion', dataVersion, ['1', 'latest', 'F'.repeat(32), 'f'.repeat(33)], /32 digits/],
  ['StartDate', startDate, ['2020-02-30', '2020', 'x'], /date/],
  ['SearchBoundary', searchBoundary, ['x', 'POINT (1)', '{}', 'POINT (181 0)'], /\S/],
])('%s says what it must be', (name, parameter, texts, sentence) => {
  expect(parameter.name).toBe(name);
  for (const text of texts) {
    const read = parameter.read(text, SETTINGS);
    expect(read.ok ? read.value : read.problem).toMatch(sentence);
    expect(read.ok).toBe(false);
  }
});

test('a renamed parameter keeps its former name as a synonym, unless only the letter case differs', () => {
  const geometry = renamed(searchBoundary, 'SearchGeometry');
  expect([geometry.name, ...geometry.synonyms]).toEqual(['SearchGeometry', 'SearchBoundary']);
  expect(renamed(siteUuid, 'siteuuid')).toMatchObject({ name: 'siteuuid', synonyms: [] });
});

const NAMES = ['SiteUUID', 'SiteTypeCV', 'State', 'StartDate', 'EndDate', 'StartIndex', 'RecordCount', 'County', 'key'];

test.each(
  Object.entries({
    ...{ SiteUID: 'SiteUUID', siteuuids: 'SiteUUID', stat: 'State', start_date: 'StartDate' },
    ...{ STARTINDX: 'StartIndex', Recordcuont: 'RecordCount', Country: 'County', kye: 'key' },
  }),
)('the name nearest to %s is %s', (name, nearest) => {
  expect(nearestName(name, NAMES)).toBe(nearest);
});

test('without candidates there is no suggestion, and a name of any length has one of them otherwise', () => {
  expect(nearestName('State', [])).toBeUndefined();
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (name) => {
      expect(NAMES).toContain(nearestName(name, NAMES));
    }),
  );
});

test('a known name is nearest to itself in any letter case', () => {
  for (const name of NAMES) expect(nearestName(name.toUpperCase(), NAMES)).toBe(name);
});
