// The JSON schema of report.json, as docs/report.schema.json publishes it.

import { reportMember } from '../format/report';

export const reportSchema: object = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Report of one run over a submission',
  ...reportMember.schema,
};
