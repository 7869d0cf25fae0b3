// The download panel: the filtered records as a file, as an address or in a program, with citation and license.

import type { VNode } from 'preact';
import { toOrderedQuery } from '../../requests/records';
import { buildTileTemplate } from '../../requests/tiles';
import { getKind } from '../../state/kinds';
import { buildPageUrl } from '../parts/browser';
import type { CitedSource } from '../parts/citations';
import { listSources } from '../parts/cited-sources';
import type { ViewProps } from '../parts/controls';
import { formatTotal } from '../parts/texts';
import { CopiedText, CopyButton } from './copied-text';
import { FileButtons } from './file-buttons';
import { buildPrograms } from './programs';

export function DownloadPanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const total = session.total.value;
  const service = `${location.origin}${session.client.base}`;
  const { route } = getKind(state.kind);
  const query = toOrderedQuery(state);
  const layer = buildTileTemplate(service, state);
  return (
    <div class="take">
      <p>{total === undefined ? '…' : `Download the ${formatTotal(state.kind, total)} you filtered.`}</p>
      <h3>File</h3>
      <FileButtons session={session} total={total ?? 0} />
      <h3>Share this view</h3>
      <CopiedText label="Link to this view" text={buildPageUrl({ ...state, panel: undefined })} />
      <h3>Use in code</h3>
      {buildPrograms({ operation: `${service}/${route}`, query, layer }).map(({ name, text }) => (
        <details key={name}>
          <summary>{name}</summary>
          <CopiedText label={name} text={text} />
        </details>
      ))}
      <h3>How to cite</h3>
      {listSources(session).map((source) => (
        <Source key={source.name} {...source} />
      ))}
    </div>
  );
}

function Source({ name, citation, terms, contact }: CitedSource): VNode {
  return (
    <div class="source">
      <p>{citation}</p>
      <p class="soft">
        {terms} {contact !== null && `Contact: ${contact}.`}
      </p>
      <CopyButton label={`Citation of ${name}`} text={citation} />
    </div>
  );
}
