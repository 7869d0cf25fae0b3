// `npm run build`: what is in dist/ is always what the present sources compile to, and the compiler runs only when it
// must. Each test has a small project of its own.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';

const BUILD = join(PROJECT, 'tools', 'build.mjs');
const LONG_AGO = new Date('2001-01-01T00:00:00Z');

const folder = temporaryFolder();
let projects = 0;

/** The smallest of the standard types is read in half the time; it has no console. */
function mainThatImports(file: string): string {
  return `import { word } from './words/${file}';\ndeclare const console: { log(text: string): void };\nconsole.log(word);\n`;
}

class SmallProject {
  readonly folder = join(folder, `project-${++projects}`);

  constructor(built?: string) {
    if (built === undefined) this.writeAll();
    else cpSync(built, this.folder, { recursive: true, verbatimSymlinks: true });
  }

  private writeAll(): void {
    const compilerOptions = {
      ...{ outDir: 'dist', rootDir: '.', module: 'nodenext', skipLibCheck: true, types: [], lib: ['es5'] },
    };
    const incremental = { incremental: true, tsBuildInfoFile: 'dist/.tsbuildinfo', sourceMap: true };
    this.write(
      'tsconfig.build.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...incremental }, include: ['host'] }),
    );
    this.write('tsconfig.json', '{}');
    this.write('package-lock.json', '{}');
    this.write('host/main.ts', mainThatImports('word'));
    this.write('host/words/word.ts', "export const word = 'first';\n");
    mkdirSync(join(this.folder, 'node_modules'));
    this.bringCompiler();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  build(): number | null {
    return spawnSync(process.execPath, [BUILD], { cwd: this.folder }).status;
  }

  /** What the built program prints. */
  said(): string {
    return spawnSync(process.execPath, [this.path('dist/host/main.js')], { encoding: 'utf8' }).stdout.trim();
  }

  /** Whether a build ends well although there is no compiler. */
  isUpToDate(): boolean {
    rmSync(this.path('node_modules/typescript'));
    const code = this.build();
    this.bringCompiler();
    return code === 0;
  }

  private bringCompiler(): void {
    symlinkSync(join(PROJECT, 'node_modules', 'typescript'), this.path('node_modules/typescript'));
  }
}

let template: SmallProject;

beforeAll(() => {
  template = new SmallProject();
  expect(template.build()).toBe(0);
  expect(template.said()).toBe('first');
});

/** A copy, since a compilation takes a second. */
function builtProject(): SmallProject {
  return new SmallProject(template.folder);
}

test('an up-to-date build needs no compiler, also when times of files have changed', () => {
  const project = builtProject();
  expect(project.isUpToDate()).toBe(true);
  utimesSync(project.path('host/words/word.ts'), new Date(), new Date());
  utimesSync(project.path('host/main.ts'), LONG_AGO, LONG_AGO);
  expect(project.isUpToDate()).toBe(true);
});

test('an edited source is compiled, though its length is the same and its time older, as after a checkout', () => {
  const project = builtProject();
  project.write('host/words/word.ts', "export const word = 'other';\n");
  utimesSync(project.path('host/words/word.ts'), LONG_AGO, LONG_AGO);
  expect(project.isUpToDate()).toBe(false);
  expect(project.build()).toBe(0);
  expect(project.said()).toBe('other');
  expect(project.isUpToDate()).toBe(true);
});

test('what came of a deleted source is deleted, and whoever still imports it fails to compile', () => {
  const project = builtProject();
  rmSync(project.path('host/words/word.ts'));
  expect(project.build()).not.toBe(0);
  expect(existsSync(project.path('dist/host/words/word.js'))).toBe(false);
  expect(existsSync(project.path('dist/host/words/word.js.map'))).toBe(false);
  expect(project.build()).not.toBe(0);
});

test('a lost output is made again', () => {
  const project = builtProject();
  rmSync(project.path('dist/host/words/word.js'));
  expect(project.build()).toBe(0);
  expect(project.said()).toBe('first');
});

test('a changed output is made again', () => {
  const project = builtProject();
  project.write('dist/host/words/word.js', "exports.word = 'foreign';\n");
  expect(project.build()).toBe(0);
  expect(project.said()).toBe('first');
});

test.each(['tsconfig.json', 'package-lock.json', 'node_modules/.package-lock.json'])(
  'a change of %s compiles',
  (path) => {
    const project = builtProject();
    project.write(path, '{ "other": true }');
    expect(project.isUpToDate()).toBe(false);
  },
);
