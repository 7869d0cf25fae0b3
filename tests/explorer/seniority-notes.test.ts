// The figures in the sentences about a list of rights, whatever their words.

import type { Basis, ListedRight, Seniority } from '../../explorer/requests/seniority';
import { rankRights } from '../../explorer/state/seniority';
import { describeLimit, describeStanding, listNotes } from '../../explorer/views/seniority/seniority-notes';

const right = (number: string, date: string, more: Partial<ListedRight> = {}): ListedRight => ({
  organization: 'ORG_1',
  organizationName: 'Office',
  identifier: number,
  number,
  owner: '',
  uses: '',
  status: 'Active',
  date,
  flow: '1',
  volume: '1',
  ...more,
});

const source: Basis = { filter: 'WaterSourceUUID', value: 'WS', label: 'river', isNamed: true };

const own = right('own', '1900-01-01');

const older = ['a', 'b', 'c'].map((name) => right(name, '1880-01-01'));

const younger = ['d', 'e'].map((name) => right(name, '1950-01-01', { flow: '' }));

const twin = right('twin', '1900-01-01');

const undated = right('undated', '', { status: '' });

function readFigures(rights: readonly ListedRight[], more: Partial<Seniority> = {}) {
  const seniority: Seniority = {
    right: own,
    bases: [source],
    basis: source,
    isChoiceUnknown: false,
    hasUnsharedSources: false,
    rights,
    total: rights.length,
    ...more,
  };
  const list = rankRights(rights, seniority.right ?? own);
  const figures = (text: string): readonly string[] => text.match(/(?<!HUC\d?)\d+(?:,\d{3})*/g) ?? [];
  return {
    standing: figures(describeStanding(seniority, list)),
    limit: figures(describeLimit(seniority, list)),
    notes: listNotes(seniority, list).map(figures),
  };
}

test('a complete list has the numbers of senior, equal, junior and undated rights', () => {
  const { standing, limit, notes } = readFigures([...older, own, twin, ...younger, undated]);
  expect(standing).toEqual(['3', '1', '2', '1']);
  expect(limit).toEqual([]);
  // The number of rights with a date but without a flow and a volume, and the statuses.
  expect(notes).toContainEqual(['7', '2', '0']);
  expect(notes).toContainEqual(['7', '1']);
});

test('the figures of a list that was cut off after the right include the limit of the list', () => {
  const { standing, limit } = readFigures([...older, own, ...younger], { total: 60_000 });
  expect([standing, limit]).toEqual([
    ['3', '2'],
    ['60,000', '6'],
  ]);
});

test('the figures of a list that was cut off before the right have only the listed senior rights', () => {
  const { standing, limit } = readFigures(older, { total: 60_000 });
  expect([standing, limit]).toEqual([['3'], ['60,000', '3']]);
});

test('nothing is senior or junior to a right without a date, or to the only right', () => {
  expect(readFigures([...older, undated], { right: undated }).standing).toEqual([]);
  expect(readFigures([own]).standing).toEqual([]);
});

test('several sources and organizations are counted', () => {
  const bases = ['WS', 'WS2', 'WS3'].map((value): Basis => ({ ...source, value }));
  const others = older.map((one) => ({ ...one, organization: 'ORG_2', organizationName: 'Board' }));
  const { notes } = readFigures([...others, own], { bases });
  expect(notes).toContainEqual(['3']);
  expect(notes).toContainEqual(['2', '3', '1']);
});
