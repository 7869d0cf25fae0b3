// No regular expression of the program takes more than linear time, because the sender of a request or a submission
// chooses the text that it works on.

import { findSlowText, hasOpenRepetition, literalsBelow, madeWhile } from '../fixtures/regular-expressions';

const found = [
  ...['shared', 'functions', 'data-loaders'].flatMap(literalsBelow),
  ...madeWhile(() => {
    jest.isolateModules(() => {
      jest.requireActual('../../functions/main');
      // What functions load with the first request.
      jest.requireActual('../../shared/http/ogc/ogc-routes');
      jest.requireActual('../../shared/http/ogc/tiles');
      jest.requireActual('../../data-loaders/intake/timers');
    });
  }),
];

const named = found
  .filter(({ expression }) => hasOpenRepetition(expression))
  .map(({ file, expression }) => [String(expression), file, expression] as const);

test('the search finds expressions that are made with RegExp, too', () => {
  expect(found.map(({ expression }) => String(expression))).toContain('/^\\d{12}$/');
  expect(named.filter(([, file]) => file.endsWith('/values/wkt.ts')).length).toBeGreaterThan(2);
  expect(named.length).toBeGreaterThan(30);
});

test.each([/(a|a)*b/, /\s+$/, /,\s*\s*x/])('the search finds out that %s is slow', (expression) => {
  expect(findSlowText(expression)).toBeDefined();
});

test.each(named)('%s of %s takes a time that is linear in its text', (_, __, expression) => {
  expect(findSlowText(expression)).toBeUndefined();
});
