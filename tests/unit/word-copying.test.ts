import { ByteWriter } from '../../shared/values/byte-writer';
import { allocateCopied, copiedText, copyWords, WORD_SLACK } from '../../shared/values/word-copying';

const TEXT = 'It snows on the Uinta Mountains, and the Bear River rises there.';

test.each([0, 1, 7, 8, 9, 16, 63])('copies %i bytes, and what stands before them stays', (bytes) => {
  const source = copiedText(TEXT);
  const target = allocateCopied(TEXT.length + 3, (length) => Buffer.alloc(length, 'x'));
  const end = copyWords(source.words, 1, 1 + bytes, target.words, 3);
  expect(end).toBe(3 + bytes);
  expect(target.bytes.toString('latin1', 0, end)).toBe(`xxx${TEXT.slice(1, 1 + bytes)}`);
});

test('copies the last bytes of a text to the end of memory', () => {
  const target = allocateCopied(5, (length) => Buffer.alloc(length));
  copyWords(copiedText('Ouray').words, 0, 5, target.words, 0);
  expect(target.bytes.toString()).toBe('Ouray');
});

test('a writer has room for what is copied by words, in the memory that grows for it', () => {
  const writer = new ByteWriter(4, (length) => Buffer.alloc(length));
  const source = copiedText(TEXT);
  for (let time = 0; time < 3; time++) {
    writer.ascii('>');
    const memory = writer.wordsFor(TEXT.length);
    expect(memory.byteLength).toBeGreaterThanOrEqual(writer.length + TEXT.length + WORD_SLACK);
    writer.endAt(copyWords(source.words, 0, TEXT.length, memory, writer.length));
  }
  expect(writer.bytes().toString()).toBe(`>${TEXT}`.repeat(3));
});
