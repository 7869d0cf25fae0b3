// A database used only by the checks: created at their start, emptied between them, deleted at their end.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Container, CosmosClient, CosmosClientOptions } from '@azure/cosmos' with {
  'resolution-mode': 'import',
};
import { type CosmosLocation, toCallFailure } from '../../shared/store/cosmos/connect';

/** In request units per second. The smallest autoscale maximum; all containers share it. */
const MAX_THROUGHPUT = 1000;

const DELETES_AT_ONCE = 32;

/** A document of any container. All containers are partitioned by `partition`. */
export interface RawDocument {
  readonly id: string;
  readonly partition: string;
  readonly filling?: string;
}

export class ScratchDatabase {
  private constructor(
    private readonly client: CosmosClient,
    readonly location: CosmosLocation,
    readonly isServerless: boolean,
  ) {}

  /** Throws if the credentials do not permit creating databases. Data-plane roles never do. */
  static async create(account: Pick<CosmosLocation, 'endpoint' | 'key'>): Promise<ScratchDatabase> {
    const client = await openClient(account);
    const location = { ...account, database: `azure-check-${Date.now()}-${randomBytes(3).toString('hex')}` };
    try {
      await client.databases.create({ id: location.database, maxThroughput: MAX_THROUGHPUT });
      return new ScratchDatabase(client, location, false);
    } catch (error) {
      // A serverless account has no throughput to set.
      if (toCallFailure(error)?.status === 400) {
        await client.databases.create({ id: location.database });
        return new ScratchDatabase(client, location, true);
      }
      client.dispose();
      throw explainCreateError(error, account);
    }
  }

  /** The containers that the store has created so far. */
  async containers(): Promise<readonly Container[]> {
    const database = this.client.database(this.location.database);
    const { resources } = await database.containers.readAll().fetchAll();
    return resources.map(({ id }) => database.container(id));
  }

  /** Deletes every document, so that the next check starts with an empty database. */
  async empty(): Promise<void> {
    for (const container of await this.containers()) {
      const { resources } = await container.items.readAll<RawDocument>().fetchAll();
      for (let from = 0; from < resources.length; from += DELETES_AT_ONCE) {
        const batch = resources.slice(from, from + DELETES_AT_ONCE);
        await Promise.all(
          batch.map(({ id, partition }) => retryThrottled(() => container.item(id, partition).delete())),
        );
      }
    }
  }

  async delete(): Promise<void> {
    await retryThrottled(() => this.client.database(this.location.database).delete());
    this.client.dispose();
  }
}

/** A client without retries, so that every refusal is visible. */
async function openClient({ endpoint, key }: Pick<CosmosLocation, 'endpoint' | 'key'>): Promise<CosmosClient> {
  const { CosmosClient } = await import('@azure/cosmos');
  const isEmulator = new URL(endpoint).protocol === 'http:';
  const options: CosmosClientOptions = {
    endpoint,
    connectionPolicy: {
      retryOptions: { maxRetryAttemptCount: 0, fixedRetryIntervalInMilliseconds: 0, maxWaitTimeInSeconds: 0 },
      enableEndpointDiscovery: !isEmulator,
      enableBackgroundEndpointRefreshing: !isEmulator,
    },
  };
  if (key !== undefined) return new CosmosClient({ ...options, key });
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new CosmosClient({ ...options, aadCredentials: new DefaultAzureCredential() });
}

/** Deleting many large documents can use up the throughput for several minutes. */
const MAX_WAIT_MS = 300_000;
const MIN_PAUSE_MS = 100;

/** Retries a call that is refused with 429, after the delay that the service requests. */
export async function retryThrottled<Value>(act: () => Promise<Value>): Promise<Value> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const { status, retryAfterMs = 0 } = toCallFailure(error) ?? {};
      if (status !== 429 || performance.now() > end) throw error;
      await pause(MIN_PAUSE_MS + retryAfterMs * (1 + Math.random()));
    }
  }
}

function explainCreateError(error: unknown, { endpoint, key }: Pick<CosmosLocation, 'endpoint' | 'key'>): unknown {
  const status = toCallFailure(error)?.status;
  if (status !== 401 && status !== 403) return error;
  const who = key === undefined ? 'The identity of this process' : 'The key in COSMOS_KEY';
  const advice = 'Roles for data cannot create databases: set COSMOS_KEY to the primary key of a test account';
  return new Error(`${who} may not create a database at ${endpoint} (${status}). ${advice} (docs/azure-check.md).`, {
    cause: error,
  });
}
