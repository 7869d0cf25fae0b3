// `npm run cosmos` starts an in-memory emulator of Cosmos DB and the service on it, to try them out. Without arguments,
// it serves until it is stopped. `-- query CONTAINER "SELECT ..."` sends a query to a running emulator.

import { spawn } from 'node:child_process';
import console from 'node:console';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const EMULATOR_PORT = Number(process.env.COSMOS_PORT ?? 8081);
const ENDPOINT = `http://127.0.0.1:${EMULATOR_PORT}/`;
const DATABASE = process.env.COSMOS_DATABASE ?? 'water';
const CONTAINERS = ['catalog', 'data', 'index'];

/** The emulator accepts any key. */
const KEY = Buffer.from('no secret').toString('base64');

const USAGE = `Usage: npm run cosmos
       npm run cosmos -- query catalog|data|index "SELECT ..."`;

const [command, ...values] = process.argv.slice(2);
if (command === undefined) start();
else if (command === 'query' && values.length === 2 && CONTAINERS.includes(values[0])) await query(...values);
else {
  console.error(USAGE);
  process.exitCode = 2;
}

function start() {
  // The emulator is installed with the test tools.
  const require = createRequire(join(import.meta.dirname, '..', 'tests', 'package.json'));
  const { createHttpServer } = require('@vercel/cosmosdb-server');
  const emulator = createHttpServer({ keepAlive: true });
  emulator.once('error', (error) => {
    const isTaken = error.code === 'EADDRINUSE';
    const advice = isTaken
      ? 'Stop the program that uses it, or choose another port: COSMOS_PORT=8082 npm run cosmos'
      : error.message;
    console.error(`The emulator cannot listen on port ${EMULATOR_PORT}. ${advice}`);
    process.exitCode = 1;
  });
  emulator.listen(EMULATOR_PORT, '127.0.0.1', () => {
    console.log(
      `Cosmos DB emulator: ${ENDPOINT} (database ${DATABASE}, in memory; its data is lost when this command exits)`,
    );
    console.log('To inspect it: npm run cosmos -- query data "SELECT TOP 1 * FROM c" (docs/cosmos.md has more)');
    startService(() => emulator.close());
  });
}

/** @param {() => void} closeEmulator */
function startService(closeEmulator) {
  const settings = {
    WATER_STORE: 'cosmos',
    COSMOS_ENDPOINT: ENDPOINT,
    COSMOS_DATABASE: DATABASE,
    COSMOS_KEY: KEY,
  };
  const launcher = join(import.meta.dirname, 'launch.mjs');
  const service = spawn(process.execPath, [launcher, 'start'], {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal));
  service.once('exit', (code) => {
    process.exitCode = code ?? 1;
    closeEmulator();
  });
}

/** Queries all partitions, like the portal's Data Explorer. */
async function query(container, text) {
  const headers = {
    'content-type': 'application/query+json',
    'x-ms-documentdb-isquery': 'true',
    'x-ms-documentdb-query-enablecrosspartition': 'true',
    authorization: 'none',
  };
  const body = JSON.stringify({ query: text, parameters: [] });
  const address = `${ENDPOINT}dbs/${DATABASE}/colls/${container}/docs`;
  try {
    const answer = await fetch(address, { method: 'POST', headers, body });
    const content = await answer.json();
    if (answer.ok) console.log(JSON.stringify(content.Documents, undefined, 2));
    else console.error(`The emulator refused the query: ${content.message ?? answer.status}`);
    process.exitCode = answer.ok ? 0 : 1;
  } catch (error) {
    console.error(
      `No emulator answers at ${ENDPOINT}. Start one: npm run cosmos (${error.cause?.message ?? error.message})`,
    );
    process.exitCode = 1;
  }
}
