// `npm run azure-check -- --endpoint URL`: checks on a real account what the emulator cannot show (docs/azure-check.md).

import type { Settings } from '../../shared/settings';
import type { CosmosLocation } from '../../shared/store/cosmos/connect';
import { commandSettings, type ExitCode, printLine, printNotice, runCommand, UsageError } from '../command';
import { contractQuestion } from './contract-question';
import { documentCostQuestion, pageCostQuestion } from './cost-questions';
import { throttledQuestion, tooLargeQuestion } from './limit-questions';
import { publishQuestion } from './publish-question';
import { askAll } from './question';
import { createReaderQuestion, type ReaderIdentity, readEverything } from './reader-question';
import { ScratchDatabase } from './scratch-database';

const USAGE = `Usage: npm run azure-check -- --endpoint URL [--reader-tenant ID --reader-client ID]
Checks an Azure Cosmos DB account in a database of its own, which is deleted at the end. docs/azure-check.md says what it
costs and what the answers mean. Exits with 0 if nothing failed, 1 if a question failed, 2 if it could not run.
  --endpoint URL      of the account, as https://ACCOUNT.documents.azure.com:443/; COSMOS_KEY has its primary key
  --reader-tenant ID  the tenant of a service principal with the role Cosmos DB Built-in Data Reader
  --reader-client ID  its client id; AZURE_CHECK_READER_SECRET has its secret`;

const OPTIONS = {
  endpoint: { type: 'string' },
  'reader-tenant': { type: 'string' },
  'reader-client': { type: 'string' },
  // Set if the command has started itself as the reader.
  'as-reader': { type: 'string' },
} as const;

const SECRET = 'AZURE_CHECK_READER_SECRET';

void runCommand({ usage: USAGE, options: OPTIONS, maxOperands: 0 }, async ({ values }) => {
  const { endpoint, 'reader-tenant': tenantId, 'reader-client': clientId, 'as-reader': database } = values;
  if (endpoint === undefined) throw new UsageError(USAGE);
  const settings = commandSettings({ WATER_STORE: 'cosmos', COSMOS_ENDPOINT: endpoint });
  if (settings.store.kind !== 'cosmos') throw new UsageError(USAGE);
  if (database !== undefined) {
    return readEverything({ ...settings.store, key: undefined, database }, settings.stagingDirectory, printLine);
  }
  return checkAccount(settings.store, settings, readIdentity(tenantId, clientId));
});

function readIdentity(tenantId: string | undefined, clientId: string | undefined): ReaderIdentity | undefined {
  if (tenantId === undefined && clientId === undefined) return undefined;
  const clientSecret = process.env[SECRET] ?? '';
  if (tenantId === undefined || clientId === undefined || clientSecret === '') {
    throw new UsageError(`A reader needs --reader-tenant, --reader-client and ${SECRET}.\n${USAGE}`);
  }
  return { tenantId, clientId, clientSecret };
}

/** Deletes the database, whatever the outcome of the checks. */
async function checkAccount(
  account: CosmosLocation,
  { stagingDirectory }: Settings,
  reader: ReaderIdentity | undefined,
): Promise<ExitCode> {
  const signal = watchInterruption();
  const database = await ScratchDatabase.create(account);
  const isEmulator = new URL(account.endpoint).protocol === 'http:';
  const kind = database.isServerless ? 'serverless' : '1,000 RU/s autoscale';
  printNotice(`Checking ${account.endpoint} in the database ${database.location.database} (${kind}).`);
  const questions = [
    contractQuestion,
    publishQuestion,
    createReaderQuestion(reader),
    tooLargeQuestion,
    throttledQuestion,
    documentCostQuestion,
    pageCostQuestion,
  ];
  try {
    return await askAll(questions, { database, stagingDirectory, isEmulator, signal }, printLine);
  } finally {
    await deleteDatabase(database);
  }
}

async function deleteDatabase(database: ScratchDatabase): Promise<void> {
  const { database: name } = database.location;
  try {
    await database.delete();
    printNotice(`The database ${name} was deleted.`);
  } catch (error) {
    throw new Error(
      `The database ${name} could not be deleted. Delete it in the portal, or it keeps incurring costs.`,
      {
        cause: error,
      },
    );
  }
}

/** Aborted by Ctrl-C and SIGTERM, which do not end the process, because it still has to delete its database. */
function watchInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) printNotice('Stopping after the current check, to delete the database.');
      controller.abort(new Error('Interrupted: not all questions were answered.'));
    });
  }
  return controller.signal;
}
