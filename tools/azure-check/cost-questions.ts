// Measures request units and compares them with the model in docs/cosmos-cost.md: single documents by size, and pages
// read through the store.

import type { LoggedRequest } from '../../shared/store/cosmos/calls';
import type { ReleaseReader } from '../../shared/store/port';
import { createFacts, openExistingRelease } from '../store-contract/release-content';
import { type Answer, findRawContainer, openSubject, type Question, type Subject } from './question';
import { overview, sizeTable } from './request-units';
import { type RawDocument, retryThrottled } from './scratch-database';

export const documentCostQuestion: Question = {
  title: 'Does the cost of documents match the model, by size?',
  answer: measureDocuments,
};

export const pageCostQuestion: Question = {
  title: 'Do pages of 1,000 amounts stay within 130 RU (neighbors) and 2,500 RU (scattered)?',
  answer: measurePages,
};

const KILOBYTE = 1024;
const SIZES_KB = [1, 16, 64, 256];

/** The number of bytes that the service adds to each document. */
const ADDED_BYTES = 180;

/**
 * The model is confirmed if no request costs more than this factor times its price in the more expensive price list.
 */
const TOLERANCE = 1.5;

async function measureDocuments(subject: Subject): Promise<Answer> {
  const container = await findRawContainer(subject);
  const details: string[] = [];
  let isWithin = true;
  for (const size of SIZES_KB) {
    const bytes = size * KILOBYTE;
    const document: RawDocument = { id: `${size}`, partition: 'costs', filling: 'x'.repeat(bytes - ADDED_BYTES) };
    const write = await retryThrottled(() => container.items.upsert(document));
    const read = await retryThrottled(() => container.item(document.id, document.partition).read());
    for (const [what, measured, price] of [
      ['write', write.requestCharge, 'write'],
      ['read', read.requestCharge, 'read'],
    ] as const) {
      const prices = [overview[price](bytes), sizeTable[price](bytes)];
      isWithin &&= measured <= TOLERANCE * Math.max(...prices);
      const [first = 0, second = 0] = prices;
      const model = `${format(first)} (${overview.name}), ${format(second)} (${sizeTable.name})`;
      details.push(`${what} of ${size} KB: measured ${format(measured)} RU, model ${model}`);
    }
  }
  if (subject.isEmulator) return { verdict: 'SKIPPED', details: [NO_COSTS, ...details] };
  return { verdict: isWithin ? 'PASS' : 'FAIL', details };
}

const NO_COSTS = 'The emulator reports 1 for every request.';

const RECORDS = 20_000;
const PAGE = 1000;
const MAX_NEIGHBORS_RU = 130;
const MAX_SCATTERED_RU = 2500;

/** A release of generated amounts that have the members of an answer. */
async function measurePages(subject: Subject): Promise<Answer> {
  const requests: LoggedRequest[] = [];
  const store = openSubject(subject, (request) => requests.push(request));
  try {
    const writer = await store.startRelease();
    for (let number = 0; number < RECORDS; number++) {
      writer.addFragment('records', writeAmount(number), []);
      if (number % PAGE === 0) await writer.drain();
    }
    const facts = createFacts('costs', RECORDS);
    await writer.finish(facts);
    const loading = sumCharges(requests);
    const reader = await openExistingRelease(store, facts);
    // The first read also loads the parts of a release that an instance caches.
    await readPage(reader, 0, 1);
    requests.length = 0;
    await readPage(reader, 4000, 1);
    const neighbors = sumCharges(requests);
    requests.length = 0;
    await readPage(reader, 0, RECORDS / PAGE);
    const scattered = sumCharges(requests);
    const details = [
      `loading: ${format(loading / RECORDS)} RU per record`,
      `1,000 neighbors: ${format(neighbors)} RU, at most ${MAX_NEIGHBORS_RU}`,
      `1,000 scattered: ${format(scattered)} RU, at most ${MAX_SCATTERED_RU}`,
    ];
    if (subject.isEmulator) return { verdict: 'SKIPPED', details: [NO_COSTS, ...details] };
    return {
      verdict: neighbors <= MAX_NEIGHBORS_RU && scattered <= MAX_SCATTERED_RU ? 'PASS' : 'FAIL',
      details,
    };
  } finally {
    await store.close();
  }
}

async function readPage(reader: ReleaseReader, first: number, step: number): Promise<void> {
  const numbers = Uint32Array.from({ length: PAGE }, (_, index) => first + index * step);
  await reader.texts('records', numbers);
}

function sumCharges(requests: readonly LoggedRequest[]): number {
  return requests.reduce((sum, { charge }) => sum + charge, 0);
}

/** An amount that belongs to one of 200 series and has the members of an answer. */
function writeAmount(number: number): string {
  const year = 1924 + (number % 100);
  return JSON.stringify({
    SiteUUID: `UTss_O1_${Math.floor(number / 100)}`,
    VariableSpecificUUID: 'UTss_V1',
    MethodUUID: 'UTss_M1',
    WaterSourceUUID: 'UTss_WS1',
    TimeframeStart: `${year}-01-01`,
    TimeframeEnd: `${year}-12-31`,
    ReportYear: String(year),
    Amount: number / 7,
    BeneficialUses: ['Public Supply'],
    PopulationServed: null,
    CommunityWaterSupplySystem: 'Made-up water system',
    DataPublicationDate: '2024-01-01',
  });
}

function format(units: number): string {
  return units.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
