// Opens the containers, and interprets failures of the SDK. The SDK is large, so it is loaded only if the store is
// Cosmos DB. `import` loads it as an ES module, so the types come from its ES module form.

import { setTimeout as pause } from 'node:timers/promises';
import type { Container, ContainerDefinition, CosmosClient as Client, CosmosClientOptions } from '@azure/cosmos' with {
  'resolution-mode': 'import',
};
import { buildByName } from '../../values/maps';
import definitions from './containers.json';

export type CosmosContainer = Container;

/**
 * `catalog`: the current state, the list of releases, and the documents of the service. `data`: records and lookups as
 * they appear in answers. `index`: data that only this program reads (docs/cosmos.md).
 */
export type ContainerName = 'catalog' | 'data' | 'index';

export const CONTAINER_NAMES: readonly ContainerName[] = ['catalog', 'data', 'index'];

/** The only container of earlier versions, whose documents have another layout. */
const OLD_CONTAINER = 'releases';

export interface CosmosLocation {
  /** `https://ACCOUNT.documents.azure.com:443/`; `http:` only for an emulator on loopback. */
  readonly endpoint: string;
  readonly database: string;
  /** Undefined to use the identity of the process (Entra ID). */
  readonly key: string | undefined;
}

export interface Connection {
  readonly containers: Readonly<Record<ContainerName, CosmosContainer>>;
  readonly close: () => void;
}

/**
 * Creates the database and its containers if they are missing. If the credentials do not allow that, the error says so.
 */
export async function connect(location: CosmosLocation): Promise<Connection> {
  const client = await createClient(location);
  try {
    const database = client.database(location.database);
    await refuseOldContainer(database.container(OLD_CONTAINER), location);
    const containers = buildByName(CONTAINER_NAMES, (name) => database.container(name));
    const exist = await Promise.all(
      Object.values(containers).map((container) => containerExists(container, CONNECT_TRIES)),
    );
    if (exist.includes(false)) await createContainers(client, location);
    return {
      containers,
      close: () => {
        client.dispose();
      },
    };
  } catch (error) {
    client.dispose();
    throw explainError(error, location);
  }
}

/** Retries here while the service is busy, because a single refusal would discard the steps that succeeded. */
const CONNECT_TRIES = 5;
const CONNECT_PAUSE_MS = 100;

async function containerExists(container: Container, maxTries: number): Promise<boolean> {
  const abortSignal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  for (let tries = 1; ; tries++) {
    try {
      return (await ignoreStatus(404, container.read({ abortSignal }))) !== undefined;
    } catch (error) {
      const failure = toCallFailure(error);
      const isBusy = failure?.isTransient === true && failure.status !== 0;
      if (!isBusy || tries >= maxTries) throw error;
      await pause(tries * CONNECT_PAUSE_MS);
    }
  }
}

async function refuseOldContainer(oldContainer: Container, { endpoint, database }: CosmosLocation): Promise<void> {
  // If the credentials may not read it, they cover only the containers of this version.
  if ((await ignoreStatus(403, containerExists(oldContainer, 1))) !== true) return;
  throw new Error(
    `The database ${database} at ${endpoint} has the container "${OLD_CONTAINER}" of an earlier version of this ` +
      'program, which this version cannot read. With the earlier version, run: ' +
      'npm run releases -- copy --from cosmos --to embedded --keys. Delete that container. Then, with this version, ' +
      'run: WATER_STORE=embedded npm run releases -- rebuild, and: ' +
      'npm run releases -- copy --from embedded --to cosmos --keys',
  );
}

async function createClient({ endpoint, key }: CosmosLocation): Promise<Client> {
  const { CosmosClient } = await import('@azure/cosmos');
  // Plugins intercept each request that the SDK sends. The SDK's type omits them, so the options are a variable: in a
  // literal argument, the compiler would reject the unknown member.
  const options = {
    endpoint,
    ...(key === undefined ? { aadCredentials: await processIdentity() } : { key }),
    plugins: [{ on: 'request', plugin: sendOnce }],
    connectionPolicy: {
      // calls.ts does the retries.
      retryOptions: { maxRetryAttemptCount: 0 },
      // An emulator reports addresses that cannot be reached from here.
      enableEndpointDiscovery: !isPlainHttp(endpoint),
      enableBackgroundEndpointRefreshing: !isPlainHttp(endpoint),
    },
  };
  return new CosmosClient(options);
}

/** After errors with these codes, the SDK checks whether the account has another region. */
const REGION_IS_GONE: readonly unknown[] = ['ENOTFOUND', 'REQUEST_SEND_ERROR'];

/** A header of the requests that prepare a query over several partitions. The SDK sends one with each query. */
const QUERY_PLAN_HEADER = 'x-ms-cosmos-is-query-plan-request';

