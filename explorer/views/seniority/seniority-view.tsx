// The seniority of a right: all rights on one of its water sources, or in one of its HUC12, oldest first.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { toCsvBlob } from '../../requests/csv-files';
import { buildPageUrl as buildRightUrl, splitFeatureId } from '../../requests/map-features';
import { type Basis, formatBasis, getRightNumber, type ListedRight, type Seniority } from '../../requests/seniority';
import type { Session } from '../../session/session';
import { withFilters } from '../../state/changes';
import { type GroupSum, rankRights, type SeniorityList } from '../../state/seniority';
import { writeCsv } from '../chart/chart-csv';
import { buildPageUrl, saveFile } from '../parts/browser';
import { citeDataSets } from '../parts/citations';
import { Select, type ViewProps } from '../parts/controls';
import { formatCount, formatQuantity } from '../parts/texts';
import { buildSeniorityTable } from './seniority-csv';
import { describeLimit, describeStanding, listNotes } from './seniority-notes';
import { formatAmount, SeniorityTable, type TableScroll } from './seniority-table';

interface SeniorityViewProps extends ViewProps {
  readonly id: string;
  /** Notices about the whole page. */
  readonly children: ComponentChildren;
}

export function SeniorityView({ session, id, children }: SeniorityViewProps): VNode {
  const seniority = session.seniority.fresh;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const number = getRightNumber(seniority?.right ?? { number: '', identifier: splitFeatureId(id).identifier });
  return (
    <section id="results" class="seniority" tabIndex={-1} aria-label="Seniority">
      <p class="links">
        <button onClick={() => session.set({ seniority: undefined, seniorityBasis: '' })}>Back to the explorer</button>
        <a href={buildRightUrl(session.client, 'rights', id)} target="_blank" rel="noopener">
          Open the right’s page
        </a>
      </p>
      <h1 tabIndex={-1} ref={heading}>
        Seniority of water right {number}
      </h1>
      {children}
      {seniority === undefined ? (
        session.hasAccess && session.trouble.value === undefined && <Progress session={session} />
      ) : (
        <Content session={session} seniority={seniority} />
      )}
    </section>
  );
}

function Progress({ session }: ViewProps): VNode {
  const progress = session.seniorityProgress.value;
  if (progress === undefined) return <p role="status">Looking for rights on the same water source …</p>;
  const { loaded, total } = progress;
  return (
    <>
      <p role="status">
        {formatCount(loaded)} of {formatCount(total)} rights loaded …
      </p>
      <progress value={loaded} max={total} aria-label="Rights loaded" />
    </>
  );
}

function Content({ session, seniority }: ViewProps & { readonly seniority: Seniority }): VNode {
  const { right, rights, basis } = seniority;
  const list = useMemo(() => (right === undefined ? undefined : rankRights(rights, right)), [seniority]);
  const scroll = useRef<TableScroll>(null);
  if (right === undefined || list === undefined)
    return <p class="notice">This right is not in this data version. It may have been renumbered or removed.</p>;
  if (basis === undefined) {
    return (
      <p class="notice">
        This right lists no water source, and its sites have no HUC12, so there are no rights to compare it with. Go
        back to the explorer to look at rights nearby on the map.
      </p>
    );
  }
  const limit = describeLimit(seniority, list);
  return (
    <>
      <p class="standing">
        {formatQuantity(seniority.total, 'right')} {describeSharing(basis, seniority.total)}.{' '}
        <strong>{describeStanding(seniority, list)}</strong>
      </p>
      <Tools
        session={session}
        seniority={seniority}
        list={list}
        basis={basis}
        right={right}
        onShowOwn={() => scroll.current?.showOwn()}
      />
      {seniority.isChoiceUnknown && (
        <p class="notice">
          This right does not have the source or subwatershed in the address. The list shows a different one.
        </p>
      )}
      {limit !== '' && <p class="notice">{limit}</p>}
      <Groups list={list} right={right} />
      <SeniorityTable session={session} list={list} title={basis.label} scroll={scroll} />
      <Notes session={session} seniority={seniority} list={list} />
    </>
  );
}

