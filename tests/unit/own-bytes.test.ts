// Bytes and texts that are kept take only their own memory.

import v8 from 'node:v8';
import vm from 'node:vm';
import { createContent } from '../../shared/http/pages/page-answers';
import { AnswerCache } from '../../shared/http/pipeline/answer-cache';
import { extractTexts } from '../../shared/search/json-texts';
import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { allocateOwnBytes, ownBytes } from '../../shared/values/bytes/own-bytes';
import { countKeptBytes } from '../fixtures/kept-buffers';

describe('kept bytes', () => {
  const shared = new Uint8Array(1000).fill(7);
  test.each([
    ['an empty text', '', 0],
    ['a short text', 'résumé', 8],
    ["a buffer from Node's pool", Buffer.from('pooled'), 6],
    ['a part of a larger array', shared.subarray(10, 20), 10],
    ['the start of a larger array', shared.subarray(0, 10), 10],
    ['an empty part of a larger array', shared.subarray(5, 5), 0],
    ['a whole array', Uint8Array.of(1, 2, 3), 3],
  ])('of %s take only their own memory', (_, content, bytes) => {
    const own = ownBytes(content);
    expect([own.length, countKeptBytes(own)]).toEqual([bytes, bytes]);
    expect(Buffer.compare(own, Buffer.from(content as string))).toBe(0); // Typed arrays are also copied.
  });

  test('in a buffer that owns all of its memory are not copied', () => {
    const alone = allocateOwnBytes(40);
    expect(ownBytes(alone)).toBe(alone);
  });

  test('of thousands of short writers take their own memory each, whatever is allocated between', () => {
    const writers = Array.from({ length: 1000 }, () => {
      Buffer.from('x'.repeat(500));
      const writer = new ByteWriter(16);
      writer.text('twenty-four bytes of it.');
      return writer;
    });
    expect(countKeptBytes(writers)).toBeLessThan(1000 * 128);
  });

  test('of an answer take their own memory, even if its body was cut from a larger buffer', () => {
    const cache = new AnswerCache(1e6);
    const rest = { contentType: 'text/plain', headers: {}, total: 1, records: 1 };
    cache.offer('pool', { body: Buffer.from('pooled'), ...rest }, 'at once');
    cache.offer('view', { body: Buffer.alloc(100_000).subarray(0, 10), ...rest }, 'at once');
    expect(countKeptBytes(cache.find('pool'))).toBe(6);
    expect(countKeptBytes(cache.find('view'))).toBe(10);
  });

  test('of a page take their own memory', () => {
    expect(countKeptBytes(createContent('<p>Short</p>'))).toBe(12);
  });
});

test('a kept member of records does not keep the text of all of them in memory', () => {
  const collect = createGarbageCollector();
  const keep = (): readonly unknown[] => {
    const filling = 'f'.repeat(1_000_000);
    return Array.from({ length: 20 }, (_, number) =>
      extractTexts(JSON.stringify([{ Filling: filling, Owner: `Amber Ranch and Cattle Company ${number}` }]), 'Owner'),
    );
  };
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = keep();
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(kept.flat()).toContain('Amber Ranch and Cattle Company 19');
});

/** Node's own garbage collector, which is accessible only with a flag. */
function createGarbageCollector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void; // The flag defines `gc` in new contexts.
}
