// How texts are compared and ordered: folding (D8, D9, D12), the order of D17, and states (D10). Dates of queries (D6)
// and of submissions (submissions.md, 3): every form that is read, every one that is refused; the parameter datetime
// (D48, ADR 0077); integers of queries (D5) and numbers of submissions.

import fc from 'fast-check';
import { readInterval } from '../../shared/query/cql2/item-parameters';
import { dayOf, dayOfIsoDate, isoDateOfDay, readQueryDate, type SlashDateOrder } from '../../shared/values/dates';
import { readInteger, readNumber } from '../../shared/values/numbers';
import { readStateCode, stateCodeOf, stateName } from '../../shared/values/states';
import { compareUtf8, foldCounty, foldText } from '../../shared/values/text';
import { anyText } from '../fixtures/any-text';

describe('folding', () => {
  test.each([
    ['Irrigation', ' irrigation '],
    ['STREAM GAGE', 'Stream  \t\u00a0gage'],
    ['Caf\u00e9', 'CAFE\u0301'],
    ['\u00c5ngstr\u00f6m', '\u212bNGSTRO\u0308M'],
    ['a\nb', 'A B'],
  ])('D8: %j is %j', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test.each([
    ['Caf\u00e9', 'Cafe'],
    ['stream gage', 'streamgage'],
    ['Irrigation', 'Irrigation.'],
    ['A,B', 'A, B'],
    ['A-B', 'A B'],
    ['Cache County', 'Cache'],
  ])('D8: %j is not %j', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  const texts = anyText();
  const blanks = fc.stringMatching(/^[ \t\n\u00a0]{1,4}$/);

  test('white space around and within, and the composition of characters, never matter', () => {
    fc.assert(
      fc.property(texts, texts, blanks, blanks, (a, b, blank, other) => {
        expect(foldText(`${blank}${a}${other}${b}${blank}`)).toBe(foldText(`${a} ${b}`));
        expect(foldText(a.normalize('NFD'))).toBe(foldText(a));
      }),
    );
  });

  test('a county is the same with and without its trailing word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z .']{0,20}[a-z]$/), (name) => {
        fc.pre(!/(^| )county$/i.test(name));
        expect(foldCounty(`${name} County`)).toBe(foldCounty(name));
      }),
    );
  });
});

