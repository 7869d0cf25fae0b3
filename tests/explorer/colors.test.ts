// The colors of the explorer as people see them: contrast (WCAG 2), distance (CIEDE2000) and deuteranopia (Machado,
// Oliveira and Fernandes 2009).

import { getGroundColors } from '../../explorer/map/ground-colors';
import { buildDecadeLegend } from '../../explorer/map/legend-colors';
import { getShades } from '../../explorer/map/shades';
import { PALETTE } from '../../explorer/state/palette';
import { computeContrast, computeDistance, computeLuminance, seeAsDeuteranope } from '../fixtures/color-vision';

const grounds = {
  light: [getGroundColors(false).land, getGroundColors(false).paper],
  dark: [getGroundColors(true).land, getGroundColors(true).paper],
} as const;

const pairs = PALETTE.flatMap((a, index) => PALETTE.slice(index + 1).map((b) => [a, b] as const));

test('the color measures give the values published in the literature', () => {
  expect(computeContrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(computeDistance('#000000', '#ffffff')).toBeCloseTo(100, 1);
  expect(computeDistance('#ff0000', '#00ff00')).toBeCloseTo(86.6, 0);
  // Red and green of the same brightness look nearly the same to a deuteranope.
  expect(computeDistance(seeAsDeuteranope('#b05a2a'), seeAsDeuteranope('#6f7a2a'))).toBeLessThan(8);
});

test('a chart uses at most nine colors', () => {
  expect(new Set(PALETTE).size).toBe(PALETTE.length);
  expect(PALETTE.length).toBeLessThanOrEqual(9);
});

test.each(PALETTE)('%s has a contrast of at least 3:1 on every background', (color) => {
  for (const ground of [...grounds.light, ...grounds.dark])
    expect(computeContrast(color, ground)).toBeGreaterThanOrEqual(3);
});

test('all colors look different, even to deuteranopes', () => {
  for (const [a, b] of pairs) {
    expect(computeDistance(a, b)).toBeGreaterThan(15);
    expect(computeDistance(seeAsDeuteranope(a), seeAsDeuteranope(b))).toBeGreaterThan(10);
  }
});

test.each(['light', 'dark'] as const)('on a %s page the contrast of shades increases with the value', (theme) => {
  const ground = grounds[theme][0];
  const contrasts = getShades(theme).map((shade) => computeContrast(shade, ground));
  expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b));
  expect(contrasts[0]).toBeGreaterThan(1.3);
  expect(contrasts.at(-1)).toBeGreaterThan(7);
  const shades = getShades(theme);
  for (const [index, shade] of shades.slice(1).entries())
    expect(computeDistance(seeAsDeuteranope(shade), seeAsDeuteranope(shades[index] ?? ''))).toBeGreaterThan(7);
});

test.each([false, true])(
  'senior rights have the strongest contrast, and all spans have at least 3:1 (dark: %s)',
  (isDark) => {
    const ground = grounds[isDark ? 'dark' : 'light'][0];
    const colors = buildDecadeLegend(isDark).map(({ color }) => color);
    const contrasts = colors.map((color) => computeContrast(color, ground));
    expect(contrasts).toEqual(contrasts.toSorted((a, b) => b - a));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
    expect(computeLuminance(colors[0] ?? '') > computeLuminance(ground)).toBe(isDark);
  },
);
