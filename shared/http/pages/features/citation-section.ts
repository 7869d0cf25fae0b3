// The section of a feature's page that shows how to cite the feature, as a sentence and as BibTeX.

import { getThingName } from '../../../render/json-ld';
import { type Html, html, linkAddress } from '../html';
import { SERVICE_TITLE } from '../page';
import { section } from '../page-parts';
import type { FeaturePageContext } from './feature-page-context';
import { DAY } from './release-section';

/** Renders name, version and date, and an entry for BibTeX. */
export function citeSection({ feature, id, statement }: FeaturePageContext): Html {
  const { organization, release, publishedAt, citation } = statement;
  const author = organization.OrganizationName;
  const title = getThingName(feature);
  const date = publishedAt.slice(0, DAY);
  const entry = [
    ['author', `{${escapeBibTex(author)}}`],
    ['title', escapeBibTex(title)],
    ['howpublished', SERVICE_TITLE],
    ['year', date.slice(0, 'YYYY'.length)],
    ['version', release],
    ['note', `Release ${release}, published ${date}`],
    ['url', id],
  ].map(([name = '', value = '']) => `  ${name} = {${value}}`);
  const key = feature.id.replaceAll(/[^A-Za-z0-9]+/g, '-');
  return section('cite', 'How to cite', [
    html`<p>${author} (${date}). ${title}. ${SERVICE_TITLE}, release ${release}. <a href="${id}">${id}</a></p>`,
    citation === null ? '' : html`<p>The organization asks to be cited as: ${linkAddress(citation) ?? ''}</p>`,
    html`<details>
      <summary>BibTeX</summary>
      <pre class="cite"><code>${`@misc{${key},\n${entry.join(',\n')}\n}`}</code></pre>
    </details>`,
  ]);
}

const BIBTEX_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

/** Escapes characters that are special in BibTeX and LaTeX. */
function escapeBibTex(text: string): string {
  return text.replaceAll(/[\\{}$&#^_~%]/g, (character) => BIBTEX_ESCAPES[character] ?? `\\${character}`);
}
