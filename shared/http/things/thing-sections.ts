// The sections that the pages of things have in common (D49): from which water source, by which method, whose, of which
// release, and under which terms.

import type { ReleaseStatement, ShownFeature } from '../../answer/features/json-ld';
import type { Organization } from '../../records/organization';
import type { Item } from '../../records/record-references';
import type { LastChange } from '../../things/last-change';
import { html, linkedText, type Html } from '../pages/page-frame';

/** What it is called, and what it is; without a value it is left out. */
export type Fact = readonly [name: string, value: Html | string | number | null | undefined];

export function factList(facts: readonly Fact[]): Html {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl>
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value ?? ''}</dd>`,
    )}
  </dl>`;
}

export function section(id: string, title: string, content: Html | readonly Html[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** A text, or nothing where there is none. */
export function textIn(item: Item, member: string): string | null {
  const value = item[member];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** So many methods and water sources are described; places rarely have more than one. */
const MOST_DESCRIBED = 20;

export function methodSection(methods: readonly Item[]): Html | '' {
  if (methods.length === 0) return '';
  const lists = methods.slice(0, MOST_DESCRIBED).map((method) =>
    factList([
      ['Name', textIn(method, 'MethodName') ?? textIn(method, 'MethodUUID')],
      ['Type', textIn(method, 'MethodTypeCV')],
      ['Applies to', textIn(method, 'ApplicableResourceType')],
      ['How', textIn(method, 'MethodDescription')],
      ['More', linkedText(textIn(method, 'MethodNEMILink'))],
      ['Coverage', textIn(method, 'DataCoverageValue')],
      ['Quality', textIn(method, 'DataQualityValue')],
      ['Confidence', textIn(method, 'DataConfidenceValue')],
    ]),
  );
  return section('method', methods.length === 1 ? 'Method' : 'Methods', [...lists, moreOf(methods)]);
}

export function waterSourceSection(sources: readonly Item[]): Html | '' {
  if (sources.length === 0) return '';
  const lists = sources.slice(0, MOST_DESCRIBED).map((source) =>
    factList([
      ['Name', textIn(source, 'WaterSourceName')],
      ['Type', textIn(source, 'WaterSourceTypeCV')],
      ['Native identifier', textIn(source, 'WaterSourceNativeID')],
      ['Fresh or saline', textIn(source, 'FreshSalineIndicatorCV')],
      ['Identifier', textIn(source, 'WaterSourceUUID')],
    ]),
  );
  return section('source', sources.length === 1 ? 'Water source' : 'Water sources', [...lists, moreOf(sources)]);
}

function moreOf({ length }: readonly Item[]): Html {
  return length > MOST_DESCRIBED ? html`<p>${length - MOST_DESCRIBED} more are in the JSON answers.</p>` : html``;
}

export function organizationSection(organization: Organization): Html {
  const { OrganizationWebsite: website, OrganizationContactEmail: email } = organization;
  return section(
    'organization',
    'Organization',
    factList([
      ['Name', organization.OrganizationName],
      ['State', organization.State],
      ['In charge of', organization.OrganizationPurview],
      ['Web site', linkedText(website)],
      ['Contact', organization.OrganizationContactName],
      ['E-mail', email],
      ['Telephone', organization.OrganizationPhoneNumber],
    ]),
  );
}

interface PublishedThing {
  readonly statement: ReleaseStatement;
  readonly change: LastChange;
  readonly version: string;
  /** In front of the paths of the service. */
  readonly base: string;
}

export function releaseSection({ statement, change, version, base }: PublishedThing): Html {
  const { release, publishedAt, license, citation, termsOfUse, contact } = statement;
  return section(
    'release',
    'Licence, citation and release',
    factList([
      ['Licence', linkedText(license, 'license') ?? 'not stated'],
      ['Cite as', linkedText(citation) ?? 'not stated'],
      ['Terms of use', linkedText(termsOfUse)],
      ['Contact for the data', contact],
      ['Published', publishedAt],
      ['When it changed', changeText(change)],
      ['Release', html`<a href="${base}/downloads#d-${release}">${release}</a>`],
      ['Data version', version],
    ]),
  );
}

function changeText(change: LastChange): string {
  switch (change.kind) {
    case 'changed':
      return `With what was published on ${change.publishedAt.slice(0, 10)}`;
    case 'unchanged':
      return `Not since ${change.publishedAt.slice(0, 10)}, when the oldest release that it was compared with was published`;
    case 'nothing older':
      return 'Not known: no older release is held';
  }
}

/** Every property of the feature under the name that programs know it by. */
export function propertiesSection({ properties }: ShownFeature): Html {
  const facts = Object.entries(properties).map(([name, value]): Fact => {
    const values = Array.isArray(value) ? value.filter((one) => one !== '') : [value ?? ''];
    return [name, values.map(String).join(', ')];
  });
  return html`<details>
    <summary>All properties</summary>
    ${factList(facts)}
  </details>`;
}
