// Hints at the end of an error about a parameter (D71): the equivalent parameter of this service, or how to write a
// list or a number.

import { findNearestNames } from '../values/nearest-names';
import type { Parameter, ReadingSettings } from './parameter';

interface OtherName {
  readonly names: readonly string[];
  /** The equivalent parameters, and what to write. The hint uses the first one that the operation has. */
  readonly parameters: readonly (readonly [name: string, advice: string])[];
}

/** Names of parameters in USGS services, pygeoapi, Socrata, OData and WFS. */
const OTHER_NAMES: readonly OtherName[] = [
  {
    names: ['limit', 'top', 'count', 'pagesize', 'perpage', 'rows', 'size', 'maxfeatures', 'recordcount', 'maxrecords'],
    parameters: [
      ['RecordCount', 'use RecordCount'],
      ['limit', 'use limit'],
    ],
  },
  {
    names: ['offset', 'skip', 'startindex', 'start', 'page', 'pagenumber', 'cursor', 'resultoffset'],
    parameters: [
      ['StartIndex', 'use StartIndex, the number of records to skip'],
      ['offset', 'use offset, the number of features to skip'],
    ],
  },
  {
    names: ['sort', 'sortby', 'order', 'orderby', 'sortorder'],
    parameters: [['OrderBy', 'use OrderBy']],
  },
  {
    names: ['bbox', 'boundingbox', 'box', 'geometry', 'extent'],
    parameters: [
      ['bbox', 'use bbox=west,south,east,north'],
      ['SearchBoundary', 'use SearchBoundary=bbox:west,south,east,north'],
    ],
  },
];

/** Matches the names that other services use for an access key. */
const KEY_NAME = /^(?:api|access|subscription)key$|^token$/;

/** Parameters of other services for features that this service does not have. */
const ABSENT: Readonly<Record<string, string>> = {
  fields: 'answers always have all members',
  properties: 'answers always have all members',
  select: 'answers always have all members',
  skipgeometry: 'answers always have geometries; format=csv has none below /v1',
  resulttype: 'each answer has the number of matches; to get only the number, request one record',
  callback: 'there is no JSONP; pages from other sites may call the service directly',
};

/** Returns a hint to append to the error about an unknown parameter. Empty if no name is similar. */
export function suggestParameter(name: string, value: string, declared: readonly string[]): string {
  const listName = /^(.*?)(?:\[\w*\]|%5B\w*%5D|\.in|__in)$/i.exec(name.trim())?.[1];
  const repeated = declared.find((one) => one.toLowerCase() === listName?.toLowerCase());
  if (repeated !== undefined) {
    return `; for several values repeat the name: write ${repeated}=${shorten(value)}&${repeated}=OTHER`;
  }
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const other = OTHER_NAMES.find(({ names }) => names.includes(plain));
  const advice = other?.parameters.find(([one]) => declared.includes(one))?.[1];
  if (advice !== undefined) return `; ${advice}`;
  const absent = Object.hasOwn(ABSENT, plain) ? ABSENT[plain] : undefined;
  if (absent !== undefined) return `: ${absent}`;
  const nearest = other === undefined ? findSimilar(name.trim(), plain, declared) : undefined;
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/**
 * Finds a declared name that differs by one or two typos, or that consists of several words that all occur in the
 * unknown name.
 */
function findSimilar(name: string, plain: string, declared: readonly string[]): string | undefined {
  if (KEY_NAME.test(plain)) return declared.find((one) => one === 'key');
  const words = splitWords(name);
  const [nearest] = findNearestNames(name, declared, 1);
  return nearest ?? declared.find((one) => isWithin(splitWords(one), words));
}

function isWithin(words: readonly string[], others: readonly string[]): boolean {
  return words.length > 1 && words.every((word) => others.includes(word));
}

function splitWords(name: string): readonly string[] {
  return (name.slice(0, MAX_SHOWN).match(/[A-Z]*[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** Shortens a value for use in an example, and omits characters that would end the example. */
function shorten(value: string): string {
  return value.trim() === '' ? 'VALUE' : value.trim().slice(0, MAX_SHOWN);
}

const MAX_SHOWN = 60;

/** Limits the work: a value with more parts gets no hint. */
const MAX_PARTS = 100;

/** Returns a hint to append to the error about a value, if the value is a list or a number in another notation. */
export function suggestValue(parameter: Parameter<unknown>, text: string, settings: ReadingSettings): string {
  const isReadable = (part: string): boolean => part !== '' && parameter.read(part, settings).ok;
  const number = readOtherNumber(text);
  if (number !== undefined && isReadable(number)) return `; write ${number} (in R: format(x, scientific = FALSE))`;
  const parts = text
    .replaceAll(/^in\b|[[\](){}"']/gi, '')
    .split(/[,;|]/, MAX_PARTS)
    .map((part) => part.trim());
  if (!parts.every(isReadable)) return '';
  const query = parts.slice(0, 2).map((part) => `${parameter.name}=${part.slice(0, MAX_SHOWN)}`);
  if (parts.length === 1) return `; write ${query.join('')}`;
  return parameter.isRepeatable === true ? `; for several values repeat the name: write ${query.join('&')}` : '';
}

/** Reads a number that was written with an exponent, thousands separators, or a trailing `.0`. */
function readOtherNumber(text: string): string | undefined {
  // In a URL, a plus sign stands for a space.
  const exponent = /^(\d+(?:\.\d+)?)e[+ ]?(\d{1,2})$/i.exec(text);
  const isGrouped = /^\d{1,3}(?:[,' _]\d{3})+(?:\.0+)?$/.test(text);
  if (exponent === null && !isGrouped && !/^\d+\.0+$/.test(text)) return undefined;
  const number = Number(
    exponent === null ? text.replaceAll(/[,' _]/g, '') : `${exponent[1] ?? ''}e${exponent[2] ?? ''}`,
  );
  return Number.isSafeInteger(number) ? String(number) : undefined;
}
