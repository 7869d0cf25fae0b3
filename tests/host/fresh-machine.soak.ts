// Runs the commands of docs/one-machine.md on a new Debian installation (tests/fixtures/fresh-machine.sh). Only the
// soak runs this file, because the commands install and compile everything twice, which takes minutes.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { testWith } from '../fixtures/optional-tool';
import { DEBOOTSTRAP } from '../fixtures/outside-tools';

testWith(
  DEBOOTSTRAP,
  'the commands of docs/one-machine.md set up the service behind nginx with TLS, and upgrade it',
  () => {
    const script = join(PROJECT, 'tests', 'fixtures', 'fresh-machine.sh');
    const { status, stdout, stderr } = spawnSync('bash', [script, PROJECT], { encoding: 'utf8' });
    expect({ status, lastLine: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      status: 0,
      lastLine: 'Set up and upgraded: all commands worked.',
    });
    expect(stderr).toContain('npm --prefix /opt/water run load');
  },
  1_200_000,
);
