// Rights in order of priority and their running sums: examples, and laws over random rights.

import fc from 'fast-check';
import { addDecimals, formatDecimal, parseDecimal } from '../../explorer/state/decimals';
import { compareTexts, type PrioritizedRight, rankRights, readPriorityDay } from '../../explorer/state/seniority';

const right = (identifier: string, date: string, flow = '', volume = '', organization = 'UTwr'): PrioritizedRight => ({
  organization,
  identifier,
  date,
  flow,
  volume,
});

describe('the order of rights', () => {
  const own = right('B', '1902-03-04', '2.5', '');
  const list = rankRights(
    [
      right('Z', '', '7', '70'),
      right('C', '1902-03-04', '', '100'),
      own,
      right('D', '1950-01-01', '0.1'),
      right('E', '1950-01-01', '0.2', '0.5', 'COwr'),
      right('A', '1880', '1'),
      right('Y', 'unknown', '', '3'),
    ],
    own,
  );

  test('goes from oldest to newest, with ties by organization and identifier, and missing dates last', () => {
    expect(list.rows.map((row) => [row.right.identifier, row.position, row.relation])).toEqual([
      ['A', 1, 'senior'],
      ['B', 2, 'this'],
      ['C', 3, 'same day'],
      ['E', 4, 'junior'],
      ['D', 5, 'junior'],
      ['Y', undefined, 'unknown'],
      ['Z', undefined, 'unknown'],
    ]);
  });

  test('has running sums of each measure, which missing numbers do not change', () => {
    expect(list.rows.map(({ flowSum, volumeSum }) => [flowSum, volumeSum])).toEqual([
      ['1', ''],
      ['3.5', ''],
      ['3.5', '100'],
      ['3.7', '100.5'],
      ['3.8', '100.5'],
      ['', ''],
      ['', ''],
    ]);
  });

  test('counts rights without a date and missing numbers separately', () => {
    expect(list.dated).toEqual({
      count: 5,
      flow: { sum: '3.8', missing: 1 },
      volume: { sum: '100.5', missing: 3 },
    });
    expect(list.undated).toEqual({ count: 2, flow: { sum: '7', missing: 1 }, volume: { sum: '73', missing: 0 } });
    expect([list.senior.count, list.sameDay.count, list.junior.count, list.partialDates]).toEqual([1, 1, 2, 1]);
    expect(list.senior.volume).toEqual({ sum: '', missing: 1 });
  });

  test('has no senior or junior rights for a right without a date', () => {
    const undated = right('Q', '');
    const { rows, senior, junior } = rankRights([right('A', '1880-01-01'), undated], undated);
    expect(rows.map(({ relation }) => relation)).toEqual(['unknown', 'this']);
    expect([senior.count, junior.count]).toEqual([0, 0]);
  });

  test('compares with a right that is not in the list', () => {
    const { rows } = rankRights([right('A', '1880-01-01'), right('B', '1990-01-01')], right('Q', '1900-01-01'));
    expect(rows.map(({ relation }) => relation)).toEqual(['senior', 'junior']);
  });

  test.each([
    ['1902-03-04', '1902-03-04'],
    ['1902-03-04T00:00:00', '1902-03-04'],
    ['1902-03', '1902-03-01'],
    ['1902', '1902-01-01'],
    ['', undefined],
    ['03/04/1902', undefined],
    ['19020304', undefined],
  ])('reads the day of the date %j', (date, day) => {
    expect(readPriorityDay(date)).toBe(day);
  });
});

const drawnRight = fc.record({
  organization: fc.constantFrom('COwr', 'UTwr', 'é', '𐐀', '\uFFFD'),
  identifier: fc.string({ unit: 'grapheme', maxLength: 3 }),
  date: fc.constantFrom('', '1850-01-01', '1850-01-02', '1902', '1902-01-01', '1902-07-01', '2001-12-31', 'n/a'),
  flow: fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 99_999_999 }).map(toThousandths)),
  volume: fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 99_999_999 }).map(toThousandths)),
});

function toThousandths(units: number): string {
  return String(units / 1000);
}

const drawnRights = fc.uniqueArray(drawnRight, {
  selector: ({ organization, identifier }) => JSON.stringify([organization, identifier]),
  minLength: 1,
  maxLength: 30,
});

/** Sums are in whole thousandths, which JavaScript numbers add exactly. */
function toUnits(text: string): number {
  return Math.round(Number(text) * 1000);
}

test('the order and the sums do not depend on the order of the answer', () => {
  fc.assert(
    fc.property(drawnRights, fc.nat(), fc.nat(), (rights, seed, choice) => {
      const own = rights[choice % rights.length] ?? right('', '');
      const shuffled = rights.toSorted(
        (a, b) => ((JSON.stringify(a).length * seed) % 7) - (JSON.stringify(b).length % 7),
      );
      expect(rankRights(shuffled, own)).toEqual(rankRights(rights, own));
    }),
  );
});

test('each running sum includes all rows up to its own, and groups add up to the list', () => {
  fc.assert(
    fc.property(drawnRights, fc.nat(), (rights, choice) => {
      const own = rights[choice % rights.length] ?? right('', '');
      const { rows, dated, undated, senior, sameDay, junior } = rankRights(rights, own);
      let flow = 0;
      let volume = 0;
      for (const row of rows) {
        if (row.position === undefined) continue;
        flow += toUnits(row.right.flow);
        volume += toUnits(row.right.volume);
        expect([toUnits(row.flowSum), toUnits(row.volumeSum)]).toEqual([flow, volume]);
      }
      expect(dated.count + undated.count).toBe(rights.length);
      expect([toUnits(dated.flow.sum), toUnits(dated.volume.sum)]).toEqual([flow, volume]);
      const isOwnDated = readPriorityDay(own.date) !== undefined;
      expect(senior.count + sameDay.count + junior.count).toBe(isOwnDated ? dated.count - 1 : 0);
      expect(rows.filter(({ relation }) => relation === 'this')).toHaveLength(1);
    }),
  );
});

test('strings are compared by their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      // Half of a surrogate pair has no UTF-8 encoding.
      fc.pre(a.isWellFormed() && b.isWellFormed());
      expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

describe('decimal numbers', () => {
  test.each([
    ['0.1', '0.2', '0.3'],
    ['1e-7', '1', '1.0000001'],
    ['-2.50', '2.5', '0'],
    ['1e+21', '0.5', '1000000000000000000000.5'],
    ['-0.05', '0', '-0.05'],
  ])('%s and %s add up to %s', (a, b, sum) => {
    const first = parseDecimal(a);
    const second = parseDecimal(b);
    if (first === undefined || second === undefined) throw new Error('a number was not read');
    expect(formatDecimal(addDecimals(first, second))).toBe(sum);
  });

  test.each(['', 'n/a', '1,000', '.5', '1e9999'])('%j is not a number', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  test('keep the value of every number that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e30, max: 1e30 }), (value) => {
        const decimal = parseDecimal(String(value));
        // Minus zero is zero.
        expect(decimal && Number(formatDecimal(decimal))).toBe(value + 0);
      }),
    );
  });
});
