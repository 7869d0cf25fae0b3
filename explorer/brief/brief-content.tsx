// The figures of a brief, in the order of the page.

import type { ComponentChildren, VNode } from 'preact';
import type { Brief } from '../requests/brief';
import type { ServiceClient } from '../requests/client';
import { buildBriefRoute } from '../state/brief-area';
import { USE_COLOR } from '../state/kinds';
import { describeSeveral } from '../state/palette';
import { formatQuantity } from '../views/parts/texts';
import { buildAmountCharts } from './amount-charts';
import { AmountCharts } from './amounts-section';
import { AreaMap } from './area-map';
import { callArea, formatArea, nameArea } from './area-texts';
import { listCaveats } from './caveats';
import { Headline } from './headline';
import { buildDecadesChart, type ColorOfUse, readUseColors } from './rights-figures';
import { RightsSection } from './rights-section';
import { SitesTable } from './sites-section';
import { SourcesSection } from './sources-section';
import { describeShownUnits, type ShownUnits } from './unit-figures';

interface ContentProps {
  readonly brief: Brief;
  readonly client: ServiceClient;
}

export function BriefContent({ brief, client }: ContentProps): VNode {
  const { area, rights, sites, version, outline } = brief;
  const chart = rights && buildDecadesChart(rights, `Water rights in ${formatArea(area, outline.name)}`);
  const getColor: ColorOfUse = rights === undefined ? () => '' : readUseColors(rights, chart);
  if (isEmptyBrief(brief)) return <Overview brief={brief} getColor={getColor} />;
  const address = `${location.origin}${client.base}/${buildBriefRoute(area, version)}`;
  return (
    <>
      <Overview brief={brief} getColor={getColor} />
      {rights !== undefined && <RightsSection brief={brief} rights={rights} chart={chart} getColor={getColor} />}
      <UnitsSection brief={brief} />
      {sites !== undefined && (
        <section aria-labelledby="use-at-sites">
          <h2 id="use-at-sites">Amounts at sites, by year</h2>
          <AmountCharts
            charts={buildAmountCharts(sites.byYear.Totals, 'series')}
            place="site"
            places="sites"
            names={readOrganizations(brief)}
          />
        </section>
      )}
      {sites !== undefined && (
        <section aria-labelledby="sites">
          <h2 id="sites">Gages and other sites</h2>
          <p>{formatQuantity(sites.sites.total, 'site')} with dated amounts.</p>
          <SitesTable client={client} sites={sites.sites} />
        </section>
      )}
      <section aria-labelledby="caveats">
        <h2 id="caveats">What these figures do not say</h2>
        <ul>
          {listCaveats(brief).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
      <SourcesSection brief={brief} address={address} />
    </>
  );
}

function readOrganizations({ inventory }: Brief): ReadonlyMap<string, string> {
  return new Map(inventory.Organizations.map((one) => [one.OrganizationUUID, one.OrganizationName]));
}

interface OverviewProps {
  readonly brief: Brief;
  readonly getColor: ColorOfUse;
}

/** The headline figures next to the map. */
function Overview({ brief, getColor }: OverviewProps): VNode {
  const { area, rights, sites, outline } = brief;
  const positions = (sites?.sites.places ?? []).flatMap(({ position }) => (position === undefined ? [] : [position]));
  return (
    <section class="overview" aria-label="Overview">
      <div>{isEmptyBrief(brief) ? <p class="notice">{describeEmpty(brief)}</p> : <Headline brief={brief} />}</div>
      {outline.extent === undefined ? (
        <p class="soft">There is no map because {callArea(area)} has no outline and no known positions.</p>
      ) : (
        <figure>
          <AreaMap
            outline={outline}
            points={rights?.points ?? []}
            sites={positions}
            getColor={getColor}
            label={describeMap(brief)}
          />
          <MapCaption brief={brief} getColor={getColor} />
        </figure>
      )}
    </section>
  );
}

function isEmptyBrief({ rights, sites, units }: Brief): boolean {
  return rights === undefined && sites === undefined && units === undefined;
}

function MapCaption({ brief, getColor }: OverviewProps): VNode {
  const { rights, sites, outline } = brief;
  return (
    <figcaption class="soft">
      {outline.shapes.length === 0 && 'No outline is available. '}
      {sites !== undefined && 'Diamonds are sites with amounts. '}
      {rights !== undefined && (
        <>
          Dots are points of rights in the color of their use, as in the table below (
          <Swatch color={getColor('(several)')} /> {describeSeveral(USE_COLOR)}, <Swatch color={getColor('')} /> not
          stated). Points outside the frame are not drawn.
        </>
      )}
    </figcaption>
  );
}

function Swatch({ color }: { readonly color: string }): VNode {
  return <span class="swatch" style={{ background: color }} />;
}

function describeMap(brief: Brief): string {
  const { outline, rights } = brief;
  const area = outline.shapes.length > 0 ? 'Outline' : 'Surroundings';
  return `${area} of ${nameArea(brief)}${rights === undefined ? '' : ' and points of water rights'}`;
}

/** Explains that nothing is published, perhaps because the name is wrong. */
function describeEmpty(brief: Brief): string {
  const { area, outline } = brief;
  if (area.type === 'huc8')
    return `Nothing is published for watershed ${area.code}. Check the eight digits, or search for a county instead.`;
  if (outline.shapes.length === 0)
    return `No county named “${area.name}” was found in ${area.state}. Check the spelling, or search for it above.`;
  const texts = [
    `No water rights, amounts at sites or totals by reporting unit are published here for ${nameArea(brief)}.`,
    'That does not mean that there are none. The data may also spell its name differently: search for it above.',
    '“About the data” lists what is published.',
  ];
  return texts.join(' ');
}

function UnitsSection({ brief }: { readonly brief: Brief }): VNode | null {
  const shown = brief.units && describeShownUnits(brief.area, brief.units);
  if (shown === undefined) return null;
  return (
    <section aria-labelledby="use-by-area">
      <h2 id="use-by-area">Water use by year</h2>
      <p>{describeUnits(brief, shown)}</p>
      <AmountCharts
        charts={buildAmountCharts(shown.rows, 'aggregates', shown.pieces)}
        place="unit"
        places="units"
        names={readOrganizations(brief)}
      />
    </section>
  );
}

/** Describes which reporting units the figures are about. */
function describeUnits(brief: Brief, { type, isAreaItself, names }: ShownUnits): ComponentChildren {
  const list = new Intl.ListFormat('en-US').format(names);
  if (isAreaItself) return `These totals are published for ${callArea(brief.area)} itself (reporting unit: ${list}).`;
  return (
    <>
      No totals are published for {callArea(brief.area)} itself. These are totals of{' '}
      <strong>whole areas that touch it</strong> (type {type || 'not stated'}: {list}).
    </>
  );
}
