// Every regular expression of the program takes linear time, because the sender of a request or a submission chooses
// its input. The test collects the expressions of the program and searches for slow inputs for each of them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { findProjectDirectory } from '../../shared/project-files';

interface CollectedExpression {
  readonly file: string;
  readonly expression: RegExp;
}

/** The literals in the sources below a folder. */
function collectLiteralsBelow(folder: string): readonly CollectedExpression[] {
  const files = readdirSync(join(findProjectDirectory(), folder), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.ts')).flatMap((name) => collectLiterals(join(folder, name)));
}

function collectLiterals(file: string): readonly CollectedExpression[] {
  const text = readFileSync(join(findProjectDirectory(), file), 'utf8');
  const collected: CollectedExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      collected.push({ file, expression: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return collected;
}

/** The expressions that our own files create with `new RegExp` while `load` runs. */
function collectCreatedWhile(load: () => void): readonly CollectedExpression[] {
  const collected: CollectedExpression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args, self) => {
      const expression = Reflect.construct(target, args, self) as RegExp;
      const [, file] =
        /\/((?:shared|functions|data-loaders)\/[^:]*\.ts):/.exec(new Error().stack?.split('\n')[2] ?? '') ?? [];
      if (file !== undefined) collected.push({ file, expression });
      return expression;
    },
  });
  try {
    load();
  } finally {
    globalThis.RegExp = original;
  }
  return collected;
}

/**
 * A linear expression takes a fraction of a millisecond for a string of this length; a quadratic expression takes a
 * second or more.
 */
const ATTACK_LENGTH = 30_000;
const PATIENCE_MS = 150;
/** A busy machine may suspend a thread for that long once, but hardly three times. */
const TRIES = 3;

/** Whether an expression has an unbounded repetition. Without one, the work at each position of a text is bounded. */
function hasOpenRepetition({ source }: RegExp): boolean {
  return /[*+]|\{\d+,\}/.test(source.replaceAll(/\\.|\[[^\]]*\]/g, ''));
}

/** The beginning of a text that takes far too long; undefined if the search finds no such text. */
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
  // A timeout takes as long as many strings, so all strings are first tried together.
  const attacks = buildAttacks(expression);
  return isSlow(attacks, 1) ? attacks.find((text) => isSlow([text], TRIES))?.slice(0, 40) : undefined;
}

/** Texts that match except for their end, with a part of them repeated many times. */
function buildAttacks(expression: RegExp): readonly string[] {
  const attacks = new Set<string>();
  for (const text of drawMatchingTexts(expression)) {
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

/** Long enough to match every part of an expression more than once. */
const MAX_CHARACTERS = 12;
const TEXT_COUNT = 2;

function drawMatchingTexts({ source, flags }: RegExp): readonly string[] {
  // A lookahead only restricts matches, and fast-check does not support it.
  const supportedSource = shortenProperties(source.replaceAll(/\(\?[=!][^()]*\)/g, ''));
  const plain = new RegExp(supportedSource, flags.replaceAll(/[giy]/g, ''));
  const texts = fc.sample(fc.stringMatching(plain, { size: 'small' }), { seed: 8, numRuns: 100 });
  const short = texts.map((text) => (text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text));
  return [...new Set(short)].sort((a, b) => b.length - a.length).slice(0, TEXT_COUNT);
}

/**
 * Replaces each Unicode property with its first characters, because fast-check would try a million characters for each.
 */
function shortenProperties(source: string): string {
  return source.replaceAll(/\\p\{\w+\}/g, (property, offset: number) => {
    const propertyExpression = new RegExp(property, 'u');
    const codes = Array.from({ length: 0x3000 }, (_, code) => code).filter((code) =>
      propertyExpression.test(String.fromCodePoint(code)),
    );
    const shortList = codes.slice(0, 100).map((code) => `\\u{${code.toString(16)}}`);
    const isInClass = /\[[^\]]*$/.test(source.slice(0, offset));
    return isInClass ? shortList.join('') : `[${shortList.join('')}]`;
  });
}

const collected = [
  ...['shared', 'functions', 'data-loaders'].flatMap(collectLiteralsBelow),
  ...collectCreatedWhile(() => {
    jest.isolateModules(() => {
      jest.requireActual('../../functions/http-functions');
      // Functions load these modules with the first request.
      jest.requireActual('../../shared/http/ogc/ogc-routes');
      jest.requireActual('../../shared/http/ogc/tiles');
      jest.requireActual('../../functions/timer-functions');
    });
  }),
];

const testedExpressions = collected
  .filter(({ expression }) => hasOpenRepetition(expression))
  .map(({ file, expression }) => [String(expression), file, expression] as const);

test('collects literals and expressions that are created with RegExp', () => {
  expect(collected.map(({ expression }) => String(expression))).toContain('/^\\d{12}$/');
  expect(testedExpressions.filter(([, file]) => file.endsWith('/values/wkt.ts')).length).toBeGreaterThan(2);
  expect(testedExpressions.length).toBeGreaterThan(30);
});

test.each([/(a|a)*b/, /\s+$/, /,\s*\s*x/])('finds an input on which %s is slow', (expression) => {
  expect(findSlowText(expression)).toBeDefined();
});

test.each(testedExpressions)('%s in %s takes linear time', (_, __, expression) => {
  expect(findSlowText(expression)).toBeUndefined();
});
