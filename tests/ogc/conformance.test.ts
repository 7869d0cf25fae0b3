// Every class of a standard that the service declares has its abstract tests in this folder; docs/gis.md counts them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const FOLDER = join(PROJECT, 'tests', 'ogc');

/** By class its abstract tests, by their identifiers in the standard. */
function abstractTests(): ReadonlyMap<string, ReadonlySet<string>> {
  const tests = new Map<string, Set<string>>();
  for (const file of readdirSync(FOLDER)) {
    const [, ...classes] = readFileSync(join(FOLDER, file), 'utf8').split(/^describe\('/m);
    for (const text of classes) {
      const [name = ''] = text.split("'", 1);
      const own = `/conf/${name.split('/').at(-1) ?? ''}/`;
      const ids = text.match(/\/conf\/[\w-]+\/\w[\w-]*/g) ?? [];
      tests.set(name, new Set(ids.filter((id) => id.startsWith(own))));
    }
  }
  return tests;
}

test('every declared class has tests, and no other', async () => {
  const { json } = await service.get('/ogc/conformance', {});
  const declared = (json.conformsTo as readonly string[]).map((uri) => uri.replace('http://www.opengis.net/spec/', ''));
  const tests = abstractTests();
  expect([...tests.keys()].sort()).toEqual([...declared].sort());
  for (const [name, ids] of tests) expect([name, ids.size > 0]).toEqual([name, true]);
});

test('docs/gis.md says how many abstract tests of each class are held', () => {
  const table = readFileSync(join(PROJECT, 'docs', 'gis.md'), 'utf8').matchAll(
    /^\| `([^`]+\/conf\/[^`]+)` .*\|\s*(\d+) \|$/gm,
  );
  const said = Array.from(table, ([, name, count]) => [name, Number(count)]);
  expect(said).toEqual([...abstractTests()].map(([name, ids]) => [name, ids.size]).sort());
});