describe('the order', () => {
  const texts = anyText({ maxLength: 8 });

  test.each([
    ['\uffff', '\u{10000}'],
    ['\ue000', '\u{1F4A7}'],
    ['\u{1F4A7}', '\u{1F4A8}'],
  ])('%j stands before %j', (one, other) => {
    expect(compareUtf8(one, other)).toBeLessThan(0);
    expect(compareUtf8(other, one)).toBeGreaterThan(0);
  });

  test('the order is that of the UTF-8 bytes, for texts with astral characters too', () => {
    fc.assert(
      fc.property(texts, texts, texts, (start, one, other) => {
        const bytes = Buffer.compare(Buffer.from(start + one), Buffer.from(start + other));
        expect(Math.sign(compareUtf8(start + one, start + other))).toBe(bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('states', () => {
  const CODES =
    `AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK
  OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI US`.split(/\s+/);

  test('the 50 states, DC, five territories and US are known, in any letter case, each with a name of its own', () => {
    expect(CODES).toHaveLength(57);
    for (const code of CODES) {
      expect(readStateCode(code)).toBe(code);
      expect(readStateCode(code.toLowerCase())).toBe(code);
      expect(stateCodeOf(stateName(code))).toBe(code);
      expect(stateCodeOf(stateName(code).toUpperCase())).toBe(code);
    }
    expect(new Set(CODES.map(stateName)).size).toBe(CODES.length);
  });

  test('no other two letters are a state', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    expect(pairs.filter((pair) => readStateCode(pair) !== undefined).sort()).toEqual([...CODES].sort());
  });

  test.each(['', 'U', 'Utah', 'UTAH', 'U T', 'UT,CO', ' UT', '49', '__proto__', 'constructor'])(
    'a query cannot ask for the state %j',
    (text) => {
      expect(readStateCode(text)).toBeUndefined();
    },
  );

  test.each(['Utahh', 'Upper Colorado', 'UT/CO', ''])('a StateCV of %j is no state', (text) => {
    expect(stateCodeOf(text)).toBeUndefined();
  });
});

describe('dates of queries', () => {
  function read(text: string, order: SlashDateOrder = 'MDY'): string {
    const day = readQueryDate(text, order);
    return day.ok ? isoDateOfDay(day.value) : `refused: ${day.problem}`;
  }

  test.each(
    Object.entries({
      '2010-12-31': '2010-12-31',
      '2000-02-29': '2000-02-29',
      '2024-02-29': '2024-02-29',
      '0001-01-01': '0001-01-01',
      '9999-12-31': '9999-12-31',
      '1/2/2010': '2010-01-02',
      '01/02/2010': '2010-01-02',
      '12/31/2010': '2010-12-31',
      '2/29/1904': '1904-02-29',
      '2010-12-31T00:00': '2010-12-31',
      '2010-12-31t23:59': '2010-12-31',
      '2010-12-31 23:59': '2010-12-31',
      '2010-12-31T23:59:59': '2010-12-31',
      '2010-12-31 23:59:59.9': '2010-12-31',
      '2010-12-31T23:59:59.123456789': '2010-12-31',
      '2010-12-31T23:59Z': '2010-12-31',
      '2010-12-31T23:59:59z': '2010-12-31',
      '2010-12-31T23:59:59.5-07:00': '2010-12-31',
      '2010-12-31T23:59:59+0700': '2010-12-31',
      '2010-12-31T00:00:00+14': '2010-12-31',
      '2010-12-31T00:00:00 07:00': '2010-12-31',
    }),
  )('%s is %s: only the calendar date counts', (text, date) => {
    expect(read(text)).toBe(date);
  });

  test.each([
    '2020-02-30',
    '2019-02-29',
    '1900-02-29',
    '2020-00-10',
    '2020-13-01',
    '2020-01-00',
    '2020-04-31',
    '2/29/1900',
    '4/31/2020',
    '0/1/2020',
    '1/0/2020',
    '13/32/2020',
  ])('%s is not a date of the calendar', (text) => {
    expect(read(text)).toMatch(/^refused: /);
  });

  test.each([
    '2010',
    '2010-12',
    '2010-1-2',
    '20101231',
    '2010/12/31',
    '12-31-2010',
    '12.31.2010',
    '1/2/10',
    '1/2/02010',
    '001/2/2010',
    '1 / 2 / 2010',
    '1/2/2010 10:00',
    '12010-12-31',
    '-2010-12-31',
    '+2010-12-31',
    '2010-12-31T',
    '2010-12-31T10',
    '2010-12-31T1:00',
    '2010-12-31T24:00',
    '2010-12-31T10:60',
    '2010-12-31T10:00:61',
    '2010-12-31T10:00:00.',
    '2010-12-31T10:00 PM',
    '2010-12-31T10:00ZZ',
    '2010-12-31TZ',
    '2010-12-31T10:00+7',
    '2010-12-31T10:00+99:99',
    '2010-12-31T10:00+07:60',
    '2010-12-31  10:00',
    '2010-12-31_10:00',
    '2010-12-31x',
    'x2010-12-31',
    'Dec 31 2010',
    'today',
    '\u0662\u0660\u0661\u0660-12-31',
    '44561',
  ])('%s is not a form of a date', (text) => {
    expect(read(text)).toMatch(/^refused: .*date/);
  });

  test.each<[string, SlashDateOrder, string, string]>([
    ['31/12/2010', 'MDY', '2010-12-31', '12/31/2010'],
    ['13/1/2010', 'MDY', '2010-01-13', '1/13/2010'],
    ['12/31/2010', 'DMY', '2010-12-31', '31/12/2010'],
    ['1/13/2010', 'DMY', '2010-01-13', '13/1/2010'],
    ['31/12/0099', 'MDY', '0099-12-31', '12/31/0099'],
  ])('%s with %s is refused with both ways to write it', (text, order, iso, slash) => {
    expect(read(text, order)).toMatch(/^refused: /);
    for (const way of [iso, slash]) expect(read(text, order)).toContain(way);
    // What the sentence says to write is read as the same date.
    expect(read(iso, order)).toBe(iso);
    expect(read(slash, order)).toBe(iso);
  });

  test('days count as the calendar of JavaScript does', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year = 0, month = 0, day = 0] = iso.split('-').map(Number);
          const number = dayOf(year, month, day);
          expect(number).toBe(Math.floor(date.getTime() / 86_400_000));
          expect(dayOfIsoDate(iso)).toBe(number);
          expect(isoDateOfDay(number ?? NaN)).toBe(iso);
          for (const order of ['MDY', 'DMY'] as const) {
            const slash = order === 'MDY' ? [month, day] : [day, month];
            expect(read(`${slash.join('/')}/${String(year).padStart(4, '0')}`, order)).toBe(iso);
          }
        },
      ),
    );
  });
});

test.each([
  ['0', 0],
  ['007', 7],
  ['10000', 10_000],
  ['9007199254740991', 9_007_199_254_740_991],
])('the integer %s is %i', (text, value) => {
  expect(readInteger(text)).toBe(value);
});

test.each([
  '',
  ' 1',
  '1 ',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  '0b1',
  '1_000',
  '1,000',
  '12abc',
  '\u0661',
  '9007199254740992',
  '9'.repeat(400),
])('%j is not an integer', (text) => {
  expect(readInteger(text)).toBeUndefined();
});

test('zero has no sign', () => {
  for (const text of ['-0', '-0.0', '-1e-400']) expect(Object.is(readNumber(text), 0)).toBe(true);
});

test('every finite number that JavaScript writes is read as itself', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(readNumber(String(value))).toBe(value + 0);
    }),
  );
});

