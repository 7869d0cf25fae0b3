// The filtered records to take along: as a file, as an address or a few lines of a program, with citation and licence.

import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  askFileSize,
  buildFileName,
  downloadFile,
  FILE_FORMATS,
  type FileFormat,
  type FileSize,
} from '../../requests/downloads';
import { toOrderedQuery } from '../../requests/operations';
import { buildTileTemplate } from '../../requests/places';
import { describeTrouble } from '../../requests/reply';
import type { Session } from '../../session/session';
import { getKind } from '../../state/kinds';
import { buildPageUrl, saveFile } from '../parts/browser';
import { type CitedSource, getShownVersion, listSources } from '../parts/cited-sources';
import type { ViewProps } from '../parts/controls';
import { formatTotal } from '../parts/texts';
import { buildPrograms } from './programs';

const FORMAT_LABELS: Readonly<Record<FileFormat, { readonly label: string; readonly description: string }>> = {
  csv: { label: 'CSV', description: 'a row for each record, for spreadsheets' },
  parquet: { label: 'Parquet', description: 'with types, for pandas, R, DuckDB' },
  geojson: { label: 'GeoJSON', description: 'a feature for each place, for maps' },
};

export function DownloadPanel({ session }: ViewProps): VNode {
  const state = session.state.value;
  const total = session.total.value;
  const service = `${location.origin}${session.client.base}`;
  const { route } = getKind(state.kind);
  const query = toOrderedQuery(state);
  const layer = buildTileTemplate(service, state);
  return (
    <div class="take">
      <p>Exactly what is filtered now: {total === undefined ? '…' : `${formatTotal(state.kind, total)}.`}</p>
      <h3>As a file</h3>
      <FileButtons session={session} total={total ?? 0} />
      <h3>As this page</h3>
      <CopiedText label="Address of this page" text={buildPageUrl({ ...state, panel: undefined })} />
      <h3>In a program</h3>
      {buildPrograms({ operation: `${service}/${route}`, query, layer }).map(({ name, text }) => (
        <details key={name}>
          <summary>{name}</summary>
          <CopiedText label={name} text={text} />
        </details>
      ))}
      <h3>Sources</h3>
      {listSources(session).map((source) => (
        <Source key={source.name} {...source} />
      ))}
    </div>
  );
}

interface RunningFile {
  readonly format: FileFormat;
  readonly bytes: number;
}

function FileButtons({ session, total }: ViewProps & { readonly total: number }): VNode {
  const [running, setRunning] = useState<RunningFile>();
  const [failure, setFailure] = useState('');
  const { sizes, stopMeasuring } = useSizes(session);
  const abort = useRef(new AbortController());
  // Whoever closes the panel wants no file any more.
  useEffect(() => () => abort.current.abort(), []);
  const save = async (format: FileFormat): Promise<void> => {
    const state = session.state.peek();
    // A measure may be a file that takes the place of this one.
    stopMeasuring();
    abort.current = new AbortController();
    const { signal } = abort.current;
    const showBytes = (bytes: number): void => setRunning({ format, bytes });
    showBytes(0);
    setFailure('');
    const reply = await downloadFile(session.client.withSignal(signal), state, format, showBytes);
    setRunning(undefined);
    if (reply.kind === 'answer') saveFile(buildFileName(state, format, reply.version), reply.value);
    else if (!signal.aborted) setFailure(describeTrouble(reply));
  };
  const drawMap = session.drawMapPicture.value;
  const showError = (error: unknown): void => setFailure(String(error));
  return (
    <div class="files">
      {FILE_FORMATS.map((format) => (
        <button key={format} disabled={total === 0 || running !== undefined} onClick={() => void save(format)}>
          <strong>{FORMAT_LABELS[format].label}</strong>
          <span class="soft">
            {FORMAT_LABELS[format].description}
            {sizes[format] !== undefined && `; ${aboutText(sizes[format])}`}
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
  const name = buildFileName(session.state.peek(), 'png', getShownVersion(session));
  saveFile(name, await draw());
}

type Sizes = Partial<Record<FileFormat, FileSize>>;

/** Measured anew when other records are found; empty until then. */
function useSizes(session: Session): { readonly sizes: Sizes; readonly stopMeasuring: () => void } {
  const [sizes, setSizes] = useState<Sizes>({});
  const measuring = useRef(new AbortController());
  useSignalEffect(() => {
    const abort = new AbortController();
    measuring.current = abort;
    const client = session.client.withSignal(abort.signal);
    const total = session.total.value ?? 0;
    const { kind, filters, order } = session.state.peek();
    setSizes({});
    for (const format of total > 0 ? FILE_FORMATS : []) {
      void askFileSize(client, { kind, filters, order, total }, format).then((size) => {
        if (size !== undefined && !abort.signal.aborted) setSizes((known) => ({ ...known, [format]: size }));
      });
    }
    return () => abort.abort();
  });
  return { sizes, stopMeasuring: () => measuring.current.abort() };
}

function RunningDownload({ format, bytes, onStop }: RunningFile & { readonly onStop: () => void }): VNode {
  return (
    <p>
      <span role="status">{FORMAT_LABELS[format].label} is being received</span>
      {/* It changes many times a second, which nobody wants to hear. */}
      <span aria-hidden="true">: {formatSize(bytes)} …</span>{' '}
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

const SIZE_UNITS = ['bytes', 'KB', 'MB', 'GB'];

function aboutText(size: FileSize): string {
  return typeof size === 'number' ? `about ${formatSize(size)}` : size.map(formatSize).join(' to ');
}

function formatSize(bytes: number): string {
  const power = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${SIZE_UNITS[power] ?? ''}`;
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
  const [status, setStatus] = useState('Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setStatus('Copied');
    } catch {
      setStatus('Select and copy it by hand');
    }
  };
  return (
    <button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
      <span aria-live="polite">{status}</span>
    </button>
  );
}
