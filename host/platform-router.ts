// The rule by which the Azure Functions host finds the function for a request. The local host, the tests and the
// stand-in for the platform's worker use the same rule (ADR 0148).

/** The properties of a function that the rule uses. */
export interface RoutedFunction {
  readonly name: string;
  /** A route template without a leading slash: literal segments, `{name}`, and `{*path}` as its last segment. */
  readonly route: string;
  /** Names of methods in upper case. Undefined if the function accepts all methods. */
  readonly methods?: readonly string[] | undefined;
}

interface MatchableFunction<Declared> {
  readonly declared: Declared;
  readonly segments: readonly TemplateSegment[];
}

type TemplateSegment = { readonly kind: 'literal'; readonly text: string } | { readonly kind: 'any' | 'catch-all' };

/**
 * Returns a lookup that takes a method and a path with a leading slash, and returns the matching function. It returns
 * undefined if none matches; the platform then answers 404 without calling the app.
 *
 * - Functions are sorted by name, ordinal and ignoring case (azure-functions-host,
 *   `FunctionMetadataManager.LoadFunctionMetadata`), and mapped in that order
 *   (`WebScriptHostHttpRoutesManager.InitializeHttpFunctionRoutes`).
 * - The first route whose template and methods match wins (webjobs-sdk-extensions, `WebJobsRouter`, a
 *   `RouteCollection`). A more specific template has no precedence.
 * - Templates are matched as in ASP.NET Core (`RoutePatternMatcher.TryMatch`), ignoring case and one trailing slash. A
 *   catch-all also matches an empty rest, so `v1/Sites/{*path}` matches `/v1/Sites`. A path with an empty segment
 *   before or at the beginning of a catch-all, such as `//v1/Sites`, matches nothing.
 */
export function createPlatformRouter<Declared extends RoutedFunction>(
  functions: readonly Declared[],
): (method: string, path: string) => Declared | undefined {
  const sorted = functions.toSorted((one, other) => compareNames(one.name, other.name));
  const matchable = sorted.map((declared): MatchableFunction<Declared> => ({
    declared,
    segments: parseTemplate(declared.route),
  }));
  return (method, path) => {
    const pathSegments = splitPath(path);
    const match = matchable.find(
      ({ declared, segments }) => matchesTemplate(segments, pathSegments) && hasMethod(declared, method),
    );
    return match?.declared;
  };
}

/** .NET's `StringComparer.OrdinalIgnoreCase` compares strings in upper case. */
function compareNames(name: string, otherName: string): number {
  const one = name.toUpperCase();
  const other = otherName.toUpperCase();
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function parseTemplate(route: string): readonly TemplateSegment[] {
  const texts = route === '' ? [] : route.split('/');
  return texts.map((text): TemplateSegment => {
    if (/^\{\*{1,2}\w+\}$/.test(text)) return { kind: 'catch-all' };
    if (/^\{\w+\}$/.test(text)) return { kind: 'any' };
    return { kind: 'literal', text: text.toUpperCase() };
  });
}

/**
 * Returns the decoded segments in upper case. Decodes like Kestrel: `%2F` stays encoded. Ignores one trailing slash.
 */
function splitPath(path: string): readonly string[] {
  const withoutFinalSlash = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  return withoutFinalSlash === '' && path.length <= 1 ? [] : withoutFinalSlash.split('/').map(decodeSegment);
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment.toUpperCase();
  try {
    return decodeURIComponent(segment.replaceAll(/%2F/gi, '%252F')).toUpperCase();
  } catch {
    // No literal segment contains a percent sign.
    return segment.toUpperCase();
  }
}

function matchesTemplate(template: readonly TemplateSegment[], path: readonly string[]): boolean {
  for (const [index, text] of path.entries()) {
    const segment = template[index];
    if (text === '' || segment === undefined) return false;
    if (segment.kind === 'catch-all') return true;
    if (segment.kind === 'literal' && segment.text !== text) return false;
  }
  const next = template[path.length];
  return next === undefined || next.kind === 'catch-all';
}

function hasMethod({ methods }: RoutedFunction, method: string): boolean {
  return methods === undefined || methods.includes(method.toUpperCase());
}
