import type { ForeignSuite } from './suite';
import { prepareVitest, runVitest } from './vitest';

/** The integration tests of web3-eth and web3-eth-contract. Tests with a `done` callback fail on every node: vitest does not support it. */
export const WEB3: ForeignSuite = {
  name: 'web3',
  version: '4.14.0, eth and contract',
  repository: 'web3/web3.js',
  tag: 'v4.14.0',
  folders: ['config', 'packages', 'fixtures', 'scripts', 'tsconfig.base.json'],
  packages: {
    'jest-extended': '4.0.2',
    typescript: '5.9.3',
    vitest: '4.1.8',
    web3: '4.14.0',
    'web3-hardhat-plugin': '1.0.0',
    'web3-providers-ipc': '4.0.7',
  },

  prepare: (folder) => prepareVitest(folder, 'web3'),

  run: runVitest,

  refusals: [
    {
      test: /^integration\/rpc\.test\.ts > rpc methods getPastLogs$/,
      reason:
        '`eth_getLogs` refuses a range that ends beyond the head, as the standard says; the test asks for logs up to block 1,000',
    },
  ],
};
