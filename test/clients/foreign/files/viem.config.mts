// Vitest's configuration of viem, with the node of the run as its only chain. Copied to the root of the checkout.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const url = process.env['FORK_RPC'] ?? '';
/** Address of all other chains, where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

/** The run starts the nodes, not the suite. */
const ADDRESSES: readonly [string, string][] = [
  ['`http://127.0.0.1:${port}/${poolId}`', JSON.stringify(url)],
  ['`ws://127.0.0.1:${port}/${poolId}`', JSON.stringify(url.replace('http', 'ws'))],
  ['${rpcUrl.http}/restart', `${url}/next`],
];

export default defineConfig({
  root,
  plugins: [
    {
      name: 'the node of the run',
      enforce: 'pre',
      transform(code, id) {
        if (!id.endsWith('/test/src/anvil.ts')) return undefined;
        return ADDRESSES.reduce((text, [theirs, ours]) => {
          if (!text.includes(theirs)) throw new Error(`${id} does not have ${theirs}`);
          return text.replace(theirs, ours);
        }, code);
      },
    },
  ],
  test: {
    alias: [
      { find: '~contracts', replacement: join(root, 'contracts') },
      { find: '~test', replacement: join(root, 'test/src') },
      { find: /^viem$/, replacement: join(root, 'src/index.ts') },
      { find: /^viem\/(.*)/, replacement: join(root, 'src/$1') },
    ],
    include: ['src/actions/{test,public,wallet}/*.test.ts'],
    setupFiles: [join(root, 'forklens.setup.mts'), join(root, 'test/setup.ts')],
    // One file at a time, because the files share the node. One process, because each load of viem takes a second.
    fileParallelism: false,
    isolate: false,
    pool: 'threads',
    // viem's own value is 3. A test that timed out can still mine while the next one runs.
    retry: 1,
    hookTimeout: 10_000,
    testTimeout: 10_000,
    env: {
      VITE_ANVIL_FORK_URL: url,
      VITE_ANVIL_FORK_URL_SEPOLIA: NOWHERE,
      VITE_ANVIL_FORK_URL_OPTIMISM: NOWHERE,
      VITE_ANVIL_FORK_URL_ZKSYNC: NOWHERE,
    },
  },
});
