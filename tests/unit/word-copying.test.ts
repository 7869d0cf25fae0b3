import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { allocateCopied, copiedText, isSameAt } from '../../shared/values/bytes/word-copying';

const TEXT = 'It snows on the Uinta Mountains, and the Bear River rises there.';

test.each([0, 1, 7, 8, 9, 16, 63])(
  'copies %i bytes behind what was written, and what follows stands behind them',
  (bytes) => {
    const writer = new ByteWriter(4);
    writer.ascii('>');
    writer.copyWords(copiedText(TEXT).words, 1, 1 + bytes);
    writer.ascii('<');
    expect(writer.bytes().toString()).toBe(`>${TEXT.slice(1, 1 + bytes)}<`);
  },
);

test('copies a text to its end, where memory ends with the slack', () => {
  const { bytes, words } = allocateCopied(5, (length) => Buffer.alloc(length));
  bytes.write('Ouray');
  const writer = new ByteWriter(0);
  writer.copyWords(words, 0, 5);
  expect(writer.bytes().toString()).toBe('Ouray');
});

test.each([1, 7, 8, 9, 399, 400, 401])('repeats %i bytes that were written just before', (bytes) => {
  const text = TEXT.repeat(7).slice(0, bytes);
  const writer = new ByteWriter(0);
  writer.text(`>${text}`);
  writer.repeat(1, 1 + bytes);
  writer.ascii('<');
  expect(writer.bytes().toString()).toBe(`>${text}${text}<`);
});

test('memory that grows holds what was copied before', () => {
  const writer = new ByteWriter(4);
  const { words } = copiedText(TEXT);
  for (let time = 0; time < 3; time++) writer.copyWords(words, 0, TEXT.length);
  expect(writer.bytes().toString()).toBe(TEXT.repeat(3));
});

test.each([
  ['Bear River', 'Bear River', true],
  ['Bear River', 'Bear Rivet', false],
  ['Bear River', 'Boar River', false],
  ['Bear', 'Bear', true],
  ['Bear', 'Beer', false],
])('%s beside %s: the same is %p', (one, other, isSame) => {
  const { words } = copiedText(`${one} ${other}`);
  expect(isSameAt(words, 0, one.length, one.length + 1)).toBe(isSame);
});
