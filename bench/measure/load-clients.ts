// The clients of the mixed load, in their own process: `node tools/launch.mjs load-clients PLAN`. Each client sends the
// next question of the mix once its previous answer is complete. Prints the figures as JSON.

import { type AutocannonClient, type AutocannonResult, loadAutocannon } from './packages';
import { percentile } from './quantiles';
import { createQuestionMix, type DataShape } from './requests';
import type { MeasuredServer, Question } from './timing-client';

export interface LoadPlan {
  readonly service: MeasuredServer;
  /** Undefined if only the service is measured. */
  readonly floor: MeasuredServer | undefined;
  readonly shape: DataShape;
  readonly clients: number;
  readonly seconds: number;
  /** The position in the mix to start at, after the cold questions that were already sent. */
  readonly firstPosition: number;
}

/** Times are in milliseconds. */
export interface LoadFigures {
  readonly answers: number;
  /** Answers with a status other than 200, broken connections, and answers that took longer than ten seconds. */
  readonly errors: number;
  readonly perSecond: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly slowest: number;
  /** The share of a core that the clients used, which was thus not available to the server. */
  readonly clientCores: number;
}

export interface LoadResult {
  readonly service: LoadFigures;
  /**
   * The floor server's figures for bodies of the same lengths, sent in the same order and repeated as often as needed.
   */
  readonly floor: LoadFigures | undefined;
  readonly nextPosition: number;
}

async function main(): Promise<void> {
  const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan; // Passed by the benchmark.
  const pickQuestion = createQuestionMix(plan.shape);
  const service = await runClients(plan.service, plan, (index) => pickQuestion(plan.firstPosition + index));
  const { sizes } = service;
  const buildFloorQuestion = (index: number): Question => ({ path: `/${sizes[index % sizes.length] ?? 0}` });
  const floor = plan.floor === undefined ? undefined : await runClients(plan.floor, plan, buildFloorQuestion);
  const result: LoadResult = {
    service: service.figures,
    floor: floor?.figures,
    nextPosition: plan.firstPosition + service.askedCount,
  };
  process.stdout.write(JSON.stringify(result));
}

async function runClients(
  server: MeasuredServer,
  { clients, seconds }: LoadPlan,
  question: (index: number) => Question,
): Promise<{ readonly figures: LoadFigures; readonly sizes: readonly number[]; readonly askedCount: number }> {
  const latencies: number[] = [];
  const sizes: number[] = [];
  let askedCount = 0;
  const nextPath = (): string => {
    const { path } = question(askedCount);
    askedCount++;
    return path;
  };
  const cpu = process.cpuUsage();
  const { errors, non2xx, duration } = await new Promise<AutocannonResult>((resolve, reject) => {
    const run = loadAutocannon()(
      {
        url: server.origin,
        headers: server.headers,
        connections: clients,
        duration: seconds,
        requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }],
        setupClient: dropBodies,
      },
      (error, result) => {
        if (error === null) resolve(result);
        else reject(error);
      },
    );
    run.on('response', (_, status, bytes, milliseconds) => {
      sizes.push(bytes);
      if (status === 200) latencies.push(milliseconds);
    });
  });
  const { user, system } = process.cpuUsage(cpu);
  const figures: LoadFigures = {
    answers: latencies.length,
    errors: errors + non2xx,
    perSecond: latencies.length / duration,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    slowest: percentile(latencies, 1),
    clientCores: (user + system) / 1e6 / duration,
  };
  return { figures, sizes, askedCount };
}

/** autocannon decodes every body to text. That is not needed here and would take a core from the server. */
function dropBodies(client: AutocannonClient): void {
  client.pipelinedRequests.addBody = () => undefined;
}

void main();
