// Reads the arguments of tools in the forms that clients send (D72): JSON text where the schema declares an object, a
// list or a number, and null or an empty string for a missing argument.

import type { Tool } from '@modelcontextprotocol/server';
import type { Item } from '../../records/record-references';
import { findStateCode } from '../../values/states';

type Schema = Tool['inputSchema'];

/**
 * Converts the arguments to the types that their schema declares. An argument that could mean several things stays as
 * sent.
 */
export function readArguments(schema: Schema, sent: Item): Item {
  return readMembers(sent, schema.properties ?? {});
}

function readMembers(sent: Item, properties: Readonly<Record<string, unknown>>): Item {
  const members = Object.entries(sent).flatMap(([name, value]) => {
    const declared = Object.keys(properties).find((property) => property.toLowerCase() === name.toLowerCase());
    const read = readValue(value, declared === undefined ? undefined : properties[declared]);
    if (isMissing(read)) return [];
    return [[name, isState(name) ? readStates(read) : read] as const];
  });
  return Object.fromEntries(members);
}

function readValue(value: unknown, schema: unknown): unknown {
  const { type, properties } = isObject(schema) ? schema : {};
  const decoded = typeof value === 'string' && type !== 'string' ? decode(value, type) : value;
  if (type === 'array' && typeof decoded === 'string') return decoded.trim() === '' ? undefined : [decoded];
  if (Array.isArray(decoded)) return decoded.filter((item) => !isMissing(item));
  return isObject(decoded) && isObject(properties) ? readMembers(decoded, properties) : decoded;
}

/**
 * Parses JSON text if the result is null or has the declared type. If no type is declared, as for an unknown filter
 * name, only a list is parsed.
 */
function decode(text: string, type: unknown): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (value === null) return value;
  if (type === 'object') return isObject(value) ? value : text;
  if (type === 'integer' || type === 'number') return typeof value === 'number' ? value : text;
  if (type === 'array' && typeof value === 'string') return [value];
  return Array.isArray(value) ? value : text;
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isState(name: string): boolean {
  return name.toLowerCase() === 'state';
}

/** Replaces full state names with abbreviations. */
function readStates(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readStates);
  return typeof value === 'string' ? (findStateCode(value.trim()) ?? value) : value;
}
