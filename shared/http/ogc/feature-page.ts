// The page of a water right (D49): what it is, where, of which release, and the same for machines as JSON-LD.

import { jsonLdOf, scriptText, JSON_LD_TYPE, type ReleaseStatement, type ShownFeature } from '../../ogc/json-ld';
import { html, Html } from '../pages/page-frame';
import { pointMap } from './point-map';

/** `address` is that of the feature, without a form. */
export function featureContent(feature: ShownFeature, address: string, statement: ReleaseStatement): Html {
  const { id, geometry, properties } = feature;
  const positions = geometry?.type === 'MultiPoint' ? geometry.coordinates : [];
  const shown = Object.entries(properties).filter(([, value]) => value !== null && textOf(value) !== '');
  const { release, publishedAt, license, citation } = statement;
  const facts: readonly (readonly [string, Html | string | null])[] = [
    ['Published', publishedAt],
    ['Release', release],
    ['Licence', license === null ? null : licenseOf(license)],
    ['Citation', citation],
  ];
  return html`<h1>${id}</h1>
    <p class="actions">
      <a class="button plain" href="${address}?f=json">GeoJSON</a>
      <a class="button plain" href="${address}?f=jsonld">JSON-LD</a>
    </p>
    ${positions.length === 0 ? '' : pointMap(positions, `Map of the points of ${id}`)}
    <h2>Where it is from</h2>
    <dl>
      ${facts.map(([name, value]) =>
        value === null
          ? ''
          : html`<dt>${name}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>
    <h2>Properties</h2>
    <dl>
      ${shown.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${textOf(value)}</dd>`,
      )}
    </dl>
    <script type="${JSON_LD_TYPE}">
      ${new Html(scriptText(jsonLdOf(feature, address, statement)))}
    </script>`;
}

/** Submitters may write anything; only a web address becomes a link. */
function licenseOf(license: string): Html | string {
  return /^https?:\/\//i.test(license) ? html`<a href="${license}" rel="license">${license}</a>` : license;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
