// The session of a brief: its address, the key of this tab, and the figures. It does not access the DOM.

import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core';
import { type Brief, fetchBrief } from '../requests/brief';
import { ServiceClient } from '../requests/client';
import type { CountyOutlines } from '../requests/county-outlines';
import { fetchOpenBrief, type OpenBrief } from '../requests/open-brief';
import type { Reply } from '../requests/reply';
import { type BriefAddress, type BriefArea, buildBriefRoute, readBriefAddress } from '../state/brief-area';
import type { Kind } from '../state/kinds';
import { LiveQuery } from './live-query';
import type { Environment } from './session';
import { KEY_NAME } from './tab-key';

export interface BriefEnvironment extends Omit<Environment, 'showQuery'> {
  /** Navigates to the address of another brief. */
  readonly showRoute: (route: string) => void;
  readonly outlines: CountyOutlines;
}

type FetchFigures<Value> = (
  client: ServiceClient,
  area: BriefArea,
  options: { readonly version: string; readonly outlines: CountyOutlines },
) => Promise<Reply<Value>>;

export class BriefSession {
  readonly client: ServiceClient;
  private readonly currentAddress = signal(readBriefAddress(''));
  private readonly currentKey = signal('');
  readonly address: ReadonlySignal<BriefAddress> = this.currentAddress;
  readonly key: ReadonlySignal<string> = this.currentKey;
  readonly brief: LiveQuery<Brief>;
  /** What is shown without a key, if the service answers some requests without one. */
  readonly openBrief: LiveQuery<OpenBrief>;
  readonly hasKey = computed(() => this.currentKey.value !== '');
  /** Whether the page is getting a key for this browser (D56). */
  readonly isGettingKey = signal(false);
  /** The kind whose counts the search box shows first. */
  readonly state: ReadonlySignal<{ readonly kind: Kind }> = signal({ kind: 'rights' });
  readonly facets = { latest: undefined };

  constructor(private readonly environment: BriefEnvironment) {
    const { base, send, query, storage } = environment;
    this.currentAddress.value = readBriefAddress(query);
    this.currentKey.value = storage.getItem(KEY_NAME) ?? '';
    this.client = new ServiceClient(base, () => this.currentKey.peek(), send);
    this.brief = this.createQuery();
    this.openBrief = this.createQuery();
  }

  createQuery<Value>(): LiveQuery<Value> {
    return new LiveQuery((milliseconds, act) => this.environment.schedule(milliseconds, act));
  }

  /** Requests the figures, now and whenever the area changes. Returns a function that stops this. */
  start(): () => void {
    if (!this.hasKey.peek() && this.environment.browserKeys !== undefined) void this.getBrowserKey();
    return effect(() => {
      const { area, version } = this.currentAddress.value;
      const hasKey = this.hasKey.value;
      const isOpen = !hasKey && this.environment.answersWithoutKey === true;
      untracked(() => {
        if (area === undefined || !hasKey) this.brief.reset();
        else this.run(this.brief, fetchBrief, area, version);
        if (area === undefined || !isOpen) this.openBrief.reset();
        else this.run(this.openBrief, fetchOpenBrief, area, version);
      });
    });
  }

  private run<Value>(
    query: LiveQuery<Value>,
    fetchFigures: FetchFigures<Value>,
    area: BriefArea,
    version: string,
  ): void {
    const { outlines } = this.environment;
    const send = (abort: AbortSignal) => fetchFigures(this.client.withSignal(abort), area, { version, outlines });
    query.run(send, JSON.stringify([area.boundary, version]));
  }

  /** Opens the brief of another area with the current data. */
  showArea(area: BriefArea): void {
    const route = buildBriefRoute(area);
    this.environment.showRoute(route);
    this.showAddress(route.slice(route.indexOf('?')));
  }

  /** Called when the address changes, for example by the Back button. */
  showAddress(query: string): void {
    this.currentAddress.value = readBriefAddress(query);
  }

  /** Uses a key in this tab, and repeats a refused request. */
  useKey(key: string): void {
    this.environment.storage.setItem(KEY_NAME, key.trim());
    const hadKey = this.hasKey.peek();
    this.currentKey.value = key.trim();
    // Without an earlier key, the effect sends the requests.
    if (hadKey) this.retry();
  }

  /** Whether the key is one that the page got for this browser. */
  get usesBrowserKey(): boolean {
    return this.environment.browserKeys?.isOwn(this.currentKey.value) === true;
  }

  /** Gets a key for this browser, a new key if `isNew`. If there is none, the page asks the person for a key. */
  async getBrowserKey(isNew = false): Promise<void> {
    this.isGettingKey.value = true;
    const key = await this.environment.browserKeys?.request(isNew).catch(() => '');
    this.isGettingKey.value = false;
    // The person may have entered a key in the meantime.
    if (key !== undefined && key !== '' && (isNew || !this.hasKey.peek())) this.useKey(key);
  }

  retry(): void {
    this.brief.rerun();
    this.openBrief.rerun();
  }
}
