import assert from 'node:assert/strict';
import {
  Contract,
  ContractFactory,
  isError,
  JsonRpcProvider,
  NonceManager,
  parseEther,
  verifyMessage,
  verifyTypedData,
  Wallet,
  WebSocketProvider,
  type ContractTransactionReceipt,
  type ContractTransactionResponse,
  type InterfaceAbi,
  type JsonRpcSigner,
} from 'ethers';
import { eventually } from '../support/eventually';
import { failureOf, type Artifact, type Artifacts, type Check } from './check';
import type { TestNode } from './nodes';

const STRANGER = '0x00000000000000000000000000000000DeaDBeef';

class Session {
  readonly provider: JsonRpcProvider;

  constructor(
    readonly node: TestNode,
    readonly artifacts: Artifacts,
  ) {
    this.provider = new JsonRpcProvider(node.http, undefined, {
      cacheTimeout: -1,
      pollingInterval: 50,
    });
    this.provider.pollingInterval = 50;
  }

  signer(index = 0): Promise<JsonRpcSigner> {
    return this.provider.getSigner(index);
  }

  async deploy({ abi, bytecode }: Artifact, ...args: unknown[]): Promise<Contract> {
    const factory = new ContractFactory(abi as InterfaceAbi, bytecode, await this.signer());
    const deployed = await factory.deploy(...args);
    await deployed.waitForDeployment();
    return new Contract(await deployed.getAddress(), abi as InterfaceAbi, await this.signer());
  }
}

async function sent(
  contract: Contract,
  method: string,
  ...args: unknown[]
): Promise<ContractTransactionReceipt> {
  const response = (await contract.getFunction(method)(...args)) as ContractTransactionResponse;
  const receipt = await response.wait();
  assert.equal(receipt?.status, 1);
  return receipt;
}

const TYPES = { Mail: [{ name: 'text', type: 'string' }] };
const DOMAIN = { name: 'Mail', chainId: 1 };

