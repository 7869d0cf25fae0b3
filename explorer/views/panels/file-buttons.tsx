// Buttons that download the filtered records in each file format, and the picture of the map.

import { useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { downloadFile, FILE_FORMATS, type FileFormat } from '../../requests/downloads';
import { buildFileName } from '../../requests/file-names';
import { estimateFileSizes, type FileSizes } from '../../requests/file-sizes';
import { describeTrouble } from '../../requests/reply';
import type { Session } from '../../session/session';
import { saveFile } from '../parts/browser';
import { getShownVersion } from '../parts/cited-sources';
import type { ViewProps } from '../parts/controls';

const FORMAT_LABELS: Readonly<Record<FileFormat, { readonly label: string; readonly description: string }>> = {
  csv: { label: 'CSV', description: 'one row per record, for spreadsheets' },
  parquet: { label: 'Parquet', description: 'typed columns, for pandas, R and DuckDB' },
  geojson: { label: 'GeoJSON', description: 'one feature per record, for maps' },
};

interface RunningFile {
  readonly format: FileFormat;
  readonly bytes: number;
}

export function FileButtons({ session, total }: ViewProps & { readonly total: number }): VNode {
  const [running, setRunning] = useState<RunningFile>();
  const [failure, setFailure] = useState('');
  const sizes = useFileSizes(session);
  const abort = useRef(new AbortController());
  // Closing the panel cancels the download.
  useEffect(() => () => abort.current.abort(), []);
  const save = async (format: FileFormat): Promise<void> => {
    const state = session.state.peek();
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
            {sizes[format] !== undefined && `; about ${formatSize(sizes[format])}`}
          </span>
        </button>
      ))}
      {drawMap && (
        <button onClick={() => void savePicture(session, drawMap).catch(showError)}>
          <strong>Map image</strong>
          <span class="soft">PNG with legend and sources</span>
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

/** Estimated again when other records match. Empty until the service has answered. */
function useFileSizes(session: Session): FileSizes {
  const [sizes, setSizes] = useState<FileSizes>({});
  useSignalEffect(() => {
    const abort = new AbortController();
    const client = session.client.withSignal(abort.signal);
    const total = session.total.value ?? 0;
    const { kind } = session.state.peek();
    setSizes({});
    if (total > 0) {
      void estimateFileSizes(client, kind, total).then((estimates) => {
        if (!abort.signal.aborted) setSizes(estimates);
      });
    }
    return () => abort.abort();
  });
  return sizes;
}

function RunningDownload({ format, bytes, onStop }: RunningFile & { readonly onStop: () => void }): VNode {
  return (
    <p>
      <span role="status">{FORMAT_LABELS[format].label} download in progress</span>
      {/* Changes many times per second, so it is not announced. */}
      <span aria-hidden="true">: {formatSize(bytes)} …</span>{' '}
      <button class="quiet" onClick={onStop}>
        Stop
      </button>
    </p>
  );
}

const SIZE_UNITS = ['bytes', 'KB', 'MB', 'GB'];

function formatSize(bytes: number): string {
  const power = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${SIZE_UNITS[power] ?? ''}`;
}
