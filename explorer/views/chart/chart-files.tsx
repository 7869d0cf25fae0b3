// Buttons that save the chart as CSV, SVG or PNG, and its figures as a table.

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCsvBlob } from '../../requests/csv-files';
import { listen, saveFile } from '../parts/browser';
import { buildSourceNotes } from '../parts/cited-sources';
import type { ViewProps } from '../parts/controls';
import { buildTable, type Chart } from './chart';
import { writeCsv } from './chart-csv';
import { renderSvg } from './chart-svg';

/** Rows on the page. The CSV file has all rows. */
const MAX_ROWS = 400;

/** PNG pixels per SVG unit, for sharp print. */
const SCALE = 2;

interface ChartFilesProps extends ViewProps {
  readonly name: string;
  readonly chart: Chart;
}

export function ChartFiles({ session, name, chart }: ChartFilesProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const picture = (): string => renderSvg(chart, buildSourceNotes(session));
  return (
    <>
      <PrintedDrawing chart={chart} />
      <div class="chart-files">
        <span class="soft">Download this chart</span>
        <button type="button" onClick={() => saveFile(`${file}.csv`, toCsvBlob(writeCsv(buildTable(chart))))}>
          CSV
        </button>
        <button type="button" onClick={() => saveFile(`${file}.svg`, toSvgBlob(picture()))}>
          SVG
        </button>
        <button type="button" onClick={() => void renderPng(picture()).then((blob) => saveFile(`${file}.png`, blob))}>
          PNG
        </button>
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Data table</summary>
          {isOpen && <FiguresTable chart={chart} />}
        </details>
      </div>
    </>
  );
}

/** Prints the SVG of the chart: sharp, with title, axes and legend. */
function PrintedDrawing({ chart }: Pick<ChartFilesProps, 'chart'>): VNode {
  const container = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      listen(window, 'beforeprint', () => {
        if (container.current !== null) container.current.innerHTML = renderSvg(chart);
      }),
    [chart],
  );
  return <div class="printed" ref={container} />;
}

function FiguresTable({ chart }: Pick<ChartFilesProps, 'chart'>): VNode {
  const [head = [], ...rows] = buildTable(chart);
  return (
    <div class="figures" tabIndex={0} role="region" aria-label="Figures">
      <table>
        <caption class="unseen">{chart.title}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map(([time, ...values]) => (
            <tr key={time}>
              <th scope="row">{time}</th>
              {values.map((value, index) => (
                <td key={index}>{typeof value === 'number' ? value.toLocaleString('en-US') : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p class="soft">The CSV file contains all {rows.length.toLocaleString('en-US')} rows.</p>
      )}
    </div>
  );
}

function toSvgBlob(picture: string): Blob {
  return new Blob([picture], { type: 'image/svg+xml' });
}

async function renderPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(toSvgBlob(svg));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width * SCALE, picture.height * SCALE);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob();
  } finally {
    URL.revokeObjectURL(address);
  }
}
