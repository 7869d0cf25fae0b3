// Starts Swagger UI on our OpenAPI document, with the key of this tab.

import { keepKey, onNewKey, readKey } from './tab-key.mjs';

/* global MutationObserver, SwaggerUIBundle */

/** Swagger UI takes seconds to draw a page of the default size. */
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
  // The validator would send the document to a service of its maker.
  validatorUrl: null,
  plugins: [limitExampleRecords, keepTypedKey, removeBarriers],
  layout: 'OurLayout',
  onComplete: () => useKey(key),
  requestInterceptor: (request) => {
    // With this header, a 401 does not make the browser ask for a user name. The command line on the page does not need
    // it.
    request.headers['X-Requested-With'] = 'docs';
    return request;
  },
  showMutatedRequest: false,
});
onNewKey(useKey);

/**
 * Fills in the number of records and the path parameters. The reader chooses the other parameters: all examples
 * together would find nothing.
 */
function limitExampleRecords() {
  const specActions = {
    updateJsonSpec: (original) => (document) => {
      const own = Object.values(document.paths ?? {}).flatMap(({ get }) => get?.parameters ?? []);
      const common = Object.values(document.components?.parameters ?? {});
      for (const parameter of [...own, ...common]) {
        if (parameter.in !== 'path') delete parameter.example;
        if (parameter.name === 'RecordCount') parameter.example = RECORDS_TO_TRY;
      }
      return original(document);
    },
  };
  return { statePlugins: { spec: { wrapActions: specActions } } };
}

/**
 * Fixes accessibility problems in the layout of Swagger UI: a second main part inside ours, a skipped heading level,
 * and links inside buttons. Omits the list of servers, because there is only one.
 */
function removeBarriers({ React: { createElement } }) {
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

/** Adds missing names and focus, and corrects heading levels: attributes by selector. */
const CORRECTIONS = [
  ['.examples-select-element', () => ({ 'aria-label': 'Example' })],
  ['.microlight, .curl', () => ({ tabindex: '0' })],
  ['.close-modal', () => ({ 'aria-label': 'Close' })],
  ['.modal-ux h3', () => ({ 'aria-level': '2' })],
  ['.modal-ux h4', () => ({ 'aria-level': '3' })],
  ['.modal-ux h6', () => ({ 'aria-level': '4' })],
  // An accessible name includes the visible text, so that it can be spoken to a voice control.
  ['.modal-ux button[type="submit"]', () => ({ 'aria-label': 'Authorize: apply credentials' })],
  ['.modal-ux [aria-label="Remove authorization"]', () => ({ 'aria-label': 'Logout: remove authorization' })],
  [
    '[data-param-name] :is(select, input, textarea)',
    (field) => ({ 'aria-label': field.closest('[data-param-name]').dataset.paramName }),
  ],
];

function correct() {
  for (const [selector, getAttributes] of CORRECTIONS) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(getAttributes(element))) element.setAttribute(name, value);
    }
  }
}
new MutationObserver(correct).observe(document.querySelector('#operations'), { childList: true, subtree: true });

/** Keeps a typed key for this tab. */
function keepTypedKey() {
  const authorize = (original) => (payload) => {
    const { value } = payload[SCHEME] ?? {};
    if (typeof value === 'string') keepKey(value.trim());
    return original(payload);
  };
  return { statePlugins: { auth: { wrapActions: { authorize } } } };
}
