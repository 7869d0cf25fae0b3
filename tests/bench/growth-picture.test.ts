// The picture of growth is a well-formed SVG that says in words what its lines show.

import type { GrowthPoint } from '../../bench/growth/growth-costs';
import { growthPicture } from '../../bench/growth/growth-picture';

const point: GrowthPoint = {
  machine: '2 cores (A & B <processor>)',
  date: '2026-01-02',
  records: 10_000,
  page: 2,
  pageCold: 2,
  datesCold: 0.9,
  polygonCold: 4,
  coldStart: 230,
  loadSecondsAMillion: 140,
  loadPeakMegabytes: 137,
  privateMegabytes: 150,
  fileMegabytes: 22,
};
const later: GrowthPoint = { ...point, records: 1_000_000, polygonCold: 40, fileMegabytes: 2200 };
const svg = growthPicture([later, point]);

test('is accessible: an image with a title and a description that has the figures', () => {
  expect(svg).toMatch(
    /^<svg [^>]*role="img" aria-labelledby="title desc">\n<title id="title">[^<]+<\/title>\n<desc id="desc">/,
  );
  expect(svg).toContain('Records: 10,000 (2026-01-02), 1,000,000 (2026-01-02).');
  expect(svg).toContain('polygon, never asked 4, 40;');
  expect(svg).toContain('2 cores (A &amp; B &lt;processor&gt;)');
});

test('every element that is opened is closed', () => {
  const open: string[] = [];
  for (const [, slash, name = '', rest = ''] of svg.matchAll(/<(\/?)(\w+)([^<>]*)>/g)) {
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (!rest.endsWith('/')) open.push(name);
  }
  expect(open).toEqual([]);
});

test('has a named line for each cost, with one marker for each size, from the smaller to the larger', () => {
  const lines = [...svg.matchAll(/<polyline [^>]*points="([^"]+)"/g)].map((found) => (found[1] ?? '').split(' '));
  expect(lines).toHaveLength(9);
  expect(svg.match(/<circle /g)).toHaveLength(18);
  for (const [first = '', last = ''] of lines) expect(parseFloat(first)).toBeLessThan(parseFloat(last));
  for (const name of ['any page, never asked', 'files of the store', 'a million loaded'])
    expect(svg).toContain(`>${name}</text>`);
});

test('both axes are logarithmic: what grows a hundredfold in both goes up by two powers of ten', () => {
  const [, start = '', end = ''] = /class="line line-2" points="(\S+) (\S+)"/.exec(svg.split('<g ')[2] ?? '') ?? [];
  const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [start, end].map((place) => place.split(',').map(Number)) as [
    number[],
    number[],
  ];
  const grid = [...(svg.split('<g ')[2] ?? '').matchAll(/class="grid" x1="62" y1="([\d.]+)" x2="550"/g)].map((found) =>
    Number(found[1]),
  );
  const powerHeight = ((grid[0] ?? 0) - (grid.at(-1) ?? 0)) / (grid.length - 1);
  expect(y1 - y2).toBeCloseTo(2 * powerHeight, 0);
  expect(x2 - x1).toBeCloseTo(488, 0);
});

test('names of lines that end at one height do not stand over each other', () => {
  const heights = [...svg.matchAll(/<text x="580" y="([\d.]+)"/g)].map((found) => Number(found[1])).slice(0, 5);
  const ascending = heights.sort((a, b) => a - b);
  for (const [index, height] of ascending.entries()) {
    if (index > 0) expect(height - (ascending[index - 1] ?? 0)).toBeGreaterThanOrEqual(15.9);
  }
});

test('can be read on dark ground', () => {
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
});

test('refuses to draw nothing', () => {
  expect(() => growthPicture([])).toThrow('no figures');
});
