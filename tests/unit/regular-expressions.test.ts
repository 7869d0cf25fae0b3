// No regular expression of the program takes more than linear time, because the sender of a request or a submission
// chooses the text that it works on: the expressions of the program, and a search for texts on which one of them takes
// longer.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { findProjectDirectory } from '../../shared/project-files';

interface FoundExpression {
  readonly file: string;
  readonly expression: RegExp;
}

/** Literals, as they stand in the sources. */
function literalsBelow(folder: string): readonly FoundExpression[] {
  const files = readdirSync(join(findProjectDirectory(), folder), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.ts')).flatMap((name) => literalsOf(join(folder, name)));
}

function literalsOf(file: string): readonly FoundExpression[] {
  const text = readFileSync(join(findProjectDirectory(), file), 'utf8');
  const found: FoundExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, expression: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

/** The expressions that our own files make with `new RegExp` while `load` runs. */
function madeWhile(load: () => void): readonly FoundExpression[] {
  const found: FoundExpression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args, self) => {
      const expression = Reflect.construct(target, args, self) as RegExp;
      const [, file] =
        /\/((?:shared|functions|data-loaders)\/[^:]*\.ts):/.exec(new Error().stack?.split('\n')[2] ?? '') ?? [];
      if (file !== undefined) found.push({ file, expression });
      return expression;
    },
  });
  try {
    load();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

/** A linear expression takes a fraction of a millisecond for so long a text, a quadratic one a second or more. */
const ATTACK_LENGTH = 30_000;
const PATIENCE_MS = 150;
/** A busy machine may suspend a thread for that long once, but hardly three times. */
const TRIES = 3;

/** Without a repetition that has no end, the work on each position of a text is bounded. */
function hasOpenRepetition({ source }: RegExp): boolean {
  return /[*+]|\{\d+,\}/.test(source.replaceAll(/\\.|\[[^\]]*\]/g, ''));
}

/** The beginning of a text that takes far too long; undefined when none was found. */
function findSlowText(expression: RegExp): string | undefined {
  const sandbox: { texts: readonly string[] } = { texts: [] };
  const context = vm.createContext({ expression, sandbox });
  const script = new vm.Script(
    'for (const text of sandbox.texts) { expression.lastIndex = 0; expression.test(text); }',
  );
  const isSlow = (texts: readonly string[], tries: number): boolean => {
    sandbox.texts = texts;
    for (let attempt = 0; attempt < tries; attempt++) {
      try {
        script.runInContext(context, { timeout: PATIENCE_MS });
        return false;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      }
    }
    return true;
  };
  // Each watch over the time costs as much as many texts, so all are tried together first.
  const attacks = attacksOn(expression);
  return isSlow(attacks, 1) ? attacks.find((text) => isSlow([text], TRIES))?.slice(0, 40) : undefined;
}

/** Texts that match but for their end, with a part of them repeated over and over. */
function attacksOn(expression: RegExp): readonly string[] {
  const attacks = new Set<string>();
  for (const text of matchingTexts(expression)) {
    for (let start = 0; start < text.length; start++) {
      for (let length = 1; length <= 3 && start + length <= text.length; length++) {
        const part = text.slice(start, start + length);
        const attack = text.slice(0, start) + part.repeat(ATTACK_LENGTH / length);
        attacks.add(`${attack}\u0001`).add(`${attack}${text.slice(start + length)}\u0001`);
      }
    }
  }
  return [...attacks];
}

/** Long enough for every part of an expression to be met more than once. */
const MOST_CHARACTERS = 12;
const TEXTS = 2;

function matchingTexts({ source, flags }: RegExp): readonly string[] {
  // Look-around only narrows what matches, and fast-check does not know it.
  const known = withFewCharacters(source.replaceAll(/\(\?[=!][^()]*\)/g, ''));
  const plain = new RegExp(known, flags.replaceAll(/[giy]/g, ''));
  const texts = fc.sample(fc.stringMatching(plain, { size: 'small' }), { seed: 8, numRuns: 100 });
  const short = texts.map((text) => (text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text));
  return [...new Set(short)].sort((a, b) => b.length - a.length).slice(0, TEXTS);
}

/** The first characters of each property of Unicode stand for all: fast-check would look at a million for each. */
function withFewCharacters(source: string): string {
  return source.replaceAll(/\\p\{\w+\}/g, (property, at: number) => {
    const isOne = new RegExp(property, 'u');
    const codes = Array.from({ length: 0x3000 }, (_, code) => code).filter((code) =>
      isOne.test(String.fromCodePoint(code)),
    );
    const few = codes.slice(0, 100).map((code) => `\\u{${code.toString(16)}}`);
    const isInClass = /\[[^\]]*$/.test(source.slice(0, at));
    return isInClass ? few.join('') : `[${few.join('')}]`;
  });
}

const found = [
  ...['shared', 'functions', 'data-loaders'].flatMap(literalsBelow),
  ...madeWhile(() => {
    jest.isolateModules(() => {
      jest.requireActual('../../functions/main');
      // What functions load with the first request.
      jest.requireActual('../../shared/http/ogc/ogc-routes');
      jest.requireActual('../../shared/http/ogc/tiles');
      jest.requireActual('../../data-loaders/intake/timers');
    });
  }),
];

const named = found
  .filter(({ expression }) => hasOpenRepetition(expression))
  .map(({ file, expression }) => [String(expression), file, expression] as const);

test('the search finds expressions that are made with RegExp, too', () => {
  expect(found.map(({ expression }) => String(expression))).toContain('/^\\d{12}$/');
  expect(named.filter(([, file]) => file.endsWith('/values/wkt.ts')).length).toBeGreaterThan(2);
  expect(named.length).toBeGreaterThan(30);
});

test.each([/(a|a)*b/, /\s+$/, /,\s*\s*x/])('the search finds out that %s is slow', (expression) => {
  expect(findSlowText(expression)).toBeDefined();
});

test.each(named)('%s of %s takes a time that is linear in its text', (_, __, expression) => {
  expect(findSlowText(expression)).toBeUndefined();
});
