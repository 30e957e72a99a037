// @ts-check
import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { foldersPlugin } from './test/structure/folders.mjs';
import { promisesPlugin } from './test/structure/promises.mjs';

export default defineConfig(
  globalIgnores([
    'dist/',
    'node_modules/',
    'coverage/',
    'test/output/',
    '**/out/',
    '**/artifacts/',
  ]),
  eslint.configs.recommended,
  comments.recommended,
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { console: false, process: false, URL: false, fetch: false } },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      importX.flatConfigs.typescript,
    ],
    plugins: { 'import-x': importX },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.tsx', '.js', '.json'] }),
      ],
      'import-x/core-modules': ['vscode'],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@eslint-community/eslint-comments/require-description': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      // TypeScript checks no excess properties there (TypeScript #56927).
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the members of the literal plainly.',
        },
        // Properties that a constructor's parameters declare have no other form.
        {
          selector:
            ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
          message: 'Name private members with #.',
        },
      ],
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
    },
  },
  {
    files: ['{server,extension,media}/**/*.{ts,tsx,mjs}'],
    plugins: { folders: foldersPlugin },
    rules: {
      'folders/imports': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'AbortSignal',
          property: 'timeout',
          message: 'Node 20 collects it inside AbortSignal.any: use timeoutSignal.',
        },
      ],
      'max-lines-per-function': ['error', { max: 79, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['{server,extension,media}/**/*.{ts,tsx}'],
    plugins: { promises: promisesPlugin },
    rules: { 'promises/handled-at-once': 'error' },
  },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['server/cli/**', 'test/**'], rules: { 'no-console': 'off' } },
  prettier,
);
