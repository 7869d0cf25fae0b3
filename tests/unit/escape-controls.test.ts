// Names from outside in logs and on terminals.

import { PassThrough } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { terminalProgress } from '../../data-loaders/stage/progress';
import { escapeControls, escapeControlsInLines, formatFailure } from '../../shared/values/escape-controls';

test.each([
  ['2026\nsubmission b: published', '2026\\u000asubmission b: published'],
  ['a\r\u001b[2Kb', 'a\\u000d\\u001b[2Kb'],
  ['\u009b31m', '\\u009b31m'],
  ['a\u2028b\u202ec\u0085', 'a\\u2028b\\u202ec\\u0085'],
  ['\u007f\u0000\t', '\\u007f\\u0000\\u0009'],
  ['Río Grande, 日本', 'Río Grande, 日本'],
])('%j is written as %s', (name, written) => {
  expect(escapeControls(name)).toBe(written);
});

test('a text of several lines keeps its line feeds, but no other control characters', () => {
  expect(escapeControlsInLines('a\n\u001b[31mb\r\n')).toBe('a\n\\u001b[31mb\\u000d\n');
});

test('no error text can start a new line of the log', () => {
  const failure = formatFailure('submission a\nb failed', new Error('cannot open c\nsubmission d: published\u001b[2J'));
  const [first, ...others] = failure.split('\n');
  expect(first).toMatch(/^submission a\\u000ab failed /);
  expect(others.filter((line) => !line.startsWith('    '))).toEqual([]);
  expect(failure).not.toContain('\u001b');
});

test('the progress of a load escapes names and messages', async () => {
  const stream = new PassThrough();
  const progress = terminalProgress(stream as unknown as NodeJS.WriteStream, () => 0); // The code under test uses only write and isTTY.
  progress.startFile('a\nb\u001b[2J.csv', 1);
  progress.log('c\nd\u001b]0;title\u0007');
  stream.end();
  expect(await readText(stream)).toBe('reading a\\u000ab\\u001b[2J.csv\nc\\u000ad\\u001b]0;title\\u0007\n');
});
