// Explains an unknown argument of a tool (D72): where it belongs, and exactly what to write.

import { shortenForDisplay } from '../../query/access-key-parameter';
import { totalsOperations } from '../../query/operations';
import type { Item } from '../../records/record-references';
import { findOperation } from './kind-names';
import { listableOperations, listToolParameters, type ToolName } from './tools';

/** Other common names for arguments, in lower case and without punctuation. */
const ARGUMENT_NAMES: Readonly<Record<string, string>> = {
  q: 'query',
  text: 'query',
  name: 'query',
  groups: 'groupBy',
  by: 'groupBy',
  group: 'groupBy',
  sort: 'orderBy',
  sortby: 'orderBy',
  order: 'orderBy',
  max: 'limit',
  recordcount: 'limit',
  count: 'limit',
  filter: 'filters',
  where: 'filters',
  dataset: 'kind',
  type: 'kind',
  organizationuuid: 'organization',
  featureid: 'id',
  identifier: 'id',
};

/** Returns a sentence about the first unknown argument of a tool; undefined if all arguments are known. */
export function explainUnknownArgument(
  tool: ToolName,
  knownNames: readonly string[],
  sentArguments: Item,
): string | undefined {
  const unknown = Object.keys(sentArguments).find((name) => !knownNames.includes(name));
  if (unknown === undefined) return undefined;
  const shown = shortenForDisplay(unknown, 100);
  const simple = unknown.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const near = knownNames.find((name) => name.toLowerCase() === simple) ?? ARGUMENT_NAMES[simple];
  if (near !== undefined && knownNames.includes(near))
    return `${tool} has no argument "${shown}": write it as ${near}.`;
  if (tool === 'records' && (simple === 'orderby' || near === 'orderBy')) {
    return `records takes the order as OrderBy in filters, such as ${JSON.stringify({ OrderBy: getOrder(sentArguments) })}.`;
  }
  if (tool === 'totals' && (simple === 'limit' || near === 'limit')) {
    return 'totals has no limit: it returns up to 200 rows. Leave limit out, and use orderBy for the largest first.';
  }
  const filter = knownNames.includes('filters') ? findFilter(tool, sentArguments, unknown) : undefined;
  if (filter !== undefined) {
    const example = JSON.stringify({ [filter]: sentArguments[unknown] });
    return `${filter} is a filter. Write it within filters: "filters": ${shortenForDisplay(example, 500)}.`;
  }
  const advice = knownNames.includes('filters')
    ? 'Write conditions as filters; describe with this kind lists them.'
    : 'Leave it out.';
  return `${tool} has no argument "${shown}"; it takes ${[knownNames.slice(0, -1).join(', '), ...knownNames.slice(-1)].join(' and ')}. ${advice}`;
}

/** Returns the order that puts the largest first. */
function getOrder({ kind }: Item): string {
  const { dataSet } = findOperation(listableOperations, kind) ?? {};
  return dataSet === 'WaterAllocations' ? '-AllocationVolume_AF' : '-Amount';
}

function findFilter(tool: ToolName, { kind }: Item, name: string): string | undefined {
  const found = findOperation(listableOperations, kind);
  const totals = totalsOperations.find((operation) => operation.name === `${found?.name}Totals`);
  const operation = tool === 'totals' ? totals : found;
  if (operation === undefined) return undefined;
  const parameters = listToolParameters(operation).filter((parameter) => parameter.kind !== 'groupBy');
  return parameters.find((parameter) =>
    [parameter.name, ...(parameter.synonyms ?? [])].some((one) => one.toLowerCase() === name.toLowerCase()),
  )?.name;
}
