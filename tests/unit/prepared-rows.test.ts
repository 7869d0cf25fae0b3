// What follows from a row alone, and what from the rows that it refers to: a row that was read stays as it was, and the
// staged row has only references that resolve.

import { amountDefinitions, type CommonAmountRow } from '../../data-loaders/format/amount-definitions';
import { amountsFiles, lookupFiles } from '../../data-loaders/format/submission-files';
import { RowShape, type CellValue, type SubmissionFile } from '../../data-loaders/format/column';
import { SubmissionFindings } from '../../data-loaders/format/findings';
import { resolveAmount, resolveWaterSources } from '../../data-loaders/read/resolve-references';
import { preparationOf } from '../../data-loaders/read/prepare-row';
import { Staging } from '../../data-loaders/stage/staging';
import { temporaryFolder } from '../fixtures/temporary-folder';

const staging = Staging.temporary(temporaryFolder(), () => undefined);

beforeAll(() => {
  for (const [table, id] of [
    ['organizations', 'O1'],
    ['variables', 'V1'],
    ['methods', 'M1'],
    ['watersources', 'W1'],
  ] as const) {
    staging.addLookup(table, id, '{}');
  }
  for (const id of ['S1', 'S2']) {
    staging.addPlace('sites', { id, row: '[]', source: '', waterSources: [], geometry: null });
  }
});

afterAll(() => {
  staging.remove();
});

function frozenRow(file: SubmissionFile, members: Readonly<Record<string, CellValue>>) {
  return Object.freeze({ ...new RowShape(file).rowOf([]), ...members });
}

function allocation(members: Readonly<Record<string, CellValue>>): Readonly<Record<string, CellValue>> {
  const known = { OrganizationUUID: 'O1', VariableSpecificUUID: 'V1', MethodUUID: 'M1', AllocationNativeID: 'A1' };
  const lists = { SiteUUID: Object.freeze(['S1']), BeneficialUseCategory: Object.freeze([]) };
  return frozenRow(amountsFiles.WaterAllocations, { ...known, ...lists, ...members });
}

function prepare(file: SubmissionFile, row: Readonly<Record<string, CellValue>>) {
  return preparationOf(file).prepare(row, (column) => `raw ${column}`);
}

/** Prepares a right and resolves its references. */
function resolve(row: Readonly<Record<string, CellValue>>) {
  const prepared = prepare(amountsFiles.WaterAllocations, row);
  const resolved = resolveAmount(amountDefinitions.WaterAllocations, prepared.references, staging);
  // The shape has all columns of the file.
  return { prepared, resolved, staged: resolved.changed?.(row as unknown as CommonAmountRow) };
}

test('a row without fault is staged as it is', () => {
  const { resolved } = resolve(allocation({ WaterSourceUUID: 'W1', SiteUUID: Object.freeze(['S2', 'S1']) }));
  expect(resolved).toEqual({
    ...{ reasons: [], warnings: [], changed: undefined },
    references: { organization: 1, variable: 1, method: 1, waterSource: 1, places: [2, 1] },
  });
});

test('unknown sites leave the list of a copy, each with a warning', () => {
  const row = allocation({ SiteUUID: Object.freeze(['S2', 'S9', 'S1']) });
  const { resolved, staged } = resolve(row);
  expect(staged).toEqual({ ...row, SiteUUID: ['S2', 'S1'] });
  expect(resolved).toMatchObject({
    reasons: [],
    warnings: [{ rule: 'unknown-site-in-list', value: 'S9' }],
    references: { places: [2, 1] },
  });
  expect(row['SiteUUID']).toEqual(['S2', 'S9', 'S1']);
});

test('an unknown water source becomes null in a copy, after the warnings for sites', () => {
  const row = allocation({ SiteUUID: Object.freeze([]), WaterSourceUUID: 'W9' });
  const { resolved, staged } = resolve(row);
  expect(staged).toEqual({ ...row, WaterSourceUUID: null });
  expect(resolved.warnings).toMatchObject([{ rule: 'without-site' }, { rule: 'unknown-water-source', value: 'W9' }]);
  expect(row['WaterSourceUUID']).toBe('W9');
});

