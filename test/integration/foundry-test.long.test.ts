import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { checksumAddress } from '../../server/client/checksum-address';
import { foundryTest, testName } from '../../server/client/foundry-test';
import { testedTransaction } from '../../server/client/tested-transaction';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { Analysis } from '../../server/api/views';
import type { Sandbox } from '../../server/chains/sandbox/sandbox';
import { Foundry } from '../support/foundry';
import { call } from '../support/json-rpc';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startTestSandbox } from '../support/sandbox';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ethChain } from './fork-upstream';

const CAROL = `0x${'ca'.repeat(20)}`;
const DAVE = `0x${'da'.repeat(20)}`;

type TestResults = Record<
  string,
  { test_results: Record<string, { status: string; reason: string | null }> }
>;

describe('a Foundry test generated from a transaction', function () {
  this.timeout(240_000);
  let home: string;
  let foundry: Foundry;
  let mainnet: MainnetUpstream;
  let sandbox: Sandbox;
  let service: TestService;

  before(async () => {
    home = await makeTemporaryDirectory();
    mainnet = await MainnetUpstream.start();
    sandbox = await startTestSandbox();
    const chain = { ...sandbox.chain, slug: 'story' };
    const config = {
      chains: [ethChain(mainnet.url), chain],
      prices: { source: 'none' },
    };
    service = await startService({ config });
  });
  after(async () => {
    await service.stop();
    await sandbox.stop();
    await mainnet.close();
    await removeDirectory(home);
  });

  /** Creates a project without the fixture's contracts, which these tests do not need to compile. */
  async function newProject(): Promise<void> {
    await removeDirectory(join(home, 'project'));
    foundry = await Foundry.open(home);
    for (const folder of ['src', 'script', 'test']) {
      await removeDirectory(join(foundry.project, folder));
    }
    await mkdir(join(foundry.project, 'test'));
  }

  /** Writes the tests of transactions into the project. @returns the texts */
  const write = (chain: string, hashes: readonly string[]): Promise<string[]> =>
    Promise.all(
      hashes.map(async (hash) => {
        const path = `/v1/explorer/${chain}/transaction/${hash}/analysis`;
        const { data, message } = await service.request<Analysis>('GET', path);
        assert.ok(data, message);
        const transaction = testedTransaction(data);
        const text = foundryTest(transaction, checksumAddress);
        await writeFile(join(foundry.project, 'test', `${testName(transaction)}.t.sol`), text);
        return text;
      }),
    );

  /** Results by the name of the contract; null for a test that passes. */
  const run = async (url: string): Promise<Record<string, string | null>> => {
    const pattern = ['--match-contract', '^Transaction0x'];
    foundry.env['ETH_RPC_URL'] = url;
    const text = await foundry.forge('test', ...pattern, '--json', '--allow-failure');
    const outcomes: Record<string, string | null> = {};
    for (const [file, { test_results: results }] of Object.entries(
      JSON.parse(text) as TestResults,
    )) {
      for (const [test, { status, reason }] of Object.entries(results)) {
        const name = `${file.replace(/^.*:/, '')}.${test}`;
        outcomes[name] = status === 'Success' ? null : (reason ?? status);
      }
    }
    return outcomes;
  };

  beforeEach(newProject);

  it('passes for every transaction of a block like those of mainnet', async () => {
    const block = (await mainnet.rpc.request('eth_getBlockByNumber', [
      `0x${mainnet.busy.toString(16)}`,
      false,
    ])) as { transactions: string[] };
    await write('eth', block.transactions);
    const outcomes = await run(mainnet.url);
    assert.equal(Object.keys(outcomes).length, block.transactions.length);
    assert.deepEqual(
      Object.entries(outcomes).filter(([, reason]) => reason !== null),
      [],
    );
  });

  it('passes for tokens, reverts and creations of the built-in story', async () => {
    const names = [
      'send-ether',
      'unwrap-ether',
      'transfer-6-decimals',
      'transfer-with-fee',
      'swap-two-hops',
      'nft-mint',
      'nft-transfer',
      'erc1155-mint-batch',
      'create-contract',
      'self-destruct',
      'error-string',
      'custom-error-three-deep',
      'panic-overflow',
      'out-of-gas',
      'create-fails',
      'exploit-reentrancy',
      'eip7702-batch',
    ];
    const hashes = names.map(sandboxHash);
    const texts = await write('story', hashes);
    const outcomes = await run(sandbox.chain.rpcUrls[0] as string);
    assert.equal(Object.keys(outcomes).length, hashes.length);
    assert.deepEqual(
      Object.entries(outcomes).filter(([, reason]) => reason !== null),
      [],
    );
    for (const kind of ['Native', 'ERC20', 'ERC721', 'ERC1155']) {
      assert.ok(
        texts.some((text) => text.includes(`Change(Kind.${kind}, `)),
        `no balance of ${kind} is asserted`,
      );
    }
    assert.ok(texts.some((text) => text.includes('vm.expectRevert(hex"')));
  });

  it('passes for a transaction made on a fork, and fails if the balances differ', async () => {
    const { data: projects } = await service.request<Project[]>('GET', '/v1/projects');
    const body = { chainId: 1, name: 'tested', height: `0x${mainnet.busy.toString(16)}` };
    const path = `/v1/project/${projects[0]!.projectId}/fork`;
    const fork = (await service.request<Fork>('POST', path, { body })).data;
    await call(fork.rpc, 'anvil_setBalance', CAROL, '0xde0b6b3a7640000');
    const transfer = { from: CAROL, to: DAVE, value: '0x7b' };
    const hash = await call(fork.rpc, 'eth_sendTransaction', transfer);
    const [text = ''] = await write(fork.forkId, [hash]);
    assert.ok(!text.includes(fork.rpc) && !text.includes('http'), 'it contains no address');
    const name = `Transaction${hash.slice(0, 10)}`;
    const test = `${name}Test.test_succeeds()`;
    assert.deepEqual(await run(fork.rpc), { [test]: null });

    const file = join(foundry.project, 'test', `${name}.t.sol`);
    await writeFile(file, text.replaceAll(', 123, ', ', 124, '));
    const outcomes = await run(fork.rpc);
    assert.match(outcomes[test] ?? '', /unexpected balance change: 0x(da)+ ETH/);
  });

  it("writes addresses in Solidity's notation", () => {
    for (const address of [CAROL, DAVE, `0x${'0123456789abcdef'.repeat(3).slice(0, 40)}`]) {
      assert.equal(checksumAddress(address), getAddress(address));
    }
  });
});
