// Routes that answer with a document, such as the inventory. The text is written before the entity tag is known.

import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';
import { buildLinkHeader, buildStateHeaders, buildTermsLinks, type ExtraHeaders } from './answer-headers';
import { type Access, getQueryText } from './authorize';
import { formatEntityTag, matchEntityTags } from './conditional-requests';
import { encodeBody, negotiateCoding } from './negotiation';
import type { Outcome, Refusal } from './outcome';
import { answerFromState, type Route } from './pipeline';
import type { ReadOutcome } from './read-parameters';
import type { HttpRequest, Service } from './service';

/** A text about what a catalog state publishes. */
interface Document extends ExtraHeaders {
  readonly body: string;
  readonly contentType: string;
  /** What the entity tag depends on besides the coding. Defaults to the digest of the body. */
  readonly tagSource?: string;
  /** Part of the entity tag. */
  readonly count: number;
  /** The data sets that the text describes. */
  readonly entries: readonly CatalogEntry[];
  readonly records?: number;
}

interface DocumentQuery {
  readonly dataVersion?: string | undefined;
}

interface DocumentRoute<Query extends DocumentQuery> {
  readonly access: Access;
  readonly vary: string;
  readonly read: (request: HttpRequest, text: string, service: Service) => ReadOutcome<Query>;
  readonly write: (query: Query, state: CatalogState, service: Service) => Promise<Document | Refusal>;
}

export function documentRoute<Query extends DocumentQuery>(route: DocumentRoute<Query>): Route {
  const { access, vary, read, write } = route;
  const answer: Route['answer'] = (request, service) => {
    const parameters = read(request, getQueryText(request), service);
    if (parameters.kind === 'problem') return Promise.resolve(parameters);
    return answerFromState(parameters.query.dataVersion, service, async (state) => {
      const document = await write(parameters.query, state, service);
      return 'kind' in document ? document : sendDocument(document, { state, vary }, request);
    });
  };
  return { access, answer };
}

async function sendDocument(
  {
    body,
    contentType,
    tagSource = digestContent(body),
    count,
    entries,
    links = [],
    records,
    headers: ownHeaders,
  }: Document,
  { state, vary }: { readonly state: CatalogState; readonly vary: string },
  { headers: requestHeaders }: HttpRequest,
): Promise<Outcome> {
  const coding = negotiateCoding(requestHeaders.get('accept-encoding'));
  const digest = digestContent(JSON.stringify([tagSource, coding ?? 'identity']));
  const headers = {
    ...buildStateHeaders(state, vary),
    ETag: formatEntityTag(digest, count),
    ...buildLinkHeader([...links, ...buildTermsLinks(entries)]),
    ...ownHeaders,
  };
  if (matchEntityTags(requestHeaders.get('if-none-match') ?? '', digest) !== undefined) {
    return { kind: 'no body', status: 304, headers };
  }
  const coded = await encodeBody(Buffer.from(body), coding);
  return { kind: 'answer', body: coded.body, contentType, headers: { ...headers, ...coded.headers }, records };
}
