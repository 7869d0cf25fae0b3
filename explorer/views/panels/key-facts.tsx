// The facts that people look for first: who, for what, how much, since when and from where.

import type { VNode } from 'preact';
import type { WatershedNames } from '../../requests/watershed-names';
import type { Kind } from '../../state/kinds';
import { getStateName } from '../../state/state-names';
import { listNames, type ReadMember } from '../../state/titles';
import { formatNumberShortly } from '../parts/cell-texts';
import { formatCount, formatQuantity, formatWatershed } from '../parts/texts';

interface KeyFactsProps {
  readonly kind: Kind;
  readonly read: ReadMember;
  /** Undefined until the names are known. */
  readonly watersheds: WatershedNames | undefined;
}

export function KeyFacts({ kind, read, watersheds }: KeyFactsProps): VNode {
  return (
    <dl class="record key-facts">
      {listFacts(kind, read, watersheds)
        .filter(({ text }) => text !== '')
        .map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}

interface Fact {
  readonly label: string;
  readonly text: string;
}

function listFacts(kind: Kind, read: ReadMember, watersheds: WatershedNames = new Map()): readonly Fact[] {
  const join = (...names: readonly string[]): string =>
    [...new Set(names.flatMap((name) => listNames(read(name))))].join(', ');
  const sourceNumber = join('WaterSourceNativeID');
  const sourceName = join('WaterSourceName') || (sourceNumber === '' ? '' : `number ${sourceNumber}`);
  const source = withDetail(sourceName, join('WaterSourceTypeCV'));
  const uses = { label: 'Use', text: describeUses(read) };
  const where = { label: 'Where', text: describePlace(read, watersheds) };
  const published = { label: 'Source of data', text: join('OrganizationName') };
  switch (kind) {
    case 'rights':
      return [
        { label: 'Owner', text: join('AllocationOwner') },
        uses,
        { label: 'Flow', text: withUnit(read('AllocationFlow_CFS'), 'CFS') },
        { label: 'Volume', text: withUnit(read('AllocationVolume_AF'), 'AF') },
        { label: 'Priority date', text: read('AllocationPriorityDate').slice(0, 10) },
        { label: 'Legal status', text: join('AllocationLegalStatusCodeCV') },
        { label: 'Water source', text: source },
        { label: 'Points', text: describePoints(read) },
        where,
        published,
      ];
    case 'series':
      return [
        { label: 'Amount', text: withUnit(read('Amount'), read('AmountUnitCV')) },
        { label: 'Period', text: describePeriod(read) },
        { label: 'Measure', text: read('Amount') === '' ? '' : join('VariableSpecificTypeCV', 'VariableCV') },
        { label: 'Site type', text: join('SiteTypeCV') },
        uses,
        { label: 'Water source', text: source },
        where,
        published,
      ];
    case 'aggregates':
      return [
        { label: 'Type of area', text: join('ReportingUnitTypeCV') },
        { label: 'Amount', text: withUnit(read('Amount'), read('AmountUnitCV')) },
        { label: 'Period', text: describePeriod(read) },
        { label: 'Measure', text: read('Amount') === '' ? '' : join('VariableSpecificTypeCV', 'VariableCV') },
        uses,
        { label: 'Water source', text: source },
        where,
        published,
      ];
  }
}

function withUnit(number: string, unit: string): string {
  return number === '' ? '' : `${formatNumberShortly(number)} ${unit}`.trim();
}

function withDetail(name: string, detail: string): string {
  if (name === '' || detail === '') return name || detail;
  return `${name} (${detail})`;
}

/** The primary use first. */
function describeUses(read: ReadMember): string {
  const primary = listNames(read('PrimaryUseCategoryCV'));
  const uses = listNames(read('BeneficialUses') || read('BeneficialUseCategoryCV'));
  return [...new Set([...primary, ...uses])].join(', ');
}

function describePeriod(read: ReadMember): string {
  const days = [read('TimeframeStart'), read('TimeframeEnd')].map((day) => day.slice(0, 10));
  const period = [...new Set(days)].filter((day) => day !== '').join(' to ');
  return period === '' ? read('ReportYear') : period;
}

function describePlace(read: ReadMember, names: WatershedNames): string {
  const states = listNames(read('StateCV')).map(getStateName);
  const counties = listNames(read('County')).map((county) => (/county$/i.test(county) ? county : `${county} County`));
  const watersheds = listNames(read('HUC8')).map((code) => `watershed ${formatWatershed(code, names)}`);
  return [...shortenList(counties, 'counties'), ...states, ...shortenList(watersheds, 'watersheds')].join(', ');
}

/** A right can have points in dozens of counties. "All fields" lists them all. */
const MAX_PLACES = 3;

function shortenList(names: readonly string[], plural: string): readonly string[] {
  const more = names.length - MAX_PLACES;
  return more < 2 ? names : [...names.slice(0, MAX_PLACES), `${formatCount(more)} more ${plural}`];
}

/** The number of sites by role. */
function describePoints(read: ReadMember): string {
  const sites = listNames(read('SiteUUID')).length;
  if (sites === 0) return '';
  const roles = read('PODorPOUSite').split('|');
  const count = (role: string): number => roles.filter((one) => one.trim().toUpperCase() === role).length;
  const parts = [
    [count('POD'), 'point of diversion', 'points of diversion'],
    [count('POU'), 'place of use', 'places of use'],
  ] as const;
  const texts = parts.filter(([number]) => number > 0).map(([number, one, many]) => formatQuantity(number, one, many));
  return texts.length === 0 ? formatQuantity(sites, 'site') : texts.join(', ');
}
