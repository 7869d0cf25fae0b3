import js from '@eslint/js';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

/** docs/style.md: Prettier formats the code. Do not crowd statements together to save lines. */
const packedCode = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the members of the object; do not spread a literal.',
  },
  {
    selector: ':matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression',
    message: 'Write the elements; do not spread a literal.',
  },
  {
    selector: 'SpreadElement > TSAsExpression > ArrayExpression',
    message: 'Write the elements; do not spread a literal.',
  },
  {
    selector: 'VariableDeclarator[id.type="ArrayPattern"][init.type="ArrayExpression"]',
    message: 'Write one declaration for each variable.',
  },
  {
    selector:
      'AssignmentExpression:not(ExpressionStatement > AssignmentExpression, ForStatement > AssignmentExpression.update, ForStatement > AssignmentExpression.init, ForStatement > SequenceExpression > AssignmentExpression)',
    message: 'Write the assignment as a statement of its own.',
  },
  {
    selector:
      'UpdateExpression:not(ExpressionStatement > UpdateExpression, ForStatement > UpdateExpression.update, ForStatement > SequenceExpression > UpdateExpression)',
    message: 'Write the increment as a statement of its own.',
  },
  {
    selector: 'Program > :not(ImportDeclaration) ~ ImportDeclaration',
    message: 'Move imports to the top of the file.',
  },
];

/** Caches, clocks and counters are passed in; modules hold no state. */
const moduleState = ['Program > ', 'Program > ExportNamedDeclaration > '].flatMap((parent) =>
  [
    `${parent}VariableDeclaration[kind="let"]`,
    `${parent}VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]`,
  ].map((selector) => ({ selector, message: 'Pass state in; modules hold none.' })),
);

const browserGlobals = [
  'addEventListener',
  'document',
  'fetch',
  'FormData',
  'history',
  'location',
  'matchMedia',
  'navigator',
  'open',
  'sessionStorage',
  'setTimeout',
  'URL',
  'URLSearchParams',
];

const nodeGlobals = ['Buffer', 'console', 'fetch', 'process', 'URL'];

function readonlyGlobals(names) {
  return Object.fromEntries(names.map((name) => [name, 'readonly']));
}

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '.data/', 'node_modules/', 'clients/python/', 'clients/r/'] },
  js.configs.recommended,
  {
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      'no-nested-ternary': 'error',
      'no-duplicate-imports': ['error', { includeExports: false, allowSeparateTypeImports: false }],
      'no-restricted-syntax': ['error', ...packedCode],
      'one-var': ['error', { initialized: 'never' }],
      'simple-import-sort/imports': [
        'error',
        {
          // Imports are ordered: Node's modules, packages, then our own modules from distant to near folders, without
          // blank lines between.
          groups: [['^node:', '^@?\\w', '^\\.\\./', '^\\./']],
        },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'off',
      'max-lines': ['error', { max: 500 }],
    },
  },
  {
    // Rules of docs/architecture.md that a linter can check, for the service and the explorer.
    files: ['{functions,shared,data-loaders,host,tools,explorer}/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 50 }],
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      'no-restricted-syntax': ['error', ...packedCode, ...moduleState],
    },
  },
  {
    // These files contain describe() and test(), like those in tests/.
    files: ['tools/store-contract/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // The explorer is a separate program that runs in browsers.
    files: ['explorer/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: './explorer/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      // React ignores the return values of event handlers.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // Tests parse answers as JSON and check their shape.
    files: ['tests/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // Client programs that users copy, the build, and the check of infra/.
    files: ['clients/*.mjs', 'docs/examples/*.mjs', 'infra/*.mjs', 'tools/**/*.mjs', 'tests/*.mjs'],
    languageOptions: { globals: readonlyGlobals(nodeGlobals) },
  },
  {
    files: ['shared/http/pages/files/*.{js,mjs}'],
    languageOptions: { globals: readonlyGlobals(browserGlobals) },
  },
  {
    files: ['*.js', '*.cjs', 'tests/**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', require: 'readonly' } },
  },
);