/**
 * Disables two features of the SDK. Query plans: none of our queries needs one, since each names its partition, and the
 * SDK ignores a missing plan. Retries after network failures: the SDK would retry ten times, a second apart, within
 * what calls.ts counts as one attempt. The SDK still fails over to another region and honors session consistency.
 */
async function sendOnce<Context extends { readonly headers?: Readonly<Record<string, unknown>> }, Answer>(
  context: Context,
  _diagnostics: unknown,
  next: (context: Context) => Promise<Answer>,
): Promise<Answer> {
  if (context.headers?.[QUERY_PLAN_HEADER] !== undefined) throw new NoAnswerError('no query of ours needs a plan');
  try {
    return await next(context);
  } catch (error) {
    const { code } = error as { readonly code?: unknown }; // The SDK rejects with errors; some have a code.
    throw typeof code === 'number' || REGION_IS_GONE.includes(code)
      ? error
      : new NoAnswerError('no readable answer arrived', { cause: error });
  }
}

async function processIdentity(): Promise<NonNullable<CosmosClientOptions['aadCredentials']>> {
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}

function isPlainHttp(endpoint: string): boolean {
  return new URL(endpoint).protocol === 'http:';
}

/**
 * Many callers may wait for one connection. An attempt that hangs is abandoned, and the next caller starts a new
 * attempt.
 */
const CONNECT_TIMEOUT_MS = 8_000;

/** Another process may create them at the same time. infra/ creates the same containers. */
async function createContainers(client: Client, { database }: CosmosLocation): Promise<void> {
  await ignoreStatus(409, client.databases.createIfNotExists({ id: database }));
  for (const definition of definitions) {
    // Some of its values have enum types of the SDK; referring to the enums here would load the SDK.
    const container = definition as unknown as ContainerDefinition;
    await ignoreStatus(409, client.database(database).containers.createIfNotExists(container));
  }
}

/** Returns the answer of the service, or undefined if it is an error with this status. */
async function ignoreStatus<Answer>(status: number, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (toCallFailure(error)?.status === status) return undefined;
    throw error;
  }
}

function explainError(error: unknown, { endpoint, database, key }: CosmosLocation): unknown {
  const status = toCallFailure(error)?.status;
  const where = `the database ${database} at ${endpoint}`;
  const who = key === undefined ? 'the identity of this process (Entra ID)' : 'the key in COSMOS_KEY';
  if (status === 401) return new Error(`Cosmos DB does not accept ${who} for ${where}.`, { cause: error });
  if (status === 403) {
    const cure = 'grant it a data role, and create database and containers first if they are missing';
    return new Error(
      `Cosmos DB does not let ${who} use or create the containers of ${where}: ${cure} (docs/cosmos.md).`,
      {
        cause: error,
      },
    );
  }
  return error;
}

/**
 * 408, 502, 503 and 504: no answer in time; 410: a partition moved; 429: too many requests; 449: two conflicting
 * writers.
 */
export const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 410, 429, 449, 502, 503, 504]);

interface CallFailure {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
  /** How long to wait before a retry, as requested by the service, in milliseconds. */
  readonly retryAfterMs: number;
  /** Request units. */
  readonly charge: number;
}

/**
 * Returns the meaning of a failed call; undefined for an error of the program rather than the service or the network.
 */
export function toCallFailure(error: unknown): CallFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // The SDK wraps the error of a batch in another error.
  const inner = error.message.startsWith('Batch request error') && error.cause instanceof Error ? error.cause : error;
  // The SDK's ErrorResponse has these members.
  const { code, retryAfterInMs, requestCharge } = inner as Error &
    Readonly<Partial<Record<'code' | 'retryAfterInMs' | 'requestCharge', unknown>>>;
  if (typeof code === 'number') {
    return {
      status: code,
      isTransient: TRANSIENT_STATUSES.has(code),
      retryAfterMs: typeof retryAfterInMs === 'number' ? retryAfterInMs : 0,
      charge: typeof requestCharge === 'number' ? requestCharge : 0,
    };
  }
  // Network failures have a string as their code (NoAnswerError); failures of the identity service are recognized by
  // name.
  const isNetwork = typeof code === 'string' || ['AbortError', 'TimeoutError', 'RestError'].includes(inner.name);
  return isNetwork ? { status: 0, isTransient: true, retryAfterMs: 0, charge: 0 } : undefined;
}

/**
 * No readable answer arrived in time: the connection was cut, or a gateway sent nothing or something that is not JSON.
 */
export class NoAnswerError extends Error {
  /** A code that the SDK does not retry. */
  readonly code = 'NO_ANSWER';
}
