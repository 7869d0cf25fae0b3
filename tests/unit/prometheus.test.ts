// The alerts in infra/prometheus and the dashboard in infra/grafana use metrics that /metrics has, and promtool accepts
// their queries.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDataMetrics, ServiceMetrics } from '../../shared/http/operating/metrics';
import { findProjectDirectory } from '../../shared/project-files';
import { oneAmount } from '../fixtures/handmade';
import { describeWith } from '../fixtures/optional-tool';
import { PROMTOOL } from '../fixtures/outside-tools';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createLoadedService } from '../fixtures/test-service';

const INFRA = join(findProjectDirectory(), 'infra');
const folder = createTemporaryFolder();
const service = createLoadedService(oneAmount);

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[] }[];
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(INFRA, 'grafana', 'water.json'), 'utf8'));
const targets = dashboard.panels.flatMap((panel) => panel.targets);
const dashboardQueries = targets.map(({ expr }) => expr);
const alerts = readFileSync(join(INFRA, 'prometheus', 'alerts.yml'), 'utf8');
const allQueries = [alerts, ...targets.flatMap(({ expr, legendFormat }) => [expr, legendFormat])].join('\n');

/** The answer of /metrics after each counted event has happened once. */
async function writeAllMetrics(): Promise<string> {
  const metrics = new ServiceMetrics(() => 0);
  metrics.watchProcess();
  metrics.requests.inc({ function: 'Inventory', status: 200 });
  metrics.seconds.observe({ function: 'Inventory' }, 0.1);
  metrics.bytes.inc({ function: 'Inventory' }, 10);
  metrics.refusals.inc({ problem: 'Bad input parameter' });
  metrics.mails.inc({ outcome: 'sent' });
  metrics.keyRequests.inc({ outcome: 'mail follows' });
  const counts = { published: 1, unchanged: 0, refused: 0, held: 0, rejectedRows: 0 };
  metrics.loads.recordTick({ name: 'TakeInSubmissions', outcome: 'done', counts });
  return `${await metrics.text()}\n${await collectDataMetrics(service.store)}`;
}

test('the service has each metric that the dashboard and the alerts use', async () => {
  const metrics = await writeAllMetrics();
  const metricNames = new Set(Array.from(metrics.matchAll(/^([a-z]\w+)[{ ]/gm), ([, name]) => name));
  const queriedNames = new Set(Array.from(allQueries.matchAll(/\b(?:water|process|nodejs)_\w+/g), ([name]) => name));
  expect(queriedNames.size).toBeGreaterThan(15);
  expect([...queriedNames].filter((name) => !metricNames.has(name))).toEqual([]);
});

test('the service has each label that the dashboard and the alerts use', async () => {
  const metrics = await writeAllMetrics();
  const labels = new Set(Array.from(metrics.matchAll(/[{,](\w+)="/g), ([, label]) => label));
  const groupedBy = Array.from(allQueries.matchAll(/\bby \(([^)]+)\)/g), ([, list = '']) => list.split(/, ?/)).flat();
  const inLegends = Array.from(allQueries.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g), ([, label = '']) => label);
  const inSelectors = Array.from(
    allQueries.matchAll(/\bwater_\w+\{([^}]*)\}/g),
    ([, list = '']) => list.match(/\w+(?==)/g) ?? [],
  ).flat();
  const queriedLabels = [...groupedBy, ...inLegends, ...inSelectors];
  expect(queriedLabels).toEqual(expect.arrayContaining(['le', 'status', 'organization', 'outcome']));
  expect(queriedLabels.filter((label) => !labels.has(label))).toEqual([]);
});

function runPromtool(...args: readonly string[]): { status: number | null; errors: string } {
  const { status, stderr } = spawnSync('promtool', args);
  return { status, errors: stderr.toString() };
}

describeWith(PROMTOOL, 'promtool', () => {
  test('promtool confirms that each alert fires when it should, and that none fires while the service is well', () => {
    expect(runPromtool('test', 'rules', join(INFRA, 'prometheus', 'alerts.test.yml'))).toEqual({
      status: 0,
      errors: '',
    });
  });

  test('promtool accepts the example of a scrape configuration', () => {
    expect(runPromtool('check', 'config', join(INFRA, 'prometheus', 'prometheus.yml'))).toEqual({
      status: 0,
      errors: '',
    });
  });

  test('promtool accepts each query of the dashboard, and rejects an invalid one', () => {
    const checkQueries = (queries: readonly string[]): number | null => {
      const file = join(folder, 'queries.yml');
      const rules = queries.map((query, index) => ({
        record: `panel:${index}`,
        expr: query.replaceAll('$__rate_interval', '5m'),
      }));
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      return runPromtool('check', 'rules', '--lint=none', file).status;
    };
    expect(checkQueries(dashboardQueries)).toBe(0);
    expect(checkQueries([...dashboardQueries, 'sum by ('])).not.toBe(0);
  });
});
