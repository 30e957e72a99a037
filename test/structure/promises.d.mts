import type { ESLint } from 'eslint';

export const promisesPlugin: ESLint.Plugin;
