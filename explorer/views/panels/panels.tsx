// The side panels: a record, a place, downloads, changes and the key.

import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { getFeatureName } from '../../requests/map-features';
import type { Session } from '../../session/session';
import { getKind } from '../../state/kinds';
import type { Panel } from '../../state/state';
import { buildTitle } from '../../state/titles';
import type { ViewProps } from '../parts/controls';
import { KeyForm } from '../parts/key-form';
import { formatCount } from '../parts/texts';
import { ChangesPanel } from './changes-panel';
import { DownloadPanel } from './download-panel';
import { PlacePage } from './place-page';
import { RecordPage } from './record-page';

export const PANEL_TITLES: Readonly<Record<Panel, string>> = {
  take: 'Download',
  changes: 'Recent updates',
  key: 'Access key',
};

interface PanelsProps extends ViewProps {
  /** The address of the county outlines, with `{state}`. */
  readonly counties: string;
}

export function Panels({ session, counties }: PanelsProps): VNode | null {
  const { kind, panel, place, record } = session.state.value;
  if (panel !== undefined)
    return (
      <SidePanel key={panel} session={session} shows="panel" title={PANEL_TITLES[panel]}>
        {panel === 'take' && <DownloadPanel session={session} />}
        {panel === 'changes' && <ChangesPanel session={session} />}
        {panel === 'key' && <KeyForm session={session} onDone={() => session.set({ panel: undefined })} />}
      </SidePanel>
    );
  if (place !== undefined) {
    const label = getKind(kind).places.title;
    const feature = session.feature.fresh;
    const name = feature && getFeatureName(kind, feature);
    return (
      <SidePanel key={place} session={session} shows="place" title={name ?? label} label={label}>
        <PlacePage session={session} id={place} counties={counties} />
      </SidePanel>
    );
  }
  if (record === undefined) return null;
  return (
    <SidePanel
      key="record"
      session={session}
      shows="record"
      title={findRecordTitle(session, record)}
      label={`Record ${formatCount(record + 1)}`}
    >
      <RecordPage session={session} index={record} counties={counties} />
    </SidePanel>
  );
}

/** The number or name of a record; its position until it is loaded. */
function findRecordTitle({ records, record, state }: Session, index: number): string {
  const part = [records.fresh, record.fresh].find((one) => one?.getRow(index) !== undefined);
  const row = part?.getRow(index);
  if (part === undefined || row === undefined) return `Record ${formatCount(index + 1)}`;
  return buildTitle(state.value.kind, (name) => row[part.columns.indexOf(name)] ?? '');
}

interface SidePanelProps extends ViewProps {
  /** The part of the state that opens this panel. */
  readonly shows: 'panel' | 'place' | 'record';
  readonly title: string;
  /** The label for screen readers, if the title is a name. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Takes the focus when it opens, and gives it back when it closes. Escape closes it. */
function SidePanel({ session, shows, title, label = title, children }: SidePanelProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const previousElement = document.activeElement;
    heading.current?.focus();
    return () => {
      if (previousElement instanceof HTMLElement && previousElement.isConnected) previousElement.focus();
    };
  }, []);
  const close = (): void => session.set({ [shows]: undefined });
  return (
    <aside class="side" aria-label={label} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <div class="side-head">
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button class="quiet" aria-label="Close" onClick={close}>
          ×
        </button>
      </div>
      {children}
    </aside>
  );
}
