// The clients of the mixed load, in a process of its own: node dist/bench/measure/load-client.js PLAN
// Each client asks the next question of the mix when its answer is complete. Prints what came of it as JSON.

import { mixedQuestions } from './benchmark-mix';
import type { DataShape } from './benchmark-requests';
import type { MeasuredServer, Question } from './http-client';
import { KeepAliveConnection } from './keep-alive-connection';
import { percentile } from './quantiles';

export interface LoadPlan {
  readonly service: MeasuredServer;
  /** Undefined: the service alone. */
  readonly floor: MeasuredServer | undefined;
  readonly shape: DataShape;
  readonly clients: number;
  readonly seconds: number;
  /** The place in the order of the mix to begin at: cold questions before it were asked. */
  readonly firstPlace: number;
}

/** Times are milliseconds. */
export interface LoadFigures {
  readonly answers: number;
  /** Not 200, or broken off. */
  readonly errors: number;
  readonly perSecond: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly slowest: number;
  /** How much of one core these clients took: what they take the server does not get. */
  readonly clientCores: number;
}

export interface LoadResult {
  readonly service: LoadFigures;
  /** The same lengths in the same order, again and again. */
  readonly floor: LoadFigures | undefined;
  readonly nextPlace: number;
}

interface Gathered {
  readonly figures: LoadFigures;
  readonly sizes: readonly number[];
}

async function main(): Promise<void> {
  // What the benchmark gives is a plan.
  const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan;
  const mixed = mixedQuestions(plan.shape);
  const service = await runClients(plan.service, plan, (index) => mixed(plan.firstPlace + index));
  const floor =
    plan.floor === undefined ? undefined : await runClients(plan.floor, plan, (index) => sized(service.sizes, index));
  const result: LoadResult = {
    service: service.figures,
    floor: floor?.figures,
    nextPlace: plan.firstPlace + service.sizes.length,
  };
  process.stdout.write(JSON.stringify(result));
}

async function runClients(
  server: MeasuredServer,
  { clients, seconds }: LoadPlan,
  question: (index: number) => Question,
): Promise<Gathered> {
  const latencies: number[] = [];
  const sizes: number[] = [];
  let [errors, asked] = [0, 0];
  const started = performance.now();
  const cpu = process.cpuUsage();
  const client = async (): Promise<void> => {
    const connection = new KeepAliveConnection(server);
    while (performance.now() - started < seconds * 1000) {
      const index = asked++;
      const answer = await connection.ask(question(index)).catch(() => undefined);
      if (answer?.status !== 200) errors += 1;
      else latencies.push(answer.milliseconds);
      sizes[index] = answer?.bytes ?? 0;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const figures: LoadFigures = {
    answers: latencies.length,
    errors,
    perSecond: latencies.length / elapsed,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    slowest: percentile(latencies, 1),
    clientCores: (user + system) / 1e6 / elapsed,
  };
  return { figures, sizes };
}

function sized(sizes: readonly number[], index: number): Question {
  return { method: 'GET', path: `/${sizes[index % sizes.length] ?? 0}`, headers: {} };
}

void main();
