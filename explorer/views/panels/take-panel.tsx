// The filtered records to take along: as a file, as an address or a few lines of a program, with citation and licence.

import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  askFileSize,
  downloadFile,
  FILE_FORMS,
  type FileForm,
  fileNameOf,
  type FileSize,
} from '../../requests/downloads';
import { orderedQuery } from '../../requests/operations';
import { tileTemplate } from '../../requests/places';
import { sentenceOf } from '../../requests/reply';
import type { Session } from '../../session/session';
import { kindOf } from '../../state/kinds';
import { addressOfPage, saveFile } from '../parts/browser';
import { type CitedSource, shownVersion, sourcesOf } from '../parts/cited-sources';
import type { ViewProps } from '../parts/controls';
import { totalText } from '../parts/texts';
import { programsOf } from './programs';

const FORM_LABELS: Readonly<Record<FileForm, { readonly label: string; readonly says: string }>> = {
  csv: { label: 'CSV', says: 'a row for each record, for spreadsheets' },
  parquet: { label: 'Parquet', says: 'with types, for pandas, R, DuckDB' },
  geojson: { label: 'GeoJSON', says: 'a feature for each place, for maps' },
};

export function TakePanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const total = session.total.value;
  const service = `${location.origin}${session.client.base}`;
  const { route } = kindOf(state.kind);
  const query = orderedQuery(state);
  const layer = tileTemplate(service, state);
  return (
    <div class="take">
      <p>Exactly what is filtered now: {total === undefined ? '…' : `${totalText(state.kind, total)}.`}</p>
      <h3>As a file</h3>
      <FileButtons session={session} total={total ?? 0} />
      <h3>As this page</h3>
      <CopiedText label="Address of this page" text={addressOfPage({ ...state, panel: undefined })} />
      <h3>In a program</h3>
      {programsOf({ operation: `${service}/${route}`, query, layer }).map(({ name, text }) => (
        <details key={name}>
          <summary>{name}</summary>
          <CopiedText label={name} text={text} />
        </details>
      ))}
      <h3>Sources</h3>
      {sourcesOf(session).map((source) => (
        <Source key={source.name} {...source} />
      ))}
    </div>
  );
}

interface Running {
  readonly form: FileForm;
  readonly bytes: number;
}

function FileButtons({ session, total }: ViewProps & { readonly total: number }): VNode {
  const [running, setRunning] = useState<Running>();
  const [failure, setFailure] = useState('');
  const { sizes, stopMeasuring } = useSizes(session);
  const abort = useRef(new AbortController());
  // Whoever closes the panel wants no file any more.
  useEffect(() => () => abort.current.abort(), []);
  const save = async (form: FileForm): Promise<void> => {
    const state = session.state.peek();
    // A measure may be a file that takes the place of this one.
    stopMeasuring();
    abort.current = new AbortController();
    const { signal } = abort.current;
    const showBytes = (bytes: number): void => setRunning({ form, bytes });
    showBytes(0);
    setFailure('');
    const reply = await downloadFile(session.client.until(signal), state, form, showBytes);
    setRunning(undefined);
    if (reply.kind === 'answer') saveFile(fileNameOf(state, form, reply.version), reply.value);
    else if (!signal.aborted) setFailure(sentenceOf(reply));
  };
  const drawMap = session.mapPicture.value;
  const showError = (error: unknown): void => setFailure(String(error));
  return (
    <div class="files">
      {FILE_FORMS.map((form) => (
        <button key={form} disabled={total === 0 || running !== undefined} onClick={() => void save(form)}>
          <strong>{FORM_LABELS[form].label}</strong>
          <span class="soft">
            {FORM_LABELS[form].says}
            {sizes[form] !== undefined && `; ${aboutText(sizes[form])}`}
          </span>
        </button>
      ))}
      {drawMap && (
        <button onClick={() => void savePicture(session, drawMap).catch(showError)}>
          <strong>Picture of the map</strong>
          <span class="soft">with its legend, as PNG</span>
        </button>
      )}
      {running && <RunningDownload {...running} onStop={() => abort.current.abort()} />}
      {failure !== '' && <p class="notice">{failure}</p>}
    </div>
  );
}

async function savePicture(session: Session, draw: () => Promise<Blob>): Promise<void> {
  const name = fileNameOf(session.state.peek(), 'png', shownVersion(session));
  saveFile(name, await draw());
}

type Sizes = Partial<Record<FileForm, FileSize>>;

/** Measured anew when other records are found; empty until then. */
function useSizes(session: Session): { readonly sizes: Sizes; readonly stopMeasuring: () => void } {
  const [sizes, setSizes] = useState<Sizes>({});
  const measuring = useRef(new AbortController());
  useSignalEffect(() => {
    const abort = new AbortController();
    measuring.current = abort;
    const client = session.client.until(abort.signal);
    const total = session.total.value ?? 0;
    const { kind, filters, order } = session.state.peek();
    setSizes({});
    for (const form of total > 0 ? FILE_FORMS : []) {
      void askFileSize(client, { kind, filters, order, total }, form).then((size) => {
        if (size !== undefined && !abort.signal.aborted) setSizes((known) => ({ ...known, [form]: size }));
      });
    }
    return () => abort.abort();
  });
  return { sizes, stopMeasuring: () => measuring.current.abort() };
}

function RunningDownload({ form, bytes, onStop }: Running & { readonly onStop: () => void }): VNode {
  return (
    <p>
      <span role="status">{FORM_LABELS[form].label} is being received</span>
      {/* It changes many times a second, which nobody wants to hear. */}
      <span aria-hidden="true">: {sizeText(bytes)} …</span>{' '}
      <button class="quiet" onClick={onStop}>
        Stop
      </button>
    </p>
  );
}

function Source({ name, citation, terms, contact }: CitedSource): VNode {
  return (
    <div class="source">
      <p>{citation}</p>
      <p class="soft">
        {terms} {contact !== null && `Ask ${contact}.`}
      </p>
      <CopyButton label={`Citation of ${name}`} text={citation} />
    </div>
  );
}

const SIZES = ['bytes', 'KB', 'MB', 'GB'];

function aboutText(size: FileSize): string {
  return typeof size === 'number' ? `about ${sizeText(size)}` : size.map(sizeText).join(' to ');
}

function sizeText(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${SIZES[power] ?? ''}`;
}

interface CopiedTextProps {
  readonly label: string;
  readonly text: string;
}

function CopiedText({ label, text }: CopiedTextProps): VNode {
  return (
    <div class="copied">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton label={label} text={text} />
    </div>
  );
}

function CopyButton({ label, text }: CopiedTextProps): VNode {
  const [said, setSaid] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select and copy it by hand');
    }
  };
  return (
    <button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
      <span aria-live="polite">{said}</span>
    </button>
  );
}
