// The side panels: a record, a place, downloads, changes and the key.

import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { getFeatureName } from '../../requests/map-features';
import { getKind } from '../../state/kinds';
import type { Panel } from '../../state/state';
import type { ViewProps } from '../parts/controls';
import { KeyForm } from '../parts/key-form';
import { formatCount } from '../parts/texts';
import { ChangesPanel } from './changes-panel';
import { DownloadPanel } from './download-panel';
import { PlacePage } from './place-page';
import { RecordPage } from './record-page';

export const PANEL_TITLES: Readonly<Record<Panel, string>> = { take: 'Take it', changes: 'What changed', key: 'Key' };

export function Panels({ session }: ViewProps): VNode | null {
  const { kind, panel, place, record } = session.state.value;
  if (panel !== undefined)
    return (
      <SidePanel key={panel} session={session} shows="panel" title={PANEL_TITLES[panel]}>
        {panel === 'take' && <DownloadPanel session={session} />}
        {panel === 'changes' && <ChangesPanel session={session} />}
        {panel === 'key' && <KeyForm session={session} />}
      </SidePanel>
    );
  if (place !== undefined) {
    const label = getKind(kind).places.title;
    const feature = session.feature.fresh;
    const name = feature && getFeatureName(feature);
    return (
      <SidePanel key={place} session={session} shows="place" title={name ?? label} label={label}>
        <PlacePage session={session} id={place} />
      </SidePanel>
    );
  }
  if (record === undefined) return null;
  return (
    <SidePanel key="record" session={session} shows="record" title={`Record ${formatCount(record + 1)}`}>
      <RecordPage session={session} index={record} />
    </SidePanel>
  );
}

interface SidePanelProps extends ViewProps {
  /** The part of the state that opens this panel. */
  readonly shows: 'panel' | 'place' | 'record';
  readonly title: string;
  /** The label for screen readers, if the title is a name. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Takes the focus when it opens, and returns it when it closes. Escape closes it. */
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
