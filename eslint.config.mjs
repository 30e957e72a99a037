// @ts-check
import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** A folder fence: the imports that a folder must not have, and the reason. Each file must match exactly one fence. */
const fence = (regex, message) => ({
  'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
});
const DOMAIN = ['projects', 'forks', 'analysis', 'replay', 'ethereum'].map(
  (room) => `server/${room}/**`,
);
const ADAPTERS = ['anvil', 'trace', 'abi', 'prices', 'tokens', 'store'];

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
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
    },
  },
  {
    files: ['server/api/**'],
    rules: fence(
      '^(?!\\./|zod$)',
      'server/api is the contract: it imports its siblings and zod only.',
    ),
  },
  {
    files: ['server/agents/**'],
    rules: fence(
      '^(?!\\./|\\.\\./(api|client)/|zod$|picocolors|@vscode/l10n$)',
      'server/agents is shared with the editor: it sees the contract and server/client alone.',
    ),
  },
  {
    files: ['server/client/**'],
    rules: fence(
      '^(?!\\./|\\.\\./api/|zod$|viem$|@noble/hashes|@vscode/l10n$|node:crypto$)',
      'server/client is what the editor and the command line share: it sees the contract alone.',
    ),
  },
  {
    files: DOMAIN,
    rules: fence(
      '^(express|lowdb.*|undici|ws|vscode|node:(http|net|child_process|fs).*)$|^(\\.\\./)+(http|rpc|anvil|trace|abi|prices|tokens|store|cli)/|/(extension|media)/',
      'Domain rooms are pure: take what they need as a port in the constructor.',
    ),
  },
  ...ADAPTERS.map((room) => ({
    files: [`server/${room}/**`],
    rules: fence(
      `^(express|vscode)$|^(\\.\\./)+(http|cli|${ADAPTERS.filter((other) => other !== room).join('|')})/|/(extension|media)/`,
      'Adapters know the domain ports and, downwards, only server/rpc.',
    ),
  })),
  {
    files: ['server/rpc/**', 'server/chains/**'],
    rules: fence(
      `^(express|lowdb.*|vscode)$|^(\\.\\./)+(http|cli|${ADAPTERS.join('|')})/|/(extension|media)/`,
      'server/rpc is at the bottom of the adapters.',
    ),
  },
  {
    files: ['server/**'],
    ignores: [
      'server/api/**',
      'server/agents/**',
      'server/client/**',
      'server/cli/**',
      'server/rpc/**',
      'server/chains/**',
      ...DOMAIN,
      ...ADAPTERS.map((room) => `server/${room}/**`),
    ],
    rules: fence('^vscode$|/(extension|media)/', 'The server never imports the editor side.'),
  },
  {
    files: ['server/cli/**'],
    rules: fence(
      '^vscode$|/extension/|/media/(?!inspector/(analysis-parts|export/|compare/|copy/|fund-flow/|call-tree/tree-model|grammar/segment|protocol))',
      'The command line shares with the inspector what writes and compares analyses, and no more of the editor side.',
    ),
  },
  {
    files: ['media/**'],
    rules: fence(
      '^(vscode|node:.*)$|/extension/|/server/(?!api/)',
      'media sees itself and server/api types.',
    ),
  },
  {
    files: ['extension/**'],
    rules: fence(
      '^(express|lowdb.*)$|/server/(?!(api|agents|client)/)|/media/(?!.*/(protocol|analysis-parts)$)',
      'The extension reaches the server over HTTP, and sees only server/api, server/agents, server/client and the media protocols.',
    ),
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