function read(text: string): string {
  const interval = readInterval(text);
  if (!interval.ok) return 'refused';
  const [from, to] = [interval.value.from, interval.value.to].map((day) =>
    day === undefined ? '..' : isoDateOfDay(day),
  );
  return `${from ?? ''}/${to ?? ''}`;
}

test.each([
  ['1990-01-01', '1990-01-01/1990-01-01'],
  ['1990-01-01T00:00:00Z', '1990-01-01/1990-01-01'],
  ['1990-01-01/..', '1990-01-01/..'],
  ['/1990-01-01', '../1990-01-01'],
  ['../..', '../..'],
  ['1990-01-01/P2D', '1990-01-01/1990-01-03'],
  ['1990-01-31/P1M', '1990-01-31/1990-02-28'],
  ['1991-11-30/P1Y3M', '1991-11-30/1993-02-28'],
  ['1990-01-01/P2W', '1990-01-01/1990-01-15'],
  ['1990-01-01T12:00:00Z/PT12H', '1990-01-01/1990-01-02'],
  ['1990-01-01T12:00:00Z/PT11H59M59S', '1990-01-01/1990-01-01'],
  ['P1M/1990-03-31', '1990-02-28/1990-03-31'],
  ['P1D/1990-03-01', '1990-02-28/1990-03-01'],
  ['p1y/1990-03-01', '1989-03-01/1990-03-01'],
  ...['', '..', 'P1D', 'P1D/P1D', 'P1D/..', '../P1D', 'P/1990-01-01', 'PT/1990-01-01', '1990-01-01/P1DT', '1990'].map(
    (text) => [text, 'refused'],
  ),
  ...['1990-02-30', '1/1/1990', '1991-01-01/1990-01-01', '1990-01-01/1990-01-02/1990-01-03', '1990-01-01/1.5'].map(
    (text) => [text, 'refused'],
  ),
])('datetime=%s asks for %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('a comparison of a date column by GDAL is refused with the way to write it', () => {
  expect(readInterval('../1970-01-01T')).toMatchObject({ ok: false, problem: expect.stringContaining('CAST(NAME') });
});
