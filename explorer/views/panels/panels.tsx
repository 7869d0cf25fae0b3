// What opens beside the view: the page of a record, ways to take the data along, what changed, and the key.

import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { kindOf } from '../../state/kinds';
import type { Panel } from '../../state/state';
import { KeyForm, type ViewProps } from '../parts/controls';
import { ChangesPanel } from './changes-panel';
import { PlacePage, RecordPage, thingTitle } from './item-pages';
import { TakePanel } from './take-panel';

export const PANEL_TITLES: Readonly<Record<Panel, string>> = { take: 'Take it', changes: 'What changed', key: 'Key' };

export function Panels({ session }: ViewProps): VNode | null {
  const { kind, panel, place, record } = session.state.value;
  if (panel !== undefined) {
    return (
      <SidePanel key={panel} title={PANEL_TITLES[panel]} onClose={() => session.set({ panel: undefined })}>
        {panel === 'take' && <TakePanel session={session} />}
        {panel === 'changes' && <ChangesPanel session={session} />}
        {panel === 'key' && <KeyForm session={session} />}
      </SidePanel>
    );
  }
  if (place !== undefined) {
    return (
      <SidePanel
        key={place}
        title={thingTitle(session)}
        label={kindOf(kind).places.title}
        onClose={() => session.set({ place: undefined })}
      >
        <PlacePage session={session} id={place} />
      </SidePanel>
    );
  }
  if (record === undefined) return null;
  const title = `Record ${(record + 1).toLocaleString('en-US')}`;
  return (
    <SidePanel key="record" title={title} onClose={() => session.set({ record: undefined })}>
      <RecordPage session={session} index={record} />
    </SidePanel>
  );
}

interface SidePanelProps {
  readonly title: string;
  /** What the panel is to those who hear the page, where its title is a name. */
  readonly label?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Takes the focus when it opens and gives it back when it closes; Escape closes it. */
function SidePanel({ title, label = title, onClose, children }: SidePanelProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside
      class="side"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div class="side-head">
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </aside>
  );
}
