// Which form a client of the OGC API wants: JSON, unless it names HTML before it, as browsers do.

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { form, formWithJsonLd, type FeatureForm, type ItemForm, type ItemParameter } from '../../query/cql2/item-parameters';
import { JSON_LD_TYPE } from '../../render/json-ld';
import { accessKey } from '../../query/parameter';
import { QueryValues, splitQuery, type ParameterError } from '../../query/query-values';
import { readPreferences } from '../outcome/negotiation';
import type { AskedRequest } from '../service';

const JSON_NAMES: readonly string[] = ['application/json', 'application/geo+json'];

export function negotiateForm(accept: string | null): ItemForm {
  const preferences = readPreferences(accept ?? '').filter(({ weight }) => weight > 0);
  const wanted = preferences.filter(({ name }) => name === 'text/html' || JSON_NAMES.includes(name));
  const [best] = wanted.toSorted((a, b) => b.weight - a.weight);
  return best?.name === 'text/html' ? 'html' : 'json';
}

type ReadForm =
  { readonly ok: true; readonly form: ItemForm } | { readonly ok: false; readonly errors: readonly ParameterError[] };

const names = [form.name, accessKey.name];
const spelledBy = new Map(names.map((name) => [name, name]));

/** The only parameter of what describes the data; a key is not needed there, and may stand there. */
export function readForm(query: string, accept: string | null): ReadForm {
  const values = new QueryValues({ spelledBy, spellings: names }, splitQuery(query), { slashDateOrder: 'MDY' });
  const named = values.readOne(form);
  if (values.errors.length > 0) return { ok: false, errors: values.errors };
  return { ok: true, form: named ?? negotiateForm(accept) };
}

export function formParameter(collection: FeatureCollection): ItemParameter<FeatureForm> {
  return hasOwnPage(collection) ? formWithJsonLd : form;
}

export function wantedForm({ headers }: AskedRequest, collection: FeatureCollection): FeatureForm {
  const accept = headers.get('accept');
  const isJsonLd = readPreferences(accept ?? '').some(({ name, weight }) => name === JSON_LD_TYPE && weight > 0);
  return isJsonLd && hasOwnPage(collection) ? 'jsonld' : negotiateForm(accept);
}

/** Whether its features are sites, units or rights, which have pages with charts and JSON-LD; amounts have neither. */
export function hasOwnPage({ featureKind }: FeatureCollection): boolean {
  return featureKind !== 'SiteVariableAmounts' && featureKind !== 'AggregatedAmounts';
}
