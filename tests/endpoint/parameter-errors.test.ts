// Errors in parameters (D1 to D6, D15, D34, D35, D52): the messages of a 400, which lists all of them.

import type { ParameterError } from '../../shared/query/query-values';
import { buildLookups, findRecordNames, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const dayFirst = createTestService('DMY');

const submission = {
  ...buildLookups(),
  'sites.csv': [{ SiteUUID: 'S1' }],
  'sitespecificamounts.csv': [
    siteAmount({ Amount: 1, ReportYearCV: '2010', TimeframeStart: '2010-03-02', TimeframeEnd: '2010-03-02' }),
    siteAmount({ Amount: 2, ReportYearCV: '2010', TimeframeStart: '2010-02-03', TimeframeEnd: '2010-02-03' }),
  ],
};

beforeAll(() => Promise.all([service.load(submission), dayFirst.load(submission)]));

const fetchErrors = async (path: string, query: string): Promise<readonly ParameterError[]> =>
  (await service.get(`${path}?${query}`)).json.errors;

test('one answer lists every bad parameter by its name in the operation', async () => {
  const query = `state=Utah&huc8=1234567&HUC12=abc&startdate=2020-02-30&ENDDATE=soon&searchgeometry=POINT(1)
    &startindex=-1&recordcount=10001&dataversion=1&County=Cache&Sate=UT`.replaceAll(/\s/g, '');
  const { status, json } = await service.get(`${paths.site}?${query}`);
  expect(status).toBe(400);
  const values = json.errors.map(({ parameter, value }: Record<string, string>) => `${parameter ?? ''}=${value ?? ''}`);
  expect(values.sort()).toEqual([
    'DataVersion=1',
    'EndDate=soon',
    'HUC12=abc',
    'HUC8=1234567',
    'RecordCount=10001',
    'Sate=UT',
    'SearchBoundary=POINT(1)',
    'StartDate=2020-02-30',
    'StartIndex=-1',
    'State=Utah',
  ]);
});

test.each<[string, string, string, string]>([
  [paths.site, 'VariableC=1', 'VariableC', 'VariableCV'],
  [paths.site, 'StartPriorityDate=2000-01-01', 'StartPriorityDate', 'StartDate'],
  [paths.site, 'statecv=1', 'statecv', 'State'],
  [paths.aggregated, 'recordcounts=1', 'recordcounts', 'RecordCount'],
  [paths.aggregated, 'ReportUnitUUID=1', 'ReportUnitUUID', 'ReportingUnitUUID'],
  [paths.aggregated, 'apikey=1', 'apikey', 'key'],
  [paths.allocations, 'startPriority=2000', 'startPriority', 'StartPriorityDate'],
])(
  '%s?%s is a 400 with a suggestion, because the operation has no parameter with that name',
  async (path, query, name, nearest) => {
    const { status, json } = await service.get(`${path}?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      { parameter: name, message: expect.stringContaining(`${nearest}?`), value: query.split('=')[1] },
    ]);
  },
);

test.each(['__proto__', 'constructor', 'hasOwnProperty', ''])('%j is an unknown name', async (name) => {
  const { json } = await service.get(`${paths.site}?${name}=1`);
  expect(json.errors).toEqual([{ parameter: name, message: expect.any(String), value: '1' }]);
});

test.each([
  ['StartDate=2000-01-01&startDate=2000-01-01', 'StartDate'],
  ['StartIndex=1&StartIndex=1', 'StartIndex'],
  ['MinimumAmount=1&minimumAmount=2', 'MinimumAmount'],
  ['SearchBoundary=POINT(1+1)&SearchGeometry=POINT(1+1)', 'SearchBoundary'],
  [`DataVersion=${'a'.repeat(32)}&DataVersion=${'a'.repeat(32)}`, 'DataVersion'],
  ['key=one-secret&KEY=another-secret', 'key'],
  [Array.from({ length: 101 }, (_, index) => `SiteUUID=S${index}`).join('&'), 'SiteUUID'],
])('refuses ?%s, a parameter that is allowed only once (D3)', async (query, parameter) => {
  const errors = await fetchErrors(paths.site, query);
  expect(errors).toMatchObject([{ parameter }]);
  expect(JSON.stringify(errors)).not.toContain('secret');
});

test('SLASH_DATE_ORDER decides which number of a slash date is the month', async () => {
  const query = `${paths.site}?StartDate=3/2/2010&EndDate=03/02/2010`;
  expect(await findRecordNames(service, query)).toEqual([1]);
  expect(await findRecordNames(dayFirst, query)).toEqual([2]);
});

test('a blank parameter counts as omitted', async () => {
  const blank = 'StartDate=&EndDate=+&State=%20%09&StartIndex=&RecordCount=&SearchBoundary=&HUC8=&DataVersion=&County';
  expect(await findRecordNames(service, `${paths.site}?${blank}`)).toEqual([2, 1]);
});

test('refuses a broken escape', async () => {
  const { status, json } = await service.get(`${paths.site}?County=Caf%E9`);
  expect(status).toBe(400);
  expect(json.errors).toEqual([{ parameter: 'County', message: expect.stringContaining('UTF-8'), value: 'Caf%E9' }]);
});

test('lists an unknown name once, with suggestions only for the first twenty names', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `Stat${index}`);
  const query = [...names, ...names].map((name) => `${name}=1`).join('&');
  const { json } = await service.get(`${paths.site}?${query}`);
  const messages: readonly string[] = json.errors.map((error: { message: string }) => error.message);
  expect(json.errors.map((error: { parameter: string }) => error.parameter)).toEqual(names);
  expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(20);
});

test.each([
  ['AllocationOwner=ab', 'AllocationOwner', 'must have at least 3 characters', 'ab'],
  ['AllocationOwner=a+++b&AllocationOwner=xy', 'AllocationOwner', 'must have at least 3 characters', 'xy'],
  ['AllocationOwner=%F0%9F%92%A7%F0%9F%92%A7', 'AllocationOwner', 'must have at least 3 characters', '💧💧'],
  [
    'ExemptOfVolumeFlowPriority=perhaps',
    'ExemptOfVolumeFlowPriority',
    'must be true or false, yes or no, 1 or 0',
    'perhaps',
  ],
  [
    'ExemptOfVolumeFlowPriority=1&ExemptOfVolumeFlowPriority=0',
    'ExemptOfVolumeFlowPriority',
    'may be sent only once',
    '1 and 0',
  ],
  [
    'MinimumFlow=1e3',
    'MinimumFlow',
    'must be a decimal number, such as -12.5; write 1000 (in R: format(x, scientific = FALSE))',
    '1e3',
  ],
])('?%s is a 400 that names %s', async (query, parameter, message, value) => {
  const { status, json } = await service.get(`${paths.allocations}?${query}`);
  expect({ status, errors: json.errors }).toEqual({ status: 400, errors: [{ parameter, message, value }] });
});

test('a range that begins after its end is reported at its beginning, together with all other errors', async () => {
  const query =
    'StartPublicationDate=2021-01-01&EndPublicationDate=2020-01-01&StartPriorityDate=2011-01-01' +
    '&EndPriorityDate=2010-01-01&MinimumFlow=2&MaximumFlow=1.5&MinimumVolume=3&MaximumVolume=-3&RecordCount=0';
  const { status, json } = await service.get(`${paths.allocations}?${query}`);
  const errors = json.errors.map(({ parameter, message, value }: Readonly<Record<string, string>>) =>
    [parameter, message, value].join(' '),
  );
  expect([status, errors.sort()]).toEqual([
    400,
    [
      'MinimumFlow must not be greater than MaximumFlow 2 to 1.5',
      'MinimumVolume must not be greater than MaximumVolume 3 to -3',
      'RecordCount must be a whole number from 1 to 10000, written in decimal digits 0',
      'StartPriorityDate must not be later than EndPriorityDate 2011-01-01 to 2010-01-01',
      'StartPublicationDate must not be later than EndPublicationDate 2021-01-01 to 2020-01-01',
    ],
  ]);
});

test.each([paths.site, paths.aggregated])('%s with StartDate after EndDate is a 400 that names both', async (path) => {
  const errors = await fetchErrors(path, 'StartDate=2011-01-01&EndDate=2010-12-31');
  const message = expect.stringContaining('EndDate') as unknown;
  expect(errors).toEqual([{ parameter: 'StartDate', message, value: '2011-01-01 to 2010-12-31' }]);
});

test.each([
  [paths.site, 'USGSCategoryNameCV'],
  [paths.aggregated, 'UsgsCategoryNameCV'],
  [paths.allocations, 'USGSCategoryNameCV'],
])('errors of %s name the category parameter %s', async (path, name) => {
  expect(await fetchErrors(path, 'UsgsCategoryNameCv=%E9')).toMatchObject([{ parameter: name }]);
});

test.each([199, 200, 201, 100_000])('shows at most 200 characters of a value that has %d', async (length) => {
  const value = 'x'.repeat(Math.min(length, 200));
  for (const name of ['HUC8', 'Foo'])
    expect(await fetchErrors(paths.site, `${name}=${'x'.repeat(length)}`)).toMatchObject([{ value }]);
});

test('never cuts a surrogate pair in two', async () => {
  const [error] = await fetchErrors(paths.site, `HUC8=x${encodeURIComponent('\u{1F4A7}'.repeat(200))}`);
  expect(error?.value.isWellFormed()).toBe(true);
});
