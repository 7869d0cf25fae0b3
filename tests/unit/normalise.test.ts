// Rows are normalised into copies: the row that was read stays as it was, and the staged row has only references that
// resolve.

import {
  amountDefinitions,
  type AllocationRow,
  type CommonAmountRow,
} from '../../data-loaders/format/amount-definitions';
import { amountsFiles } from '../../data-loaders/format/amount-files';
import { RowShape, type CellValue } from '../../data-loaders/format/column';
import { SubmissionFindings } from '../../data-loaders/format/findings';
import { lookupFiles, type SiteRow } from '../../data-loaders/format/lookup-files';
import { normaliseAmount, normaliseSite } from '../../data-loaders/read/normalise';
import { Staging } from '../../data-loaders/stage/staging';
import { temporaryFolder } from '../fixtures/temporary-folder';

const staging = Staging.temporary(temporaryFolder(), () => undefined);
const references = staging;

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

function frozenRow(file: ConstructorParameters<typeof RowShape>[0], members: Readonly<Record<string, CellValue>>) {
  return Object.freeze({ ...new RowShape(file).rowOf([]), ...members });
}

function allocation(members: Readonly<Record<string, CellValue>>): CommonAmountRow {
  const known = { OrganizationUUID: 'O1', VariableSpecificUUID: 'V1', MethodUUID: 'M1', AllocationNativeID: 'A1' };
  const lists = { SiteUUID: Object.freeze(['S1']), BeneficialUseCategory: Object.freeze([]) };
  // The shape has all columns of the file.
  return frozenRow(amountsFiles.WaterAllocations, { ...known, ...lists, ...members }) as CommonAmountRow;
}

function normalise(row: CommonAmountRow) {
  return normaliseAmount('WaterAllocations', row, { references, raw: () => '' });
}

test('a row without fault is staged as it is', () => {
  const row = allocation({ WaterSourceUUID: 'W1' });
  expect(normalise(row)).toEqual({ kind: 'accepted', row, warnings: [] });
});

test('unknown sites leave the list of a copy, each with a warning', () => {
  const row = allocation({ SiteUUID: Object.freeze(['S2', 'S9', 'S1']) });
  const normalised = normalise(row);
  expect(normalised).toMatchObject({
    kind: 'accepted',
    row: { SiteUUID: ['S2', 'S1'] },
    warnings: [{ rule: 'unknown-site-in-list', value: 'S9' }],
  });
  expect((row as AllocationRow).SiteUUID).toEqual(['S2', 'S9', 'S1']);
});

test('an unknown water source becomes null in a copy, after the warnings of the kind', () => {
  const row = allocation({ SiteUUID: Object.freeze([]), WaterSourceUUID: 'W9' });
  expect(normalise(row)).toMatchObject({
    kind: 'accepted',
    row: { WaterSourceUUID: null },
    warnings: [{ rule: 'without-site' }, { rule: 'unknown-water-source', value: 'W9' }],
  });
  expect(row.WaterSourceUUID).toBe('W9');
});

test('a rejected row has the reasons of all kinds before those of its own, and no warnings', () => {
  const row = allocation({ OrganizationUUID: 'O9', MethodUUID: 'm1', AllocationNativeID: null, WaterSourceUUID: 'W9' });
  expect(normalise(row)).toEqual({
    kind: 'rejected',
    reasons: [
      { rule: 'unknown-organization', column: 'OrganizationUUID', value: 'O9' },
      { rule: 'unknown-method', column: 'MethodUUID', value: 'm1' },
      { rule: 'no-identifier', column: 'AllocationUUID', value: '' },
    ],
  });
});

test('a site has its HUC8 from its HUC12 (D11), and only water sources that the submission has', () => {
  const members = { SiteUUID: 'S1', HUC12: '160102020305', WaterSourceUUIDs: Object.freeze(['W9', 'W1']) };
  const row = frozenRow(lookupFiles.sites, { ...members, Longitude: '-111.5', Latitude: '40.5' }) as SiteRow;
  expect(normaliseSite(row, references)).toEqual({
    row: { ...row, HUC8: '16010202', WaterSourceUUIDs: ['W1'] },
    warnings: [{ rule: 'unknown-water-source', column: 'WaterSourceUUIDs', value: 'W9' }],
    waterSources: [1],
    geometry: null,
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
  findings.startFile('b.csv').rejectAll(3, ['Amount', 'MethodUUID']);
  expect(heard).toEqual([
    ['a.csv', 7, 1],
    ['b.csv', 0, 2],
  ]);
  expect(findings.files.map((file) => file.counted().rejected)).toEqual([1, 3]);
});
