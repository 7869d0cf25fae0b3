// GET /v1/Find: finds sites, reporting units, rights, owners, areas, terms and organizations by name (D60).

import { find } from '../../query/operations';
import { findMembers, NAMED_KINDS } from '../../records/find-results';
import { createObjectWriter } from '../../records/object-definition';
import { openEntry } from '../../search/index/open-release';
import { findNames, type FoundPage } from '../../search/names/find-names';
import { MEDIA_TYPES } from '../../values/media-types';
import { readStateCode } from '../../values/states';
import { OVERLOADED, refuse } from '../pipeline/outcome';
import { readParameters } from '../pipeline/read-parameters';
import { type OpenedSearch, type SearchQuery, searchRoute } from '../pipeline/search-route';
import type { Service } from '../pipeline/service';
import { buildPageHeaders } from './operations';

const write = createObjectWriter(findMembers);

export const findRoute = searchRoute<SearchQuery>({
  name: find.name,
  access: 'key',
  acceptsPost: true,
  delivery: 'complete',
  tag: 'strong',
  vary: 'Accept-Encoding',
  read: (_, items, service) => {
    const read = readParameters(find, items, service);
    return read.kind === 'problem' ? read : { kind: 'read', query: { request: read.query } };
  },
  representationKey: ({ request: { words, kinds } }, coding) => [
    words.join(' '),
    [...new Set(kinds)].sort().join(' '),
    coding,
  ],
  openReleases: (_, { entries }, { store, caches }) =>
    Promise.all(entries.map(async (entry) => ({ entry, reader: await openEntry(store, entry), caches }))),
  getHeaders: (opened, total, { publicUrl }) => buildPageHeaders(opened, total, `${publicUrl}/${find.route}`),
  count: async (opened, service) => (await findPage(opened, service)).total,
  render: async (opened, { reservation, service }) => {
    const { total, items } = await findPage(opened, service);
    const body = Buffer.from(write({ TotalFoundCount: total, Found: items }));
    if (!reservation.resize(body.length)) return refuse(OVERLOADED);
    const answer = { body, contentType: MEDIA_TYPES.json, headers: {}, total, records: items.length };
    return { kind: 'complete', ...answer, cachePolicy: 'at once' };
  },
});

async function findPage(
  { query: { request }, releases }: OpenedSearch<SearchQuery>,
  { countyOutlines }: Service,
): Promise<FoundPage> {
  const { words, kinds, linkParameters } = request;
  const states = linkParameters.flatMap(({ name, value }) => (name === 'State' ? (readStateCode(value) ?? []) : []));
  const nameQuery = { words, kinds: new Set(kinds.length === 0 ? NAMED_KINDS : kinds), states };
  return findNames(releases, nameQuery, request, countyOutlines);
}
