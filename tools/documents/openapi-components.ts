// Headers, parameters and answers that many operations have are written once in the OpenAPI document, as components:
// it is a third as long, and the page that shows it opens sooner.

import { STATUS_CODES } from 'node:http';

interface Answer {
  readonly headers?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The paths with references to the components that are made of their common parts. */
export function withComponents(paths: Readonly<Record<string, object>>): Record<'paths' | 'components', object> {
  // What openapi-paths.ts and openapi-keys.ts make has this form.
  const items = paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  const operations = Object.values(items).flatMap((item) => Object.values(item));
  const answers = operations.flatMap(({ responses }) => Object.entries(responses));
  const headers = commonParts(
    'headers',
    answers.flatMap(([, answer]) => Object.entries(answer.headers ?? {})),
  );
  const parameters = commonParts(
    'parameters',
    operations.flatMap((operation) => (operation.parameters ?? []).map((parameter) => [parameter.name, parameter])),
  );
  const withHeaders = (answer: Answer): Answer =>
    answer.headers === undefined ? answer : { ...answer, headers: mapped(answer.headers, headers.refer) };
  const responses = commonParts(
    'responses',
    answers.map(([status, answer]) => [(STATUS_CODES[status] ?? status).replaceAll(' ', ''), withHeaders(answer)]),
  );
  const withReferences = (operation: Operation): object => ({
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map(parameters.refer) }),
    responses: mapped(operation.responses, (answer) => responses.refer(withHeaders(answer))),
  });
  return {
    paths: mapped(items, (item) => mapped(item, withReferences)),
    components: { parameters: parameters.components, headers: headers.components, responses: responses.components },
  };
}

/** Those that stand more than once to the letter, by name, and a number where another part has the name. */
function commonParts(
  kind: string,
  parts: readonly (readonly [name: string, part: object])[],
): { readonly components: Readonly<Record<string, object>>; readonly refer: (part: object) => object } {
  const seen = new Set<string>();
  const components: Record<string, object> = {};
  const references = new Map<string, object>();
  for (const [name, part] of parts) {
    const text = JSON.stringify(part);
    if (!seen.has(text)) seen.add(text);
    else if (!references.has(text)) {
      let free = name;
      for (let number = 2; free in components; number++) free = `${name}-${number}`;
      components[free] = part;
      references.set(text, { $ref: `#/components/${kind}/${free}` });
    }
  }
  return { components, refer: (part) => references.get(JSON.stringify(part)) ?? part };
}

function mapped<T, R>(members: Readonly<Record<string, T>>, change: (member: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
