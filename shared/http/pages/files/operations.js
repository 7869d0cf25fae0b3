// Starts Swagger UI on our OpenAPI document. Nothing is kept in the browser, a key neither.

/* global SwaggerUIBundle */

/** A page of the default size takes the renderer seconds to draw. */
const RECORDS_TO_TRY = 5;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColors);
followColors();

SwaggerUIBundle({
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
  plugins: [fewRecordsToTry],
});

/** Fills in the number of records, and only that: the other parameters are for who tries to choose. */
function fewRecordsToTry() {
  const specActions = {
    updateJsonSpec: (original) => (document) => {
      for (const { get } of Object.values(document.paths ?? {})) {
        const count = get.parameters?.find(({ name }) => name === 'RecordCount');
        if (count !== undefined) count.example = RECORDS_TO_TRY;
      }
      return original(document);
    },
  };
  return { statePlugins: { spec: { wrapActions: specActions } } };
}
