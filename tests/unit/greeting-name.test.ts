// The name in the greeting of a mail contains no link and no header.

import { toGreetingName } from '../../shared/access/mail-text';

test.each([
  ['Ana  María\r\nBcc: x', 'Ana María Bcc: x'],
  ['Buy at http://shop', ''],
  ['www.shop', ''],
  ['See shop.example now', ''],
  ['shop。example', ''],
  ['shop．example', ''],
  ['Dr. Quill', 'Dr. Quill'],
  ['Q'.repeat(100), 'Q'.repeat(80)],
  ['\u202eevil\u0007', 'evil'],
])('a mail greets the name %j as %j', (name, greeted) => {
  expect(toGreetingName(name)).toBe(greeted);
});
