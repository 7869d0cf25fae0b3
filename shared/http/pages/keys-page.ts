// The page at /keys (D56): somebody asks for a key, takes it with the link of the mail, and later looks after it. Its
// program does all of it with the operations of shared/http/v1/keys.ts; without them it says where keys come from.

import type { Outcome } from '../pipeline/outcome';
import type { AskedRequest, Service } from '../pipeline/service';
import { contentOf, html, linkedText, pageFrame, pageOutcome, type Html } from './page';
import { pageAddresses } from './page-files';

export function keysPage(request: AskedRequest, service: Service): Promise<Outcome> {
  const addresses = pageAddresses(service);
  const { base } = addresses;
  const { selfService } = service;
  const title = selfService === undefined ? 'Access keys' : 'Your access key';
  const content = html`<section class="hero">
      <h1>${title}</h1>
      <p>
        Every question for data needs an access key, which says who asks. It costs nothing.
        ${whereKeysComeFrom(service, base)}
      </p>
    </section>
    ${selfService === undefined ? '' : forms(selfService.kind === 'mail', base)}`;
  const modules = selfService === undefined ? [] : ['keys.mjs'];
  const page = pageFrame({ title, addresses, content, styles: ['pages.css', 'landing.css', 'keys.css'], modules });
  return pageOutcome(request, contentOf(page), service.pages);
}

/** For people, in a paragraph. */
export function whereKeysComeFrom(
  { selfService, contact }: Pick<Service, 'selfService' | 'contact'>,
  base: string,
): Html {
  const isMail = !/^https?:/i.test(contact);
  const link = isMail ? html`<a href="mailto:${contact}">${contact}</a>` : (linkedText(contact) ?? '');
  if (selfService !== undefined) {
    const questions = contact === '' ? '' : html` Questions: ${link}`;
    return html`Everybody can <a href="${base}/keys">get one by oneself</a>.${questions}`;
  }
  if (contact !== '') return html`Where keys come from: ${link}`;
  return html`The operator of the service issues keys on request, with
    <code>npm run keys -- issue --owner NAME</code>.`;
}

/** Sections that are hidden are shown by the program when there is something in them. */
function forms(isMailed: boolean, base: string): Html {
  return html`<noscript
      ><p class="notice">
        This page needs JavaScript. The same can be done <a href="${base}/docs">by address</a>.
      </p></noscript
    >
    <div id="keys" data-base="${base}"></div>
    <section id="claim" aria-labelledby="claim-title" hidden>
      <h2 id="claim-title" tabindex="-1">Take your key</h2>
      <p>The link works once. The key is shown only now, so have a place ready where you keep it.</p>
      <button type="button" class="button">Show my key</button>
    </section>
    <section id="new" aria-labelledby="new-title" hidden>
      <h2 id="new-title" tabindex="-1">This is your key</h2>
      <p>It is shown only now: copy it to where you keep such things. It stays in this tab until you close it.</p>
      <div class="code">
        <pre tabindex="0"><code></code></pre>
      </div>
      <p class="actions"><a class="button" href="${base}/explore">Explore the data with it</a></p>
      <p class="small limits"></p>
    </section>
    <section id="ask" aria-labelledby="ask-title">
      <h2 id="ask-title">Ask for a key</h2>
      <form class="person">
        <label>Your name <input name="Name" required maxlength="200" autocomplete="name" /></label>
        <label
          >Your mail address <input name="Email" type="email" required maxlength="254" autocomplete="email"
        /></label>
        <button class="button">${isMailed ? 'Send me a link' : 'Give me a key'}</button>
      </form>
      <p class="small">
        ${isMailed ? 'A mail brings a link to your key, good for an hour.' : ''} Name and address are kept as long as
        the key lives, for nothing but questions about its use, and are deleted with it.
      </p>
    </section>
    ${ownSection()}`;
}

function ownSection(): Html {
  return html`<section id="own" aria-labelledby="own-title">
    <h2 id="own-title">The key that you have</h2>
    <form class="person">
      <label>Your key <input name="key" required spellcheck="false" autocapitalize="off" autocomplete="off" /></label>
      <button class="button plain">Show its use</button>
    </form>
    <div class="use" hidden>
      <p class="owner"></p>
      <div class="scrolled" tabindex="0" role="group" aria-label="Use by day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">Requests</th>
              <th scope="col" class="number">Records</th>
              <th scope="col" class="number">Refused</th>
            </tr>
          </thead>
          <tbody></tbody>
        </table>
      </div>
      <p class="actions">
        <button type="button" class="button plain" name="rotate">Replace it by a new one</button>
        <button type="button" class="button plain" name="delete">Delete it</button>
      </p>
      <p class="small">
        A key that is replaced works for 24 hours more. One that is deleted ends at once, and your name and address with
        it.
      </p>
    </div>
  </section>`;
}
