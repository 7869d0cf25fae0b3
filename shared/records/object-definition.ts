// Declares the objects of answers: their members in the order of the answer, each with its JSON schema and, through the
// phantom `value`, its TypeScript type. Types, writers and the published schema are all derived from the declaration.

export interface Member<Value> {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Never set. It only carries the type. */
  readonly value?: Value;
}

export type Members = Readonly<Record<string, Member<unknown>>>;

export type MemberValue<M> = M extends Member<infer Value> ? Value : never;

export type ObjectValue<M extends Members> = { readonly [Name in keyof M]: MemberValue<M[Name]> };

/** Text, or null when unknown (D21). */
export const text: Member<string | null> = { schema: { type: ['string', 'null'] } };

/** Text that is never missing, such as an identifier. */
export const requiredText: Member<string> = { schema: { type: 'string' } };

export const number: Member<number | null> = { schema: { type: ['number', 'null'] } };

export const requiredNumber: Member<number> = { schema: { type: 'number' } };

/** A number of items. */
export const requiredCount: Member<number> = { schema: { type: 'integer', minimum: 0 } };

export const count: Member<number | null> = { schema: { type: ['integer', 'null'], minimum: 0 } };

export const boolean: Member<boolean | null> = { schema: { type: ['boolean', 'null'] } };

export const requiredBoolean: Member<boolean> = { schema: { type: 'boolean' } };

/** `YYYY-MM-DD` (D28). */
export const date: Member<string | null> = { schema: { type: ['string', 'null'], format: 'date' } };

/** A date as a timestamp without a zone, always midnight (D28). */
export const timestamp: Member<string | null> = {
  schema: { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}T00:00:00$' },
};

/** A moment as ISO 8601 in UTC, such as `2026-01-02T03:04:05.000Z`. */
export const requiredMoment: Member<string> = { schema: { type: 'string', format: 'date-time' } };

export const moment: Member<string | null> = { schema: { type: ['string', 'null'], format: 'date-time' } };

/** Returns the member with a description for documentation, which includes the unit if there is one. */
export function withDescription<Value>(member: Member<Value>, description: string): Member<Value> {
  return { schema: { ...member.schema, description } };
}

export function listMember<Value>(item: Member<Value>): Member<readonly Value[]> {
  return { schema: { type: 'array', items: item.schema } };
}

export function objectMember<M extends Members>(members: M): Member<ObjectValue<M>> {
  const properties = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.schema]));
  return {
    schema: { type: 'object', properties, required: Object.keys(members), additionalProperties: false },
  };
}

/** Writes a value as JSON with its members in the declared order. */
export type ObjectWriter<M extends Members> = (value: ObjectValue<M>) => string;

export function createObjectWriter<M extends Members>(members: M): ObjectWriter<M> {
  const names: readonly (keyof M & string)[] = Object.keys(members);
  return (value) => `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value[name])}`).join()}}`;
}
