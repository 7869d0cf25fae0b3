// Starts Swagger UI on our OpenAPI document, with the key of this tab.

import { keepKey, onNewKey, readKey } from './tab-key.mjs';

/* global SwaggerUIBundle */

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
  plugins: [fewRecordsToTry, keptKey],
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
      for (const { get } of Object.values(document.paths ?? {})) {
        const count = get?.parameters?.find(({ name }) => name === 'RecordCount');
        if (count !== undefined) count.example = RECORDS_TO_TRY;
      }
      return original(document);
    },
  };
  return { statePlugins: { spec: { wrapActions: specActions } } };
}

/** Keeps for this tab what somebody has typed. */
function keptKey() {
  const authorize = (original) => (payload) => {
    const { value } = payload[SCHEME] ?? {};
    if (typeof value === 'string') keepKey(value.trim());
    return original(payload);
  };
  return { statePlugins: { auth: { wrapActions: { authorize } } } };
}
