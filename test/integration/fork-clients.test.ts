import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Contract, ContractFactory, JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers';
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  parseAbi,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mainnet } from 'viem/chains';
import { Foundry } from '../support/foundry';
import { call, post, type RpcReply } from '../support/json-rpc';
import { useForkAddress } from './fork-suite';
import { ALICE, COUNTER } from './fork-upstream';

const ABI = [
  'function store(uint256 amount)',
  'function amounts(address) view returns (uint256)',
  'error TooMuch(address who, uint256 wanted, uint256 limit)',
  'event Stored(address indexed who, uint256 amount)',
] as const;

const ROOT = join(__dirname, '../..');
const HARDHAT = join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js');
const HARDHAT_CONFIG = join(ROOT, 'test/fixtures/hardhat/hardhat.config.cjs');

describe('clients without support for forks', function () {
  this.timeout(60_000);
  const on = useForkAddress();
  let foundry: Foundry;
  let bytecode: Hex;

  before(async () => {
    foundry = await Foundry.open(on.engines.home);
    await foundry.forge('build');
    const artifact = await readFile(join(foundry.project, 'out/Vault.sol/Vault.json'), 'utf8');
    bytecode = (JSON.parse(artifact) as { bytecode: { object: Hex } }).bytecode.object;
  });

  it('ethers deploys, sends, reads, decodes custom errors and finds logs', async () => {
    // ethers caches an answer for 250 ms, longer than a block takes here.
    const provider = new JsonRpcProvider(on.rpc, undefined, { cacheTimeout: -1 });
    try {
      assert.equal((await provider.getNetwork()).chainId, 1n);
      const wallet = new Wallet(ALICE.privateKey, provider);
      const deployed = await new ContractFactory(ABI, bytecode, wallet).deploy();
      await deployed.waitForDeployment();
      const vault = new Contract(await deployed.getAddress(), ABI, wallet);
      const sent = (await vault.getFunction('store')(7)) as { wait(): Promise<{ status: number }> };
      assert.equal((await sent.wait()).status, 1);
      assert.equal(await vault.getFunction('amounts')(ALICE.address), 7n);
      const refused = (await vault
        .getFunction('store')
        .staticCall(101)
        .catch((error: unknown) => error)) as { revert: { name: string; args: unknown[] } };
      assert.equal(refused.revert.name, 'TooMuch');
      assert.deepEqual([...refused.revert.args], [ALICE.address, 101n, 100n]);
      // The same from an estimate, like the one of wallets before each transaction.
      const estimated = (await vault
        .getFunction('store')
        .estimateGas(101)
        .catch((error: unknown) => error)) as { data: string };
      assert.match(estimated.data, /^0x[0-9a-f]{200}$/);
      const logs = await vault.queryFilter('Stored', 0, 'latest');
      assert.equal(logs.length, 1);
    } finally {
      provider.destroy();
    }
  });

  it('ethers over WebSocket receives blocks', async () => {
    const provider = new WebSocketProvider(on.rpc.replace('http', 'ws'));
    try {
      const heard = new Promise<number>((resolve) => {
        void provider.once('block', resolve);
      });
      await provider.getBlockNumber();
      await provider.send('eth_chainId', []);
      await on.increment();
      assert.equal(await heard, 4);
    } finally {
      await provider.destroy();
    }
  });

  it('viem deploys, simulates, sends, decodes custom errors, and changes the state', async () => {
    const transport = http(on.rpc, { batch: true });
    const account = privateKeyToAccount(ALICE.privateKey as Hex);
    const reader = createPublicClient({ chain: mainnet, transport });
    const wallet = createWalletClient({ chain: mainnet, transport, account });
    const test = createTestClient({ chain: mainnet, transport, mode: 'anvil' });
    const abi = parseAbi(ABI);
    const creation = await wallet.deployContract({ abi, bytecode });
    const { contractAddress: address } = await reader.waitForTransactionReceipt({ hash: creation });
    assert.ok(address);
    const vault = { address, abi, account } as const;
    const { request } = await reader.simulateContract({
      ...vault,
      functionName: 'store',
      args: [9n],
    });
    const receipt = await reader.waitForTransactionReceipt({
      hash: await wallet.writeContract(request),
    });
    assert.equal(receipt.status, 'success');
    const [stored, head] = await Promise.all([
      reader.readContract({ ...vault, functionName: 'amounts', args: [account.address] }),
      reader.getBlockNumber({ cacheTime: 0 }),
    ]);
    assert.deepEqual([stored, head], [9n, receipt.blockNumber]);
    await assert.rejects(
      reader.simulateContract({ ...vault, functionName: 'store', args: [101n] }),
      (error: unknown) => {
        assert.ok(error instanceof BaseError);
        const reverted = error.walk((one) => one instanceof ContractFunctionRevertedError);
        assert.ok(reverted instanceof ContractFunctionRevertedError);
        assert.equal(reverted.data?.errorName, 'TooMuch');
        assert.deepEqual(reverted.data.args, [account.address, 101n, 100n]);
        return true;
      },
    );
    const snapshot = await test.snapshot();
    await test.setBalance({ address, value: 5n });
    await test.mine({ blocks: 3 });
    assert.equal(await reader.getBalance({ address }), 5n);
    await test.revert({ id: snapshot });
    assert.equal(await reader.getBalance({ address }), 0n);
    assert.equal(await reader.getBlockNumber({ cacheTime: 0 }), head);
    const logs = await reader.getContractEvents({ address, abi, fromBlock: 0n });
    assert.deepEqual(
      logs.map(({ args }) => args.amount),
      [9n],
    );
  });

  it('cast reads and sends', async () => {
    const cast = (command: string, ...args: string[]) =>
      foundry.cast(command, ...args, '--rpc-url', on.rpc);
    assert.equal(await cast('block-number'), '3');
    assert.equal(await cast('chain-id'), '1');
    assert.equal(await cast('storage', COUNTER, '0'), `0x${'1'.padStart(64, '0')}`);
    const key = ['--private-key', ALICE.privateKey];
    const sent = JSON.parse(await cast('send', COUNTER, ...key, '--json')) as {
      status: string;
      transactionHash: string;
    };
    assert.equal(sent.status, '0x1');
    const unlocked = await cast('send', COUNTER, '--unlocked', '--from', COUNTER, '--json').catch(
      (error: unknown) => String(error),
    );
    assert.match(unlocked, /gas required exceeds allowance: 0/);
    await cast('rpc', 'anvil_setBalance', COUNTER, '0xde0b6b3a7640000');
    const own = JSON.parse(
      await cast('send', COUNTER, '--unlocked', '--from', COUNTER, '--json'),
    ) as { status: string };
    assert.equal(own.status, '0x1');
    assert.equal(BigInt(await cast('call', COUNTER)), 4n);
    assert.equal(
      (JSON.parse(await cast('receipt', sent.transactionHash, '--json')) as typeof sent).status,
      '0x1',
    );
    assert.match(await cast('logs', '--from-block', '0', '--address', COUNTER), /blockNumber: 2/);
  });

  it('forge script broadcasts', async () => {
    await foundry.forge(
      'script',
      'script/Deploy.s.sol:Deploy',
      '--rpc-url',
      on.rpc,
      '--broadcast',
      '--private-key',
      ALICE.privateKey,
    );
    const path = join(foundry.project, 'broadcast/Deploy.s.sol/1/run-latest.json');
    const { receipts } = JSON.parse(await readFile(path, 'utf8')) as {
      receipts: { status: string; blockNumber: string }[];
    };
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['0x1', '0x1', '0x1'],
    );
    // forge sends them in parallel: one that overtakes earlier ones waits for them and is in the same block.
    const blocks = receipts.map(({ blockNumber }) => Number(blockNumber));
    assert.equal(await on.head(), Math.max(...blocks));
    assert.ok(Math.min(...blocks) > 3);
  });

  it('forge test runs on the state of the fork', async () => {
    await on.increment();
    const results = JSON.parse(
      await foundry.forge('test', '--fork-url', on.rpc, '--json'),
    ) as Record<
      string,
      { test_results: Record<string, { status: string; reason: string | null }> }
    >;
    const tests = Object.values(results).flatMap(({ test_results }) =>
      Object.entries(test_results),
    );
    assert.deepEqual(tests.map(([name, { status, reason }]) => [name, status, reason]).sort(), [
      ['test_runs_contracts_of_its_own()', 'Success', null],
      ['test_sees_the_state_of_the_fork()', 'Success', null],
    ]);
  });

  for (const [whose, key, from] of [
    ['an account by its key', ALICE.privateKey, ALICE.address.toLowerCase()],
    ["the node's accounts", '', '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
  ] as const) {
    it(`hardhat runs tasks with --network and ${whose}`, async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [HARDHAT, '--config', HARDHAT_CONFIG, '--network', 'fork', 'increment'],
        {
          cwd: ROOT,
          env: {
            PATH: process.env['PATH'],
            HOME: on.engines.home,
            HARDHAT_ROOT: on.engines.home,
            HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
            FORK_URL: on.rpc,
            FORK_KEY: key,
          },
        },
      );
      assert.deepEqual(JSON.parse(stdout), {
        from,
        status: '0x1',
        reverted: true,
        values: [43, 3],
      });
    });
  }

  it("web3.py's requests: numeric ids, no content type, unknown members", async () => {
    const request = {
      jsonrpc: '2.0',
      method: 'eth_call',
      params: [{ to: COUNTER, gas: 50_000, maxFeePerGas: '0x0' }, 'latest'],
      id: 41,
    };
    const answer = (await post(on.rpc, JSON.stringify(request))) as RpcReply & { id: number };
    assert.equal(answer.id, 41);
    assert.equal(BigInt(answer.result as string), 2n);
    for (const method of ['web3_clientVersion', 'eth_accounts', 'eth_syncing', 'eth_feeHistory']) {
      const params = method === 'eth_feeHistory' ? [10, 'latest', [5.0]] : [];
      await call(on.rpc, method, ...params);
    }
  });

  it("MetaMask's requests when a network is added and an account is shown", async () => {
    const account = ALICE.address;
    assert.equal(await call(on.rpc, 'eth_chainId'), '0x1');
    assert.equal(await call(on.rpc, 'net_version'), '1');
    const accounts = await call<string[]>(on.rpc, 'eth_requestAccounts');
    assert.equal(accounts[0], '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    assert.deepEqual(await call(on.rpc, 'eth_accounts'), accounts);
    assert.equal(await call(on.rpc, 'net_listening'), true);
    const block = await call<{ baseFeePerGas: string }>(
      on.rpc,
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    assert.match(block.baseFeePerGas, /^0x/);
    await call(on.rpc, 'eth_getBalance', account, 'latest');
    await call(on.rpc, 'eth_gasPrice');
    await call(on.rpc, 'eth_feeHistory', '0x5', 'latest', [10, 20, 30]);
    await call(on.rpc, 'eth_getTransactionCount', account, 'pending');
    assert.match(
      await call(on.rpc, 'eth_estimateGas', { from: account, to: COUNTER, value: '0x0' }),
      /^0x/,
    );
    assert.deepEqual(await call(on.rpc, 'wallet_getPermissions'), []);
  });
});
