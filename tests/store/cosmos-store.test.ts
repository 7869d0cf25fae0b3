import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { startCosmosEmulator, type CosmosEmulator } from '../fixtures/cosmos-emulator';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { describeStoreContract } from './store-contract';

const stagingDirectory = temporaryFolder();
let emulator: CosmosEmulator;

beforeAll(async () => {
  emulator = await startCosmosEmulator();
});

afterAll(() => emulator.stop());

describeStoreContract('the Cosmos store', () =>
  Promise.resolve(openCosmosStore(emulator.newLocation(), { stagingDirectory, now: () => new Date() })),
);
