import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Comments are sentences of at most 120 columns; one that begins with "Of" hides its subject. */
const plainComments = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const text = comment.value.replace(/^[*\s]+/, '');
        if (/^(Of|What is|That) /.test(text)) {
          context.report({ loc: comment.loc, message: `Name the subject first: "${text.slice(0, 40)}".` });
        }
        const lines = context.sourceCode.lines.slice(comment.loc.start.line - 1, comment.loc.end.line);
        const long = lines.find((line) => line.length > 120 && !line.includes('://'));
        if (long !== undefined)
          context.report({ loc: comment.loc, message: 'A line of the comment is over 120 columns.' });
      }
    },
  }),
};

/** Caches, clocks and counters are passed in; nothing that changes lives as long as the module. */
const moduleState = ['Program > ', 'Program > ExportNamedDeclaration > '].flatMap((place) => [
  `${place}VariableDeclaration[kind="let"]`,
  `${place}VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]`,
]);

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '.data/', 'node_modules/', 'clients/python/', 'clients/r/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { project: { rules: { 'plain-comments': plainComments } } },
    rules: {
      'project/plain-comments': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // The rules of docs/architecture.md that a linter can hold, for the product itself.
    files: ['{functions,shared,data-loaders,host,tools,explorer}/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 50 }],
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      'no-restricted-syntax': [
        'error',
        ...moduleState.map((selector) => ({ selector, message: 'State is passed in, not kept by a module.' })),
      ],
    },
  },
  {
    // The explorer is a program of its own, for browsers.
    files: ['explorer/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: './explorer/tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Handlers of events return nothing that anybody reads.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // Tests read answers as JSON, whose shape is what the test is about.
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
    // Client programs that users copy, and the check of infra/.
    files: ['clients/*.mjs', 'docs/examples/*.mjs', 'infra/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(['console', 'fetch', 'process', 'URL'].map((name) => [name, 'readonly'])),
    },
  },
  {
    // They run in browsers.
    files: ['shared/http/pages/files/*.{js,mjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...[
            'addEventListener',
            'document',
            'fetch',
            'history',
            'location',
            'matchMedia',
            'navigator',
            'open',
            'sessionStorage',
          ],
          ...['setTimeout', 'FormData', 'URL', 'URLSearchParams'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['*.js', '*.cjs', 'tests/*.js'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', require: 'readonly' } },
  },
);
