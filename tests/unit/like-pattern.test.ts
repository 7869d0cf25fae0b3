// LIKE patterns match according to a simple recursive definition, and stop at the deadline of the request.

import fc from 'fast-check';
import { createPatternMatcher } from '../../shared/search/like-pattern';
import { matchTexts, matchValues } from '../../shared/search/text-matcher';
import { Deadline, DeadlinePassedError, withDeadline } from '../../shared/store/deadline';

function matchesPlainly(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...others] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '%') return text.some((_, index) => matchesPlainly(others, text.slice(index))) || others.every(isAny);
  return text.length > 0 && (first === '_' || first === text[0]) && matchesPlainly(others, text.slice(1));
}

const isAny = (character: string): boolean => character === '%';

test('matches according to a simple recursive definition', () => {
  const patterns = fc.array(fc.constantFrom('a', 'b', '💧', '%', '_'), { maxLength: 8 });
  const texts = fc.array(fc.constantFrom('a', 'b', '💧'), { maxLength: 10 });
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      expect(createPatternMatcher(pattern.join(''))(text.join(''))).toBe(matchesPlainly(pattern, text));
    }),
  );
});

/** More characters than the bits in a word of the bitmaps, so that a state takes several words. */
test('matches long segments according to the definition', () => {
  const characters = fc.constantFrom('a', 'b', '💧', '_');
  const segments = fc.array(characters, { minLength: 1, maxLength: 100 });
  const texts = fc.array(fc.constantFrom('a', 'b', '💧'), { maxLength: 300 });
  const fill = (segment: readonly string[]): readonly string[] => segment.map((one) => (one === '_' ? 'b' : one));
  fc.assert(
    fc.property(segments, segments, texts, fc.nat(300), fc.boolean(), (first, second, text, at, isPlanted) => {
      const planted = isPlanted ? [...fill(first), ...text.slice(0, 5), ...fill(second)] : [];
      const whole = [...text.slice(0, at), ...planted, ...text.slice(at)];
      const findEnd = (segment: readonly string[], from: number): number => {
        const starts = Array.from(whole.keys()).filter((start) => start >= from);
        const start = starts.find((index) => matchesPlainly(segment, whole.slice(index, index + segment.length)));
        return start === undefined ? Infinity : start + segment.length;
      };
      const pattern = `%${first.join('')}%${second.join('')}%`;
      const isMatch = createPatternMatcher(pattern)(whole.join(''));
      expect(isMatch).toBe(findEnd(second, findEnd(first, 0)) <= whole.length);
      if (isPlanted) expect(isMatch).toBe(true);
    }),
  );
});

/** A clock that advances by a millisecond at each reading. */
function createClock(): { readonly now: () => number; readonly looks: () => number } {
  let looks = 0;
  return {
    now: () => {
      looks++;
      return looks;
    },
    looks: () => looks,
  };
}

const SLOW_PATTERN = `%${'a'.repeat(998)}b%`;

test.each([
  ['letters', SLOW_PATTERN],
  ['any characters', `%${'a_'.repeat(499)}b%`],
  ['a few characters', '%a_a_b%'],
])('stops within one long text at the deadline, for a pattern of %s', async (_, pattern) => {
  const { now } = createClock();
  const matches = createPatternMatcher(pattern);
  const matching = withDeadline(new Deadline(20, now), () =>
    Promise.resolve().then(() => matches('a'.repeat(300_000))),
  );
  await expect(matching).rejects.toThrow(DeadlinePassedError);
});

test('lets other requests run between texts', async () => {
  const { now } = createClock();
  let turns = 0;
  const giveWay = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const texts = Array.from({ length: 100 }, (_, index) => `a${index}`);
  const values = texts.map((text) => [text, 1] as const);
  await withDeadline(new Deadline(1e9, now, { giveWay }), async () => {
    const isMatch = await matchTexts(texts, createPatternMatcher('%5'));
    expect(isMatch.filter((one) => one === 1)).toHaveLength(10);
    expect(turns).toBeGreaterThan(5);
    await matchValues(values, createPatternMatcher('%5'));
  });
  expect(turns).toBeGreaterThan(10);
});
