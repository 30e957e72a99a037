import { keccak256, Transaction, Wallet, type TransactionLike } from 'ethers';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import { RpcError } from '../../server/evm/forms/json-rpc';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../server/evm/forms/types';

/** A chain id that no table knows: its blocks show that they are of the OP Stack. */
export const CHAIN_ID = 424_242;
const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
const DAVE = new Wallet(`0x${'da'.repeat(32)}`);
const BRIDGE: Address = `0x${'be'.repeat(20)}`;
export const [BOB, CAROL] = ['b0', 'ca'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
];
const predeploy = (byte: string): Address => `0x42000000000000000000000000000000000000${byte}`;
export const VAULTS = {
  priority: predeploy('11'),
  base: predeploy('19'),
  l1: predeploy('1a'),
  operator: predeploy('1b'),
};
const L1_BLOCK = predeploy('15');

export const ETHER = 10n ** 18n;
const BASE_FEE = 1_000_000n;
const TIP = 2_000n;
const GAS = 21_000n;
/** Scalars of the fees, and prices of the parent chain in wei. */
const [L1_BASE_FEE, L1_BLOB_FEE, SCALAR, BLOB_SCALAR] = [3_000_000_000n, 5n, 7_600n, 862_000n];
const [OPERATOR_SCALAR, OPERATOR_CONSTANT] = [2_500_000n, 11n];
/** A transfer counts as 100 bytes, the least since Fjord: 100e6 * (16 * scalar * fee + blob scalar * blob fee) / 1e12. */
const L1_FEE = (100n * (16n * SCALAR * L1_BASE_FEE + BLOB_SCALAR * L1_BLOB_FEE)) / 1_000_000n;
/** Isthmus: gas * scalar / 1e6 + constant. */
const OPERATOR_FEE = (GAS * OPERATOR_SCALAR) / 1_000_000n + OPERATOR_CONSTANT;
/** All that a transfer costs. */
export const FEE = GAS * (BASE_FEE + TIP) + L1_FEE + OPERATOR_FEE;
export const SHARES = {
  priority: GAS * TIP,
  base: GAS * BASE_FEE,
  l1: L1_FEE,
  operator: OPERATOR_FEE,
};

const HEIGHT = 1_000n;
const hashOf = (text: string): Hash => keccak256(Buffer.from(text)) as Hash;
const [BLOCK_HASH, PARENT_HASH] = [hashOf('block'), hashOf('parent')];
const lower = (wallet: Wallet): Address => wallet.address.toLowerCase() as Address;

export type Accounts = Record<Address, { balance: bigint; nonce: number }>;

/** Balances and nonces at the parent. */
const PARENT: Accounts = {
  [lower(ALICE)]: { balance: 2n * ETHER, nonce: 4 },
  [VAULTS.priority]: { balance: 50n, nonce: 0 },
};

/** Balances and nonces after each number of transactions of the block, by arithmetic. */
export function statesOf(): Accounts[] {
  const states = [PARENT];
  const after = (change: (state: Accounts) => void): void => {
    const state = structuredClone(states.at(-1)!);
    change(state);
    states.push(state);
  };
  const add = (state: Accounts, account: Address, wei: bigint, nonces = 0): void => {
    const { balance, nonce } = state[account] ?? { balance: 0n, nonce: 0 };
    state[account] = { balance: balance + wei, nonce: nonce + nonces };
  };
  const payFee = (state: Accounts, from: Address): void => {
    add(state, from, -FEE, 1);
    for (const [vault, share] of Object.entries(SHARES)) {
      add(state, VAULTS[vault as keyof typeof VAULTS], share);
    }
  };
  after((state) => {
    add(state, BRIDGE, 0n, 1);
  });
  after((state) => {
    add(state, BOB, ETHER - 3n * 10n ** 17n, 1);
    add(state, CAROL, 3n * 10n ** 17n);
  });
  after((state) => {
    payFee(state, lower(ALICE));
    add(state, lower(ALICE), -(10n ** 17n));
    add(state, CAROL, 10n ** 17n);
  });
  // It fails: the mint stays, and the nonce rises.
  after((state) => {
    add(state, lower(DAVE), ETHER, 1);
  });
  after((state) => {
    payFee(state, lower(DAVE));
    add(state, lower(DAVE), -1n);
    add(state, CAROL, 1n);
  });
  return states;
}

