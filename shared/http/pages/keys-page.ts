// The page at /keys (D56), on which people request, claim and manage an access key. Its program calls the operations of
// shared/http/v1/keys.ts. If these are off, the page says where to get a key.

import { writeTable } from '../../documents/write-html';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import { type Html, html, linkAddress } from './html';
import { renderPage } from './page';
import { answerPage, createContent } from './page-answers';
import { getPageAddresses } from './page-files';
import { head, hero } from './page-parts';

export function answerKeysPage(request: HttpRequest, service: Service): Promise<Outcome> {
  const { base } = getPageAddresses(service);
  const { selfService } = service;
  const title = selfService === undefined ? 'Access keys' : 'Your access key';
  const content = html`${hero(
    title,
    html`<p>
      You need a free access key to query data.
      ${selfService === undefined ? describeKeySource(service, base) : contactSentence(service)}
    </p>`,
  )}
  ${selfService === undefined ? '' : keyForms(selfService.kind === 'mail', base)}`;
  const modules = selfService === undefined ? [] : ['keys.mjs'];
  const page = renderPage({ title, content, styles: ['pages.css', 'landing.css', 'keys.css'], modules }, service);
  return answerPage(request, createContent(page), service.pages);
}

/** Returns a paragraph that says where to get a key. */
export function describeKeySource(service: Pick<Service, 'selfService' | 'contact'>, base: string): Html {
  const { selfService, contact } = service;
  if (selfService !== undefined) {
    return html`Anyone can <a href="${base}/keys">get a key</a>, free of charge. ${contactSentence(service)}`;
  }
  if (contact !== '') return html`Get a key from ${contactLink(contact)}.`;
  return html`Ask the operator of the service for a key.`;
}

function contactSentence({ contact }: Pick<Service, 'contact'>): Html {
  return contact === '' ? html`` : html`Questions: ${contactLink(contact)}.`;
}

/** CONTACT is an email address or the address of a page. */
function contactLink(contact: string): Html | string {
  const isPage = /^https?:/i.test(contact);
  return isPage ? (linkAddress(contact) ?? '') : html`<a href="mailto:${contact}">${contact}</a>`;
}

/** Renders the sections, each hidden until the program has content for it. */
function keyForms(isMailed: boolean, base: string): Html {
  return html`<noscript
      ><p class="notice">This page needs JavaScript. Without it, use <a href="${base}/docs">the API</a>.</p></noscript
    >
    <div id="keys" data-base="${base}"></div>
    <section id="claim" aria-labelledby="claim-title" hidden>
      <h2 id="claim-title" tabindex="-1">Get your key</h2>
      <p>The link works once, and the key is shown only once. Have a safe place ready to save it.</p>
      <button type="button" class="button">Show my key</button>
    </section>
    <section id="new" aria-labelledby="new-title" hidden>
      <h2 id="new-title" tabindex="-1">This is your key</h2>
      <p>It is shown only once: save it in a safe place. This tab keeps it until you close it.</p>
      <div class="code">
        <pre tabindex="0"><code></code></pre>
      </div>
      <p class="actions">
        <a class="button" href="${base}/explore">Explore the data with it</a>
        <a class="button plain" href="${base}/downloads">Download files</a>
      </p>
      <p class="small">Programs send it in the header <code>X-API-Key</code>. <span class="limits"></span></p>
    </section>
    <section id="ask" aria-labelledby="ask-title">
      <h2 id="ask-title">Request a key</h2>
      <form class="person">
        <label>Your name <input name="Name" required maxlength="200" autocomplete="name" /></label>
        <label
          >Your email address <input name="Email" type="email" required maxlength="254" autocomplete="email"
        /></label>
        <button class="button">${isMailed ? 'Send me a link' : 'Create a key'}</button>
      </form>
      <p class="small">
        ${isMailed ? 'You will get an email with a link to your key. It works for an hour.' : ''} Your name and address
        are used only for questions about the key, and are deleted with it.
      </p>
    </section>
    ${ownSection()}`;
}

function ownSection(): Html {
  return html`<section id="own" aria-labelledby="own-title">
    <h2 id="own-title">Manage your key</h2>
    <form class="person">
      <label
        >Your key <input name="key" type="password" required spellcheck="false" autocapitalize="off" autocomplete="off"
      /></label>
      <button class="button plain">Show usage</button>
    </form>
    <div class="use" hidden>
      <p class="owner"></p>
      <div class="scrolled" tabindex="0" role="group" aria-label="Usage by day">
        ${writeTable([head('Day'), head('Requests', 'number'), head('Records', 'number'), head('Refused', 'number')], [])}
      </div>
      <p class="actions">
        <button type="button" class="button plain" name="rotate">Replace it</button>
        <button type="button" class="button plain" name="delete">Delete it</button>
      </p>
      <p class="small">
        A replaced key works for another 24 hours and shares its limits with the new one. Deleting either key revokes
        both at once, and deletes your name and address.
      </p>
    </div>
  </section>`;
}
