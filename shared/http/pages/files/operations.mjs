// Starts Swagger UI on our OpenAPI document, with the key of this tab.

import { keepKey, onNewKey, readKey } from './tab-key.mjs';

/* global MutationObserver, SwaggerUIBundle */

/** A page of the default size takes the renderer seconds to draw. */
const RECORDS_TO_TRY = 5;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColors);
followColors();

/** The name of the security scheme in the document. */
const SCHEME = 'KeyInHeader';

const key = readKey();

const useKey = (key) => {
  if (key !== '') ui.preauthorizeApiKey(SCHEME, key);
};

const ui = SwaggerUIBundle({
  domNode: document.querySelector('#operations'),
  url: document.querySelector('#operations').dataset.document,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 4,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  // It would send the document to a service of its maker.
  validatorUrl: null,
  plugins: [fewRecordsToTry, keptKey, withoutBarriers],
  layout: 'OurLayout',
  onComplete: () => useKey(key),
  requestInterceptor: (request) => {
    // A 401 then makes no browser ask for a user name by itself; the command line that is shown does not need it.
    request.headers['X-Requested-With'] = 'docs';
    return request;
  },
  showMutatedRequest: false,
});
onNewKey(useKey);

/** Fills in the number of records, and only that: the other parameters are for who tries to choose. */
function fewRecordsToTry() {
  const specActions = {
    updateJsonSpec: (original) => (document) => {
      const own = Object.values(document.paths ?? {}).flatMap(({ get }) => get?.parameters ?? []);
      const common = Object.values(document.components?.parameters ?? {});
      for (const parameter of [...own, ...common]) {
        if (parameter.name === 'RecordCount') parameter.example = RECORDS_TO_TRY;
      }
      return original(document);
    },
  };
  return { statePlugins: { spec: { wrapActions: specActions } } };
}

/**
 * Mends what keeps people out of the renderer's own page: a second main part inside of ours, a level of headings that is
 * left out, and links inside of buttons. The list of servers goes, since there is one.
 */
function withoutBarriers({ React: { createElement } }) {
  const OurLayout = ({ getComponent, specSelectors }) => {
    const part = (name) => createElement(getComponent(name, true));
    if (specSelectors.loadingStatus() !== 'success') return part('errors');
    const content = [
      part('InfoContainer'),
      part('AuthorizeBtnContainer'),
      createElement('h2', null, 'Operations'),
      part('operations'),
      part('Models'),
    ];
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      createElement('div', { className: 'wrapper' }, ...content),
    );
  };
  return {
    components: { OurLayout },
    wrapComponents: {
      DeepLink:
        () =>
        ({ text }) =>
          createElement('span', null, text),
    },
  };
}

/** What the renderer leaves without a name, without focus or at another level than its place: attributes by selector. */
const MENDED = [
  ['.examples-select-element', () => ({ 'aria-label': 'Example' })],
  ['.microlight, .curl', () => ({ tabindex: '0' })],
  ['.close-modal', () => ({ 'aria-label': 'Close' })],
  ['.modal-ux h3', () => ({ 'aria-level': '2' })],
  ['.modal-ux h4', () => ({ 'aria-level': '3' })],
  ['.modal-ux h6', () => ({ 'aria-level': '4' })],
  // A name has the text that is seen, so that it can be said to the computer.
  ['.modal-ux button[type="submit"]', () => ({ 'aria-label': 'Authorize: apply credentials' })],
  ['.modal-ux [aria-label="Remove authorization"]', () => ({ 'aria-label': 'Logout: remove authorization' })],
  [
    '[data-param-name] :is(select, input, textarea)',
    (field) => ({ 'aria-label': field.closest('[data-param-name]').dataset.paramName }),
  ],
];

function mend() {
  for (const [selector, attributesOf] of MENDED) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributesOf(element))) element.setAttribute(name, value);
    }
  }
}
new MutationObserver(mend).observe(document.querySelector('#operations'), { childList: true, subtree: true });

/** Keeps for this tab what somebody has typed. */
function keptKey() {
  const authorize = (original) => (payload) => {
    const { value } = payload[SCHEME] ?? {};
    if (typeof value === 'string') keepKey(value.trim());
    return original(payload);
  };
  return { statePlugins: { auth: { wrapActions: { authorize } } } };
}
