// Vitest's configuration of web3.js' tests, which were written for Jest. Copied to the root of the checkout.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const url = process.env['FORK_RPC'] ?? '';

export default defineConfig({
  root,
  plugins: [
    {
      name: 'the node of the run',
      enforce: 'pre',
      transform(code, id) {
        const isUtils = /\/(system_tests?_utils)\.ts$/.test(id);
        return isUtils ? code.replaceAll('http://127.0.0.1:8545', url) : undefined;
      },
    },
  ],
  test: {
    include: ['packages/{web3-eth,web3-eth-contract}/test/integration/**/*.test.ts'],
    globals: true,
    restoreMocks: true,
    setupFiles: [join(root, 'forklens.setup.mts')],
    // One file at a time, because the files share the node.
    fileParallelism: false,
    hookTimeout: 15_000,
    testTimeout: 15_000,
    env: { WEB3_SYSTEM_TEST_PROVIDER: url, WEB3_SYSTEM_TEST_BACKEND: 'hardhat' },
  },
});
