// Reads the XML of a part of a workbook as a stream of elements.

import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';

export interface XmlHandler {
  /** Names have no namespace prefix. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/**
 * Calls the handler for each element, and yields after each chunk, so that the caller can write the rows so far.
 * Entities of a document type are not supported, so they cannot be expanded.
 */
export async function* readXml(stream: Readable, handler: XmlHandler): AsyncIterable<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8');
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => handler.open?.(removePrefix(name), attributes));
  parser.on('closetag', ({ name }) => handler.close?.(removePrefix(name)));
  if (handler.text !== undefined) {
    parser.on('text', handler.text);
    parser.on('cdata', handler.text);
  }
  for await (const piece of stream as AsyncIterable<Buffer>) {
    parser.write(decoder.decode(piece, { stream: true }));
    yield;
  }
  parser.write(decoder.decode());
  parser.close();
  yield;
}

/** Reads a whole part. Use only for small parts. */
export async function readWholeXml(stream: Readable, handler: XmlHandler): Promise<void> {
  const pieces = readXml(stream, handler)[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
}

function removePrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
