// The commands of docs/one-machine.md, run as they stand by tests/fixtures/fresh-machine.sh: in the soak only, because
// they install and compile all anew, twice, which takes minutes. Needs root and Debian's debootstrap.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { isSoak } from '../fixtures/soak';

const canRun = isSoak && process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap');

(canRun ? test : test.skip)(
  'from nothing to the service behind nginx with TLS and a first load in ten commands, and to the next version',
  () => {
    const script = join(PROJECT, 'tests', 'fixtures', 'fresh-machine.sh');
    const { status, stdout, stderr } = spawnSync('bash', [script, PROJECT], { encoding: 'utf8' });
    expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      'From nothing, and upgraded: all commands did it.',
    ]);
    expect(stderr).toContain('npm --prefix /opt/water run load');
  },
  1_200_000,
);

test('the page has ten commands, in one block', () => {
  const page = readFileSync(join(PROJECT, 'docs', 'one-machine.md'), 'utf8');
  const [, block = ''] = /^## From nothing\n[^]*?```sh\n([^`]*)```/m.exec(page) ?? [];
  expect(block.trimEnd().split('\n')).toHaveLength(10);
});