interface Deposit {
  from: Address;
  to: Address;
  mint: bigint;
  value: bigint;
  gas: bigint;
  nonce: number;
}

const place = (index: number) => ({
  blockHash: BLOCK_HASH,
  blockNumber: toQuantity(HEIGHT),
  transactionIndex: toQuantity(index),
});

const deposit = (
  index: number,
  { from, to, mint, value, gas, nonce }: Deposit,
): RpcTransaction => ({
  ...place(index),
  hash: hashOf(`deposit ${index}`),
  type: '0x7e',
  nonce: toQuantity(nonce),
  from,
  to,
  mint: toQuantity(mint),
  value: toQuantity(value),
  gas: toQuantity(gas),
  gasPrice: '0x0',
  input: '0x',
  r: '0x0',
  s: '0x0',
  v: '0x0',
});

async function signed(
  index: number,
  wallet: Wallet,
  transaction: TransactionLike,
): Promise<RpcTransaction> {
  const raw = await wallet.signTransaction({
    type: 2,
    chainId: CHAIN_ID,
    gasLimit: GAS,
    maxFeePerGas: 10n * BASE_FEE,
    maxPriorityFeePerGas: TIP,
    ...transaction,
  });
  const { hash, signature, nonce, to, value, gasLimit, maxFeePerGas } = Transaction.from(raw);
  return {
    ...place(index),
    hash: hash as Hash,
    type: '0x2',
    chainId: toQuantity(CHAIN_ID),
    nonce: toQuantity(nonce),
    from: lower(wallet),
    to: to!.toLowerCase() as Address,
    value: toQuantity(value),
    gas: toQuantity(gasLimit),
    gasPrice: toQuantity(BASE_FEE + TIP),
    maxFeePerGas: toQuantity(maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: toQuantity(TIP),
    accessList: [],
    input: '0x',
    r: signature!.r as Hex,
    s: signature!.s as Hex,
    v: toQuantity(signature!.yParity),
    yParity: toQuantity(signature!.yParity),
  };
}

/** A block of Isthmus: two deposits, a transfer, a deposit that fails, and a transfer of its sender. */
async function transactions(): Promise<RpcTransaction[]> {
  const [eth, tenth] = [ETHER, ETHER / 10n];
  const [bridge, mint, failing] = [
    { from: BRIDGE, to: L1_BLOCK, mint: 0n, value: 0n, gas: 1_000_000n, nonce: 0 },
    { from: BOB, to: CAROL, mint: eth, value: 3n * tenth, gas: 100_000n, nonce: 0 },
    { from: lower(DAVE), to: CAROL, mint: eth, value: 2n * eth, gas: 60_000n, nonce: 0 },
  ];
  return [
    deposit(0, bridge),
    deposit(1, mint),
    await signed(2, ALICE, { nonce: 4, to: CAROL, value: tenth }),
    deposit(3, failing),
    await signed(4, DAVE, { nonce: 1, to: CAROL, value: 1n }),
  ];
}

function receiptsOf(all: readonly RpcTransaction[]): RpcReceipt[] {
  let cumulative = 0n;
  return all.map((transaction, index) => {
    const isDeposit = transaction.type === '0x7e';
    const gasUsed = index === 3 ? BigInt(transaction.gas) : GAS;
    cumulative += gasUsed;
    return {
      ...place(index),
      transactionIndex: toQuantity(index),
      transactionHash: transaction.hash,
      type: transaction.type!,
      from: transaction.from,
      to: transaction.to,
      contractAddress: null,
      gasUsed: toQuantity(gasUsed),
      cumulativeGasUsed: toQuantity(cumulative),
      effectiveGasPrice: transaction.gasPrice!,
      status: index === 3 ? '0x0' : '0x1',
      logs: [],
      l1Fee: toQuantity(isDeposit ? 0n : L1_FEE),
    };
  });
}

const HEADER = {
  number: toQuantity(HEIGHT),
  hash: BLOCK_HASH,
  parentHash: PARENT_HASH,
  timestamp: toQuantity(1_750_000_000),
  miner: VAULTS.priority,
  gasLimit: toQuantity(60_000_000),
  gasUsed: toQuantity(144_000),
  difficulty: '0x0',
  mixHash: toWord(77),
  baseFeePerGas: toQuantity(BASE_FEE),
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: toWord(5),
  requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  extraData: '0x00000000fa00000006',
  withdrawals: [],
  uncles: [],
  nonce: '0x0000000000000000',
  sha3Uncles: toWord(1),
  logsBloom: `0x${'0'.repeat(512)}`,
  transactionsRoot: toWord(1),
  stateRoot: toWord(1),
  receiptsRoot: toWord(1),
  size: '0x100',
} as const;

const SLOTS: Record<string, bigint> = {
  [toWord(1)]: L1_BASE_FEE,
  [toWord(3)]: (SCALAR << 96n) | (BLOB_SCALAR << 64n),
  [toWord(7)]: L1_BLOB_FEE,
  [toWord(8)]: (OPERATOR_SCALAR << 64n) | OPERATOR_CONSTANT,
};

/** The chain's node, with the block and its parent. */
export class OpChain {
  private constructor(
    readonly transactions: readonly RpcTransaction[],
    private readonly receipts: readonly RpcReceipt[],
    private readonly after: Accounts,
    private readonly header: typeof HEADER,
    private readonly slots: Readonly<Record<string, bigint>>,
  ) {}

  /**
   * @param lies balances that the node reports after the block instead of the right ones
   * @param other fields of the headers, undefined for one that they lack, and slots of L1Block
   */
  static async create(
    lies: Accounts = {},
    { header = {}, slots = {} }: { header?: object; slots?: Record<string, bigint> } = {},
  ): Promise<OpChain> {
    const all = await transactions();
    const [after, fields] = [
      { ...statesOf().at(-1), ...lies },
      { ...HEADER, ...header },
    ];
    return new OpChain(all, receiptsOf(all), after, fields, { ...SLOTS, ...slots });
  }

  readonly answer = (method: string, params: readonly unknown[]): unknown => {
    const [first, second] = params as [string, unknown];
    switch (method) {
      case 'eth_chainId':
        return toQuantity(CHAIN_ID);
      case 'web3_clientVersion':
        return 'op-node/1';
      case 'eth_blockNumber':
        return this.header.number;
      case 'eth_getBlockByNumber':
      case 'eth_getBlockByHash':
        return this.#block(first, second === true);
      case 'eth_getBlockReceipts':
        return this.receipts;
      case 'eth_getTransactionByHash':
        return this.transactions.find(({ hash }) => hash === first) ?? null;
      case 'eth_getTransactionReceipt':
        return this.receipts.find(({ transactionHash }) => transactionHash === first) ?? null;
      case 'eth_getBalance':
        return toQuantity(this.#account(first, second).balance);
      case 'eth_getTransactionCount':
        return toQuantity(this.#account(first, second).nonce);
      case 'eth_getCode':
        // STOP.
        return first.toLowerCase() === L1_BLOCK ? '0x00' : '0x';
      case 'eth_getStorageAt':
        return toWord(
          first.toLowerCase() === L1_BLOCK ? (this.slots[toWord(BigInt(second as Hex))] ?? 0n) : 0n,
        );
    }
    throw new RpcError(-32601, `the method ${method} does not exist`);
  };

  #account(address: string, block: unknown): Accounts[Address] {
    // EIP-1898: a number, a tag, or an object with a hash or a number.
    const { blockHash, blockNumber } = (typeof block === 'object' ? block : {}) as {
      blockHash?: string;
      blockNumber?: string;
    };
    const at = blockHash ?? blockNumber ?? block;
    const state = at === toQuantity(HEIGHT - 1n) || at === PARENT_HASH ? PARENT : this.after;
    return state[address.toLowerCase() as Address] ?? { balance: 0n, nonce: 0 };
  }

  #block(at: string, full: boolean): RpcBlock | object | null {
    if (at === toQuantity(HEIGHT - 1n) || at === PARENT_HASH) {
      const [number, timestamp] = [HEIGHT - 1n, 1_749_999_998].map(toQuantity);
      return {
        ...this.header,
        number,
        hash: PARENT_HASH,
        parentHash: toWord(9),
        timestamp,
        transactions: [],
      };
    }
    const isNewest = at === this.header.number || at === BLOCK_HASH || !at.startsWith('0x');
    if (!isNewest) return null;
    return {
      ...this.header,
      transactions: full ? this.transactions : this.transactions.map(({ hash }) => hash),
    };
  }
}