function describeSharing({ filter, label }: Basis, total: number): string {
  if (filter === 'HUC12') return `${total === 1 ? 'has' : 'have'} a site in ${label}`;
  return `${total === 1 ? 'names' : 'share'} ${label}`;
}

interface ListProps extends ViewProps {
  readonly seniority: Seniority;
  readonly list: SeniorityList<ListedRight>;
}

interface ToolsProps extends ListProps {
  readonly right: ListedRight;
  readonly basis: Basis;
  readonly onShowOwn: () => void;
}

function Tools({ session, seniority, list, right, basis, onShowOwn }: ToolsProps): VNode {
  const { bases } = seniority;
  const version = getVersion(session);
  const save = (): void => {
    const name = ['seniority', getRightNumber(right), basis.value, version.slice(0, 8)];
    const file = name.join('_').replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
    saveFile(`${file}.csv`, toCsvBlob(writeCsv(buildSeniorityTable(seniority, list, version))));
  };
  const explore = (): void =>
    session.change((state) => ({
      ...withFilters(state, { kind: 'rights', filters: { [basis.filter]: [basis.value] } }),
      seniority: undefined,
      seniorityBasis: '',
    }));
  return (
    <p class="links tools">
      {bases.length > 1 && (
        <Select
          label="Rights that share"
          value={formatBasis(basis)}
          choices={bases.map((one) => ({ name: formatBasis(one), label: one.label }))}
          onChoose={(name) => session.set({ seniorityBasis: name })}
        />
      )}
      {list.rows.some(({ relation }) => relation === 'this') && <button onClick={onShowOwn}>Jump to this right</button>}
      <button onClick={save}>Download CSV</button>
      <button onClick={() => print()}>Print</button>
      <button onClick={explore}>Open these rights in the explorer</button>
    </p>
  );
}

/** Sums of the senior rights, the junior rights, and so on. */
function Groups({ list, right }: { readonly list: SeniorityList<ListedRight>; readonly right: ListedRight }): VNode {
  const own = rankRights([right], right);
  const groups: readonly (readonly [label: string, sum: GroupSum])[] = [
    ['Senior', list.senior],
    ['This right', right.date === '' ? own.undated : own.dated],
    ['Same date', list.sameDay],
    ['Junior', list.junior],
    ['Listed with a priority date', list.dated],
    ['Listed without a priority date', list.undated],
  ];
  return (
    <div class="figures sums" tabIndex={0} role="region" aria-label="Sums">
      <table>
        <caption class="unseen">Number of rights, flow and volume of senior and junior rights</caption>
        <thead>
          <tr>
            {['Rights', 'Number', 'Flow (CFS)', 'No flow stated', 'Volume (AF)', 'No volume stated'].map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups
            .filter(([label, { count }]) => count > 0 || (right.date !== '' && label === 'Senior'))
            .map(([label, { count, flow, volume }]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatCount(count)}</td>
                <td>{formatAmount(flow.sum)}</td>
                <td>{formatCount(flow.missing)}</td>
                <td>{formatAmount(volume.sum)}</td>
                <td>{formatCount(volume.missing)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Notes({ session, seniority, list }: ListProps): VNode {
  const organizations = [...new Set(seniority.rights.map(({ organization }) => organization))];
  const sources = citeDataSets(session.inventory.latest, 'rights', { organizations, version: getVersion(session) });
  return (
    <section class="reading" aria-labelledby="seniority-notes">
      <h2 id="seniority-notes">How to read this list</h2>
      <ul>
        {listNotes(seniority, list).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <h2>Sources</h2>
      <ul>
        {sources.map(({ name, citation, terms }) => (
          <li key={name}>
            {citation} {terms}
          </li>
        ))}
      </ul>
      <p class="printed">{buildPageUrl(session.state.value)}</p>
    </section>
  );
}

/** The data version of the list. */
function getVersion({ seniority }: Session): string {
  return seniority.state.value.answer?.version ?? '';
}
