import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command';
import { replaceIn } from './patch';
import { mochaOutcomes } from './results';
import type { ForeignSuite } from './suite';

const TESTS = ['contract', 'contract-integ', 'providers-errors', 'providers-send'];
/** The first account of the test mnemonic, which every node here has. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Tests of ethers that need a node. Those that read contracts of a public network fail on every node here. */
export const ETHERS: ForeignSuite = {
  name: 'ethers',
  version: '6.16.0',
  repository: 'ethers-io/ethers.js',
  tag: 'v6.16.0',
  folders: ['src.ts'],
  packages: {
    '@adraffy/ens-normalize': '1.10.1',
    '@noble/curves': '1.2.0',
    '@noble/hashes': '1.3.2',
    'aes-js': '4.0.0-beta.5',
    mocha: '11.8.0',
    tslib: '2.7.0',
    tsx: '4.23.15',
    ws: '8.17.1',
  },

  async prepare(folder) {
    // The tests find the root of the package by this folder.
    await mkdir(join(folder, 'output'));
    const node = 'new JsonRpcProvider(process.env.FORK_RPC, undefined, { cacheTimeout: -1 })';
    await replaceIn(join(folder, 'src.ts/_tests/create-provider.ts'), [
      [
        'new HikackEnsProvider("http:/\\/127.0.0.1:8545")',
        'new HikackEnsProvider(process.env.FORK_RPC)',
      ],
      [
        'const ProviderCreators: Array<ProviderCreator> = [',
        `const ProviderCreators: Array<ProviderCreator> = [{ name: "InfuraProvider", networks: ethNetworks, create: () => ${node} }]; const PublicProviders: Array<ProviderCreator> = [`,
      ],
    ]);
  },

  async run(folder, url) {
    const results = join(folder, 'forklens-results.json');
    const mocha = ['node_modules/mocha/bin/mocha.js', '--node-option', 'import=tsx', '--exit'];
    const report = ['--reporter', 'json', '--reporter-option', `output=${results}`];
    const files = TESTS.map((name) => `src.ts/_tests/test-${name}.ts`);
    return mochaOutcomes(results, () =>
      runCommand(process.execPath, [...mocha, ...report, ...files], {
        cwd: folder,
        env: { FORK_RPC: url, FAUCET_PRIVATEKEY: KEY },
        timeout: 10 * 60_000,
      }),
    );
  },

  refusals: [],
};
