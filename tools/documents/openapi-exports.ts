// Exports (D46) as OpenAPI describes them.

import { TOO_MANY_EXPORTS } from '../../shared/http/pipeline/outcome';
import { exportOperations, type ExportOperation } from '../../shared/query/operations';
import { MEDIA_TYPES } from '../../shared/values/media-types';
import { answerHeaders, problemResponses, responsesOf, textHeader, toKeyHolder, without } from './openapi-answers';
import { parameterObject } from './openapi-parameters';

const FILE =
  'It is sent while it is made, with no Content-Length; one that was cut has no end that a reader takes for one.';

const LIMIT =
  'An export has at most so many records as the operator allows, 5,000,000 unless said otherwise; beyond is a 400 that ' +
  'says how many the query finds. Pages are not cut out of an export: it takes neither StartIndex nor RecordCount.';

const DESCRIPTIONS = {
  parquet:
    'Parquet: the columns of the CSV form under the same names, with types, and `Key`, a digest of the key of the record. ' +
    FILE,
  'csv.gz': `The CSV form of all records, compressed with gzip. ${FILE}`,
};

export function exportItems(): Readonly<Record<string, object>> {
  return Object.fromEntries(exportOperations.map((one) => [`/${one.route}`, { get: operationObject(one) }]));
}

function operationObject(operation: ExportOperation): object {
  const { name, summary, parameters, formats } = operation;
  const headers = {
    ...without(answerHeaders, ['X-Record-Count', 'Query-Hint', 'ETag', 'Link']),
    ETag: textHeader('Stands for the records, their order and the form; send it as If-None-Match.'),
    Link: textHeader('With `rel="license"` and `rel="terms-of-service"` the terms of the data.'),
  };
  const saved = { 'Content-Disposition': textHeader('The name under which to save the file.') };
  const content = Object.fromEntries(
    formats.map((format) => [MEDIA_TYPES[format], { schema: { type: 'string', description: DESCRIPTIONS[format] } }]),
  );
  const responses = {
    200: { description: 'Every record that matches.', headers: { ...headers, ...saved }, content },
    304: { description: 'The client holds the same records in this form already.', headers },
    ...problemResponses(operation),
    ...responsesOf([
      toKeyHolder(TOO_MANY_EXPORTS, 'As many exports as may be are being made, or the service is busy.'),
    ]),
  };
  return {
    ...{ operationId: name, tags: ['Water data'], summary, description: LIMIT },
    ...{ parameters: parameters.map(parameterObject), responses },
  };
}
