// The sources of the base map in words (D79).

import { formatAttribution } from '../../explorer/map/attribution';

test('pictures of the built-in base map name its sources without links', () => {
  const text = formatAttribution({ tiles: '', attribution: '' });
  for (const source of ['GeoNames CC BY 4.0', 'Natural Earth', 'GSHHG', 'US Census']) expect(text).toContain(source);
  expect(text).not.toMatch(/[<>]/);
});

test('pictures of an operator’s tiles name their sources and the source of the borders', () => {
  const tiles = 'https://tiles.example.org/{z}/{x}/{y}.png';
  const text = formatAttribution({ tiles, attribution: '© Example <maps>' });
  expect(text).toContain('© Example <maps>');
  expect(text).toContain('US Census');
  expect(text).not.toContain('GeoNames');
});
