// Opens the container. The SDK is large, so it is loaded only where the store is Cosmos DB: by `import`, which brings its form for
// ES modules, and so the types of that form.

import type { Container, ContainerDefinition, CosmosClient as Client, CosmosClientOptions } from '@azure/cosmos' with {
  'resolution-mode': 'import',
};
import definition from './container.json';
import { failureOf } from './failures';
import { WITHOUT_RETRIES } from './sdk-retries';

export type CosmosContainer = Container;

export interface CosmosLocation {
  /** `https://ACCOUNT.documents.azure.com:443/`; `http:` only of an emulator on loopback. */
  readonly endpoint: string;
  readonly database: string;
  /** Without one, the identity of the process (Entra ID). */
  readonly key: string | undefined;
}

export interface Connection {
  readonly container: CosmosContainer;
  readonly close: () => void;
}

/** Creates database and container where they are missing and the credentials may; else says what is missing. */
export async function connect(location: CosmosLocation): Promise<Connection> {
  const client = await createClient(location);
  try {
    const container = client.database(location.database).container(definition.id);
    if (!(await isThere(container))) await create(client, location);
    return {
      container,
      close: () => {
        client.dispose();
      },
    };
  } catch (error) {
    client.dispose();
    throw explained(error, location);
  }
}

async function createClient({ endpoint, key }: CosmosLocation): Promise<Client> {
  const { CosmosClient } = await import('@azure/cosmos');
  return new CosmosClient({
    endpoint,
    ...(key === undefined ? { aadCredentials: await processIdentity() } : { key }),
    ...WITHOUT_RETRIES,
    connectionPolicy: {
      // Another try is for retries.ts to decide.
      retryOptions: { maxRetryAttemptCount: 0 },
      // An emulator names addresses of its own that lead nowhere.
      enableEndpointDiscovery: !isPlainHttp(endpoint),
      enableBackgroundEndpointRefreshing: !isPlainHttp(endpoint),
    },
  });
}

async function processIdentity(): Promise<NonNullable<CosmosClientOptions['aadCredentials']>> {
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}

function isPlainHttp(endpoint: string): boolean {
  return new URL(endpoint).protocol === 'http:';
}

/** Many may wait for one connection; a look that hangs is begun again by the next of them. */
const PATIENCE_MS = 8_000;

async function isThere(container: CosmosContainer): Promise<boolean> {
  try {
    await container.read({ abortSignal: AbortSignal.timeout(PATIENCE_MS) });
    return true;
  } catch (error) {
    if (failureOf(error)?.status === 404) return false;
    throw error;
  }
}

async function create(client: Client, location: CosmosLocation): Promise<void> {
  await unlessThere(client.databases.createIfNotExists({ id: location.database }));
  // Its kinds and versions are enumerations of the SDK, which naming them would load. infra/ makes the same container.
  const container = definition as unknown as ContainerDefinition;
  await unlessThere(client.database(location.database).containers.createIfNotExists(container));
}

/** Another process can make it between the look and the making. */
async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (failureOf(error)?.status !== 409) throw error;
  }
}

function explained(error: unknown, { endpoint, database, key }: CosmosLocation): unknown {
  const status = failureOf(error)?.status;
  const where = `the container ${definition.id} of the database ${database} at ${endpoint}`;
  const who = key === undefined ? 'the identity of this process (Entra ID)' : 'the key in COSMOS_KEY';
  if (status === 401) return new Error(`Cosmos DB does not accept ${who} for ${where}.`, { cause: error });
  if (status === 403) {
    const cure = 'grant it a data role, and create database and container first if they are missing';
    return new Error(`Cosmos DB does not let ${who} use or create ${where}: ${cure} (docs/cosmos.md).`, {
      cause: error,
    });
  }
  return error;
}