test('a row has the reasons of its references in their order, and its own apart', () => {
  const members = { OrganizationUUID: 'O9', MethodUUID: 'm1', AllocationNativeID: null };
  const { prepared, resolved } = resolve(allocation(members));
  expect(resolved.reasons).toEqual([
    { rule: 'unknown-organization', column: 'OrganizationUUID', value: 'O9' },
    { rule: 'unknown-method', column: 'MethodUUID', value: 'm1 (methods.csv has M1)' },
  ]);
  expect(prepared.reasons).toEqual([{ rule: 'no-identifier', column: 'AllocationUUID', value: '' }]);
});

test('an amount without its site is rejected', () => {
  const { reasons } = resolveAmount(amountDefinitions.SiteVariableAmounts, ['O1', 'V1', 'M1', null, 'S9'], staging);
  expect(reasons).toEqual([{ rule: 'unknown-site', column: 'SiteUUID', value: 'S9' }]);
});

test('an amount has the uses for which it is found (D13), and dates in reverse are said as they stand in the file', () => {
  const dates = { TimeframeStart: '2015-12-31', TimeframeEnd: '2015-01-01' };
  const uses = { BeneficialUseCategory: Object.freeze(['Irrigation']), PrimaryUseCategory: 'Stock' };
  const file = amountsFiles.SiteVariableAmounts;
  const { uses: found, warnings } = prepare(file, frozenRow(file, { ...dates, ...uses, SiteUUID: 'S1' }));
  expect(found).toEqual(['Irrigation', 'Stock']);
  const value = 'raw TimeframeStart after raw TimeframeEnd';
  expect(warnings).toEqual([{ rule: 'reversed-timeframe', column: 'TimeframeStart', value }]);
});

test('a site has its HUC8 from its HUC12 (D11), and only water sources that the submission has', () => {
  const members = { SiteUUID: 'S1', HUC12: '160102020305', WaterSourceUUIDs: Object.freeze(['W9', 'W1']) };
  const row = frozenRow(lookupFiles.sites, { ...members, Longitude: '-111.5', Latitude: '40.5' });
  const { references, ...prepared } = prepare(lookupFiles.sites, row);
  expect(prepared).toMatchObject({ row: { ...row, HUC8: '16010202' }, key: 'S1', geometry: null, warnings: [] });
  expect(resolveWaterSources(references, staging)).toEqual({
    ...{ known: ['W1'], numbers: [1] },
    warnings: [{ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value: 'W9' }],
  });
});

test.each(Object.values(amountDefinitions))(
  'a row and its list of values are made of each other: $kind',
  ({ file }) => {
    const shape = new RowShape(file);
    const values = shape.names.map((name, index) => (index % 3 === 0 ? null : `${name} ${index}`));
    const row = shape.rowOf(values);
    expect(Object.keys(row)).toEqual(Object.keys(file.columns));
    expect(shape.valuesOf(row)).toEqual(values);
  },
);

test('findings say what is rejected as it happens, and a file without R columns as a whole', () => {
  const heard: unknown[] = [];
  const findings = new SubmissionFindings({
    onRejected: (file, line, reasons) => heard.push([file, line, reasons.length]),
  });
  findings.startFile('a.csv').reject(7, [{ rule: 'broken-csv', column: null, value: 'x' }]);
  findings.startFile('b.csv').rejectAll(
    3,
    ['Amount', 'MethodUUID'].map((column) => ({ rule: 'missing-column', column, value: '' })),
  );
  expect(heard).toEqual([
    ['a.csv', 7, 1],
    ['b.csv', 0, 2],
  ]);
  expect(findings.files.map((file) => file.counted().rejected)).toEqual([1, 3]);
});
