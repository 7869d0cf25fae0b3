// Moves repeated headers, parameters and responses of the OpenAPI document to components. This makes the document a
// third as long, and the page that shows it opens faster.

import { STATUS_CODES } from 'node:http';

interface Answer {
  readonly headers?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The paths, with references to components for their repeated parts. */
export function extractComponents(paths: Readonly<Record<string, unknown>>): Record<'paths' | 'components', object> {
  // openapi-paths.ts and openapi-keys.ts return this shape.
  const items = paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const operations = Object.values(items).flatMap((item) => Object.values(item));
  const answers = operations.flatMap(({ responses }) => Object.entries(responses));
  const headers = findCommonParts(
    'headers',
    answers.flatMap(([, answer]) => Object.entries(answer.headers ?? {})),
  );
  const parameters = findCommonParts(
    'parameters',
    operations.flatMap((operation) => (operation.parameters ?? []).map((parameter) => [parameter.name, parameter])),
  );
  const withHeaders = (answer: Answer): Answer =>
    answer.headers === undefined ? answer : { ...answer, headers: mapMembers(answer.headers, headers.toReference) };
  const responses = findCommonParts(
    'responses',
    answers.map(([status, answer]) => [(STATUS_CODES[status] ?? status).replaceAll(' ', ''), withHeaders(answer)]),
  );
  const withReferences = (operation: Operation): object => ({
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map(parameters.toReference) }),
    responses: mapMembers(operation.responses, (answer) => responses.toReference(withHeaders(answer))),
  });
  return {
    paths: mapMembers(items, (item) => mapMembers(item, withReferences)),
    components: { parameters: parameters.components, headers: headers.components, responses: responses.components },
  };
}

/** The parts that occur more than once, keyed by name. If a name is already taken, a number is appended. */
function findCommonParts(
  kind: string,
  parts: readonly (readonly [name: string, part: object])[],
): { readonly components: Readonly<Record<string, object>>; readonly toReference: (part: object) => object } {
  const seen = new Set<string>();
  const components: Record<string, object> = {};
  const references = new Map<string, object>();
  for (const [name, part] of parts) {
    const text = JSON.stringify(part);
    if (!seen.has(text)) seen.add(text);
    else if (!references.has(text)) {
      let freeName = name;
      for (let number = 2; isTaken(freeName, components); number++) freeName = `${name}-${number}`;
      components[freeName] = part;
      references.set(text, { $ref: `#/components/${kind}/${freeName}` });
    }
  }
  return { components, toReference: (part) => references.get(JSON.stringify(part)) ?? part };
}

/**
 * Names that differ only in letter case count as equal, because PowerShell and Windows file systems ignore letter case.
 */
export function isTaken(name: string, members: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(members).some((other) => other.toLowerCase() === name.toLowerCase());
}

function mapMembers<T, R>(members: Readonly<Record<string, T>>, change: (member: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
