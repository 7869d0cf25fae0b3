// The supported versions of Node.js.

import { isNodeSupported } from '../../tools/command';

test.each(['22.15.0', '22.20.1', '23.8.0', '24.0.0', '25.1.0', '100.0.0'])('runs on Node %s', (version) => {
  expect(isNodeSupported(version)).toBe(true);
});

test.each(['18.20.0', '20.20.2', '22.14.9', '23.0.0', '23.7.0'])('refuses Node %s', (version) => {
  expect(isNodeSupported(version)).toBe(false);
});