const WORK: Record<string, (on: Session) => Promise<void>> = {
  'signers of the node': async ({ provider }) => {
    const signers = await provider.listAccounts();
    assert.equal(signers.length, 10);
    const balance = await provider.getBalance(signers[9]!);
    assert.equal(balance, parseEther('10000'));
    assert.equal((await provider.getNetwork()).chainId, 1n);
  },

  'a transfer with one confirmation': async (on) => {
    const signer = await on.signer();
    const response = await signer.sendTransaction({ to: STRANGER, value: 3n });
    const receipt = await response.wait(1, 10_000);
    assert.equal(receipt?.gasUsed, 21_000n);
    const found = await on.provider.getTransaction(response.hash);
    assert.equal(found?.blockNumber, receipt.blockNumber);
    assert.equal(await found.confirmations(), 1);
  },

  'signatures of messages and typed data': async (on) => {
    const signer = await on.signer(2);
    assert.equal(verifyMessage('hello', await signer.signMessage('hello')), signer.address);
    const message = { text: 'hello' };
    const signature = await signer.signTypedData(DOMAIN, TYPES, message);
    assert.equal(verifyTypedData(DOMAIN, TYPES, message, signature), signer.address);
  },

  'a wallet with a key, and nonces that it counts': async (on) => {
    const wallet = Wallet.createRandom(on.provider);
    await on.provider.send('hardhat_setBalance', [wallet.address, '0xde0b6b3a7640000']);
    const manager = new NonceManager(wallet);
    for (let nonce = 0; nonce < 3; nonce++) {
      const response = await manager.sendTransaction({ to: STRANGER });
      assert.equal(response.nonce, nonce);
    }
    await eventually(async () => {
      assert.equal(await on.provider.getTransactionCount(wallet.address), 3);
    });
  },

  'a contract with events': async (on) => {
    const points = await on.deploy(on.artifacts.points, 1_000n);
    const receipt = await sent(points, 'transfer', STRANGER, 4n);
    assert.equal(receipt.logs.length, 1);
    const owner = (await on.signer()).address;
    const filter = points.filters['Transfer']!(owner, STRANGER);
    const logs = await points.queryFilter(filter, receipt.blockNumber);
    assert.equal(logs.length, 1);
    assert.equal(await points.getFunction('balanceOf')(STRANGER), 4n);
  },

  'custom errors, reasons and panics': async (on) => {
    const till = await on.deploy(on.artifacts.till);
    const take = till.getFunction('take');
    for (const work of [take.staticCall(5n), take.estimateGas(5n), take.send(5n)]) {
      const error = await failureOf(work);
      assert.ok(isError(error, 'CALL_EXCEPTION'), String(error));
      assert.equal(till.interface.parseError(error.data ?? '0x')?.name, 'Empty');
    }
    const refused = await failureOf(till.getFunction('sayNo').staticCall());
    assert.ok(isError(refused, 'CALL_EXCEPTION'));
    assert.equal(refused.reason, 'the till is closed');
    const divided = await failureOf(till.getFunction('divide').staticCall(0n));
    assert.ok(isError(divided, 'CALL_EXCEPTION'));
    assert.match(divided.reason ?? '', /DIVIDE_BY_ZERO/);
  },

  'a failed transaction that was sent with gas': async (on) => {
    const till = await on.deploy(on.artifacts.till);
    const take = till.getFunction('take');
    const response = await take.send(5n, { gasLimit: 100_000n });
    const error = await failureOf(response.wait());
    assert.ok(isError(error, 'CALL_EXCEPTION'));
    assert.equal(error.receipt?.status, 0);
  },

  'codes of refused transactions': async (on) => {
    const wallet = Wallet.createRandom(on.provider);
    const poor = wallet.sendTransaction({ to: STRANGER, value: 1n, gasLimit: 21_000n });
    assert.ok(isError(await failureOf(poor), 'INSUFFICIENT_FUNDS'));
    await on.provider.send('hardhat_setBalance', [wallet.address, '0xde0b6b3a7640000']);
    await (await wallet.sendTransaction({ to: STRANGER })).wait();
    const old = await failureOf(wallet.sendTransaction({ to: STRANGER, nonce: 0 }));
    assert.ok(isError(old, 'NONCE_EXPIRED'), String(old));
  },

  'a replacement that pays too little': async (on) => {
    const wallet = Wallet.createRandom(on.provider);
    await on.provider.send('hardhat_setBalance', [wallet.address, '0xde0b6b3a7640000']);
    await on.provider.send('evm_setAutomine', [false]);
    try {
      const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
      const one = { to: STRANGER, nonce: 0, gasLimit: 21_000n, ...fees };
      await wallet.sendTransaction(one);
      const error = await failureOf(wallet.sendTransaction({ ...one, value: 1n }));
      assert.ok(isError(error, 'REPLACEMENT_UNDERPRICED'), String(error));
    } finally {
      await on.provider.send('evm_mine', []);
      await on.provider.send('evm_setAutomine', [true]);
    }
  },

  'snapshots and impersonation': async ({ provider }) => {
    const snapshot = (await provider.send('evm_snapshot', [])) as string;
    const { address } = Wallet.createRandom();
    await provider.send('hardhat_setBalance', [address, '0xde0b6b3a7640000']);
    await provider.send('hardhat_impersonateAccount', [address]);
    const signer = await provider.getSigner(address);
    await (await signer.sendTransaction({ to: STRANGER, value: 1n })).wait();
    assert.equal(await provider.getTransactionCount(address), 1);
    assert.equal(await provider.send('evm_revert', [snapshot]), true);
    assert.equal(await provider.getTransactionCount(address), 0);
  },

  'blocks that it polls for': async (on) => {
    const head = await on.provider.getBlockNumber();
    const seen: number[] = [];
    await on.provider.on('block', (number: number) => seen.push(number));
    await on.provider.send('anvil_mine', ['0x2']);
    await eventually(() => {
      assert.ok(seen.includes(head + 2));
    });
    await on.provider.off('block');
  },

  'blocks and events over WebSocket': async (on) => {
    const till = await on.deploy(on.artifacts.till);
    const socket = new WebSocketProvider(on.node.ws);
    try {
      const heard = new Contract(till, till.interface, socket);
      const amounts: bigint[] = [];
      await heard.on('Paid', (_: string, amount: bigint) => amounts.push(amount));
      const blocks: number[] = [];
      await socket.on('block', (number: number) => blocks.push(number));
      // Subscribe before sending.
      await socket.send('eth_chainId', []);
      await socket.send('eth_chainId', []);
      const { blockNumber } = await sent(till, 'pay', { value: 6n });
      await eventually(() => {
        assert.ok(amounts.length > 0 && blocks.includes(blockNumber));
      });
      assert.deepEqual(amounts, [6n]);
    } finally {
      await socket.destroy();
    }
  },

  'fees, storage and code': async ({ provider, ...on }) => {
    const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = await provider.getFeeData();
    assert.ok(maxFeePerGas && maxPriorityFeePerGas !== null && gasPrice);
    assert.ok(maxFeePerGas > maxPriorityFeePerGas);
    const session = new Session(on.node, on.artifacts);
    const till = await session.deploy(on.artifacts.till);
    await sent(till, 'pay', { value: 9n });
    assert.equal(BigInt(await provider.getStorage(till, 1)), 9n);
    assert.notEqual(await provider.getCode(till), '0x');
    session.provider.destroy();
  },

  'many requests in a batch': async ({ provider }) => {
    const reads = Array.from({ length: 200 }, (_, i) =>
      provider.getBalance(`0x${`${i}`.padStart(40, '0')}`),
    );
    assert.equal((await Promise.all(reads)).length, 200);
  },
};

export const ethersChecks = (artifacts: Artifacts): Check[] =>
  Object.entries(WORK).map(([title, work]) => ({
    title,
    run: async (node) => {
      const session = new Session(node, artifacts);
      try {
        await work(session);
      } finally {
        session.provider.destroy();
      }
    },
  }));
