// The picture of growth is a well-formed SVG that says in words what its lines show. The charting library comes with
// the packages of the benchmark (npm --prefix bench ci); where they are not installed the tests are skipped.

import { growthPicture, type GrowthPoint } from '../../bench/growth/growth-picture';
import { arePackagesInstalled } from '../../bench/measure/packages';

const testWithPackages = arePackagesInstalled() ? test : test.skip;

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
const svg = arePackagesInstalled() ? growthPicture([later, point]) : '';

testWithPackages('is accessible: an image with a title and a description that has the figures', () => {
  expect(svg).toMatch(
    /^<svg [^>]*role="img" aria-labelledby="title desc">\n<title id="title">[^<]+<\/title>\n<desc id="desc">/,
  );
  expect(svg).toContain('Records: 10,000 (2026-01-02), 1,000,000 (2026-01-02).');
  expect(svg).toContain('polygon, never asked 4, 40;');
  expect(svg).toContain('2 cores (A &amp; B &lt;processor&gt;)');
});

testWithPackages('every element that is opened is closed', () => {
  const open: string[] = [];
  for (const [, slash, name = '', rest = ''] of svg.matchAll(/<(\/?)(\w+)([^<>]*)>/g)) {
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (!rest.endsWith('/')) open.push(name);
  }
  expect(open).toEqual([]);
});

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The corners of each line, chart by chart; the first has the milliseconds. */
const lines = [...svg.matchAll(/<path d="M([^"AaZ]+)" fill="none" [^>]*stroke-width="2"/g)].map((found) =>
  (found[1] ?? '').split('L').map((corner): Place => {
    const [x = NaN, y = NaN] = corner.split(' ').map(Number);
    return { x, y };
  }),
);

testWithPackages(
  'has a named line for each cost, with one marker for each size, from the smaller to the larger',
  () => {
    expect(lines).toHaveLength(9);
    expect(svg.match(/<path d="M1 0A1 1 /g)).toHaveLength(18);
    for (const [first, last] of lines) expect(first?.x).toBeLessThan(last?.x ?? NaN);
    for (const name of ['any page, never asked', 'files of the store', 'a million loaded'])
      expect(svg).toContain(`>${name}</text>`);
  },
);

testWithPackages('both axes are logarithmic: what grows a hundredfold in both goes up by two powers of ten', () => {
  const [start, end] = lines[7] ?? [];
  const heights = [...svg.matchAll(/<path d="M62 ([\d.]+)L550 \1" fill="none" [^>]*stroke="#d1d9e0"/g)]
    .map((found) => Number(found[1]))
    .filter((height) => height > 330 && height < 660)
    .sort((a, b) => a - b);
  const powerHeight = ((heights.at(-1) ?? NaN) - (heights[0] ?? NaN)) / (heights.length - 1);
  // The picture is drawn on whole and half pixels.
  expect(Math.abs((start?.y ?? NaN) - (end?.y ?? NaN) - 2 * powerHeight)).toBeLessThanOrEqual(0.6);
  expect((end?.x ?? NaN) - (start?.x ?? NaN)).toBeCloseTo(488, 0);
});

testWithPackages('names of lines that end at one height do not stand over each other', () => {
  const names = [...svg.matchAll(/<text [^>]*transform="translate\(5\d\d ([\d.]+)\)"[^>]*>[a-z][^<]*<\/text>/g)];
  const heights = names.map((found) => Number(found[1])).slice(0, 5);
  expect(heights).toHaveLength(5);
  expect(heights).toHaveLength(5);
  const ascending = heights.sort((a, b) => a - b);
  for (const [index, height] of ascending.entries()) {
    if (index > 0) expect(height - (ascending[index - 1] ?? 0)).toBeGreaterThanOrEqual(15.9);
  }
});

testWithPackages('can be read on dark ground', () => {
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
});

test('refuses to draw nothing', () => {
  expect(() => growthPicture([])).toThrow('no figures');
});
