// What infra/prometheus and infra/grafana read is what /metrics has, and promtool takes all of it. Without promtool
// (Debian's package prometheus) the tests that run it are skipped.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataMetrics, ServiceMetrics } from '../../shared/http/operating/metrics';
import { projectDirectory } from '../../shared/project-files';
import { oneAmount } from '../fixtures/handmade';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { loadedService } from '../fixtures/test-service';

const INFRA = join(projectDirectory(), 'infra');
const folder = temporaryFolder();
const loaded = loadedService(oneAmount);

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}

const dashboard = JSON.parse(readFileSync(join(INFRA, 'grafana', 'water.json'), 'utf8')) as Dashboard;
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const alerts = readFileSync(join(INFRA, 'prometheus', 'alerts.yml'), 'utf8');
const read = [alerts, ...targets.flatMap(({ expr, legendFormat }) => [expr, legendFormat])].join('\n');

/** What /metrics answers once each thing that it counts has happened. */
async function allMetrics(): Promise<string> {
  const metrics = new ServiceMetrics(() => 0);
  metrics.watchProcess();
  metrics.requests.inc({ function: 'Inventory', status: 200 });
  metrics.seconds.observe({ function: 'Inventory' }, 0.1);
  metrics.bytes.inc({ function: 'Inventory' }, 10);
  metrics.refusals.inc({ problem: 'Bad input parameter' });
  metrics.mails.inc({ outcome: 'sent' });
  metrics.keyRequests.inc({ outcome: 'mail follows' });
  const counts = { published: 1, unchanged: 0, refused: 0, held: 0, rejectedRows: 0 };
  metrics.loads.ticked({ name: 'TakeInSubmissions', outcome: 'done', counts });
  return `${await metrics.text()}\n${await dataMetrics(loaded.store)}`;
}

test('each metric that the dashboard and the alerts read is one of the service, and so is each label', async () => {
  const text = await allMetrics();
  const samples = new Set(Array.from(text.matchAll(/^([a-z]\w+)[{ ]/gm), ([, name]) => name));
  const labels = new Set(Array.from(text.matchAll(/[{,](\w+)="/g), ([, label]) => label));
  const names = new Set(Array.from(read.matchAll(/\b(?:water|process|nodejs)_\w+/g), ([name]) => name));
  expect(names.size).toBeGreaterThan(15);
  expect([...names].filter((name) => !samples.has(name))).toEqual([]);
  const grouped = Array.from(read.matchAll(/\bby \(([^)]+)\)/g), ([, list = '']) => list.split(/, ?/)).flat();
  const shown = Array.from(read.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g), ([, label = '']) => label);
  const matched = Array.from(
    read.matchAll(/\bwater_\w+\{([^}]*)\}/g),
    ([, list = '']) => list.match(/\w+(?==)/g) ?? [],
  );
  const used = [...grouped, ...shown, ...matched.flat()];
  expect(used).toEqual(expect.arrayContaining(['le', 'status', 'organization', 'outcome']));
  expect(used.filter((label) => !labels.has(label))).toEqual([]);
});

const testWithPromtool = spawnSync('promtool', ['--version']).status === 0 ? test : test.skip;

testWithPromtool('each alert fires for what it is there for, and none while the service is well', () => {
  const { status, stderr } = spawnSync('promtool', ['test', 'rules', join(INFRA, 'prometheus', 'alerts.test.yml')]);
  expect([status, stderr.toString()]).toEqual([0, '']);
  const example = spawnSync('promtool', ['check', 'config', join(INFRA, 'prometheus', 'prometheus.yml')]);
  expect([example.status, example.stderr.toString()]).toEqual([0, '']);
});

testWithPromtool('each query of the dashboard is one of Prometheus, and a broken one is not', () => {
  const check = (queries: readonly string[]): number | null => {
    const file = join(folder, 'queries.yml');
    const rules = queries.map((query, index) => ({
      record: `panel:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    return spawnSync('promtool', ['check', 'rules', '--lint=none', file]).status;
  };
  expect(check(targets.map(({ expr }) => expr))).toBe(0);
  expect(check([...targets.map(({ expr }) => expr), 'sum by ('])).not.toBe(0);
});
