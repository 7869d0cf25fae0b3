// What the requests must know of the data that the service has.

import { SITE_AMOUNTS, USE_AND_TYPE, type DataShape } from './benchmark-requests';
import { HttpClient, type MeasuredServer } from './http-client';

export async function askShape(service: MeasuredServer, records: number, rights: number): Promise<DataShape> {
  const client = new HttpClient(service);
  try {
    const first = await client.ask({ method: 'GET', path: SITE_AMOUNTS, headers: {} });
    const useAndType = await askTotal(client, USE_AND_TYPE);
    return { records, rights, useAndType, entityTag: first.headers.etag };
  } finally {
    client.close();
  }
}

/** How many site amounts the filter matches. */
export async function askTotal(client: HttpClient, filter: string): Promise<number> {
  const path = `${SITE_AMOUNTS}${filter}&RecordCount=1`;
  const { body } = await client.ask({ method: 'GET', path, headers: {} });
  const envelope = JSON.parse(body.toString()) as { TotalSiteVariableAmountsCount: number }; // By the specification.
  return envelope.TotalSiteVariableAmountsCount;
}
