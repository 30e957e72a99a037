import {
  createBlock,
  genWithdrawalsTrieRoot,
  type Block,
  type HeaderData,
} from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet, type Common } from '@ethereumjs/common';
import type { EVMMockBlockchainInterface } from '@ethereumjs/evm';
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import {
  createAccount,
  bytesToHex,
  createAddressFromString,
  createWithdrawal,
  hexToBytes,
  type KZG,
} from '@ethereumjs/util';
import { createVM, runTx, type TxReceipt, type VM } from '@ethereumjs/vm';
import { Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toWord } from '../../../server/evm/forms/quantity';
import { GWEI, headerData, NAMES, priceOf, withDefaults, type BlockContext } from './context';
import { FrameRecorder, type Frame } from './frames';
import { blockRoots } from './roots';
import { isSince, type ChainPlan, type PlannedBlock, type PlannedHardfork } from './plan';
import { ReferenceState, type WorldState } from './state';
import { StepRecorder, type ReferenceStep } from './steps';

/** After the last fork of mainnet's blob parameters (EIP-8135). */
const FIRST_TIME = 1_775_000_000;
const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935';
const RING = 8191n;
/** SHA-256 of empty input (EIP-7685). */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ZERO_HASH = toWord(0);
const DEFAULT_COINBASE: Address = '0x00000000000000000000000000000000000c01b5';

/** A transaction with the reference's facts of its execution. */
export interface Executed {
  transaction: Transaction;
  raw: Hex;
  index: number;
  status: boolean;
  gasUsed: bigint;
  cumulativeGasUsed: bigint;
  gasPrice: bigint;
  /** Wei per unit of gas for the fee recipient. */
  tip: bigint;
  blobGasUsed: bigint;
  blobGasPrice: bigint;
  logs: { address: Address; topics: Hash[]; data: Hex }[];
  created: Address | null;
  root: Frame;
  /** Number of executed instructions. */
  instructions: number;
  /** If the chain records them. */
  steps: readonly ReferenceStep[];
  before: WorldState;
  after: WorldState;
}

interface Withdrawal {
  address: Address;
  wei: bigint;
}

export interface PlayedBlock {
  block: Block;
  hash: Hash;
  context: BlockContext;
  transactions: Executed[];
  withdrawals: readonly Withdrawal[];
  /** State after the block. */
  state: WorldState;
}

/** Wei for the fee recipient before the merge (EIP-1234). */
const BLOCK_REWARD = 2n * 10n ** 18n;

/** Executes blocks with @ethereumjs/vm, and records frames and state of every transaction. */
export class ReferenceChain {
  readonly blocks: PlayedBlock[] = [];
  /** Whether it records the instructions of the transactions that follow. */
  recordsSteps = false;
  readonly #nonces = new Map<string, number>();

  private constructor(
    readonly hardfork: PlannedHardfork,
    readonly chainId: number,
    private readonly common: Common,
    private readonly vm: VM,
    private readonly state: ReferenceState,
    private readonly hashes: Map<bigint, Hash>,
  ) {}

  /** @returns a chain without blocks, with the given state */
  static async start({
    hardfork,
    alloc,
    chainId = 1,
  }: Omit<ChainPlan, 'blocks'>): Promise<ReferenceChain> {
    // Blob transactions require it although none of them contains blobs.
    const customCrypto = { kzg: {} as KZG };
    const options = { hardfork: Hardfork[NAMES[hardfork]], customCrypto };
    const common = createCustomCommon({ chainId }, Mainnet, options);
    const state = new ReferenceState({ common });
    await state.fill(alloc);
    const hashes = new Map<bigint, Hash>();
    const blockchain: EVMMockBlockchainInterface = {
      getBlock: (number: number) =>
        Promise.resolve({ hash: () => hexToBytes(hashes.get(BigInt(number)) ?? ZERO_HASH) }),
      putBlock: () => Promise.resolve(),
      shallowCopy: () => blockchain,
    };
    const vm = await createVM({ common, stateManager: state, blockchain });
    return new ReferenceChain(hardfork, chainId, common, vm, state, hashes);
  }

  /** Plays a plan: block 0 is empty, and the plan's blocks follow. */
  static async play(plan: ChainPlan): Promise<ReferenceChain> {
    const chain = await ReferenceChain.start(plan);
    await chain.add({ transactions: [] });
    for (const block of plan.blocks) await chain.add(block);
    return chain;
  }

  /** Sets the hash of a block that was mined elsewhere (BLOCKHASH). */
  know(number: bigint, hash: Hash): void {
    this.hashes.set(number, hash);
  }

  /** Signs the transactions of a block and appends the block. */
  async add(planned: PlannedBlock): Promise<PlayedBlock> {
    const { hardfork } = this;
    const number = BigInt(this.blocks.length);
    const hasBlobs = isSince(hardfork, 'cancun');
    const raws: Hex[] = [];
    for (const { wallet, transaction } of planned.transactions) {
      const nonce = transaction.nonce ?? this.#nonces.get(wallet.address) ?? 0;
      this.#nonces.set(wallet.address, nonce + 1);
      const filled = withDefaults(transaction, hardfork, nonce);
      raws.push((await wallet.signTransaction(filled)) as Hex);
    }
    const context: BlockContext = {
      number,
      timestamp: BigInt(FIRST_TIME) + 12n * number,
      parentHash: this.blocks.at(-1)?.hash ?? ZERO_HASH,
      coinbase: planned.coinbase ?? DEFAULT_COINBASE,
      prevRandao: planned.prevRandao ?? toWord(0xabcdef0123456789n + number),
      gasLimit: 60_000_000n,
      baseFee: isSince(hardfork, 'london') ? GWEI : undefined,
      excessBlobGas: hasBlobs ? (planned.excessBlobGas ?? 0n) : undefined,
      beaconRoot: hasBlobs ? toWord(0xbeac0000n + number) : undefined,
      systemCalls: true,
    };
    return this.execute(raws, context, planned.withdrawals ?? []);
  }

  /** Executes signed transactions as a block. */
  async execute(
    raws: readonly Hex[],
    context: BlockContext,
    withdrawals: readonly Withdrawal[] = [],
  ): Promise<PlayedBlock> {
    if (context.systemCalls) await this.#systemCalls(context);
    const header = headerData(context, this.hardfork);
    const options = { common: this.common, skipConsensusFormatValidation: true };
    const open = createBlock({ header }, options);
    const transactions = raws.map((raw) =>
      createTxFromRLP(hexToBytes(raw), { common: this.common }),
    );
    const executed: Executed[] = [];
    const receipts: TxReceipt[] = [];
    for (const [index, raw] of raws.entries()) {
      const transaction = transactions[index]!;
      const used = executed.at(-1)?.cumulativeGasUsed ?? 0n;
      const { facts, receipt } = await this.#executeOne({ transaction, raw, open, index, used });
      executed.push(facts);
      receipts.push(receipt);
    }
    for (const { address, wei } of withdrawals) await this.#credit(address, wei);
    if (!isSince(this.hardfork, 'paris')) await this.#credit(context.coinbase, BLOCK_REWARD);
    const state = this.state.world();
    const withdrawn = withdrawals.map(({ address, wei }, index) =>
      createWithdrawal({ index, validatorIndex: index, address, amount: wei / GWEI }),
    );
    const gasUsed = executed.at(-1)?.cumulativeGasUsed ?? 0n;
    const blobGasUsed = executed.reduce((sum, one) => sum + one.blobGasUsed, 0n);
    const hasWithdrawals = isSince(this.hardfork, 'shanghai');
    const closed: HeaderData = {
      ...header,
      ...(await blockRoots(transactions, receipts, state)),
      gasUsed,
      ...(isSince(this.hardfork, 'cancun') ? { blobGasUsed } : {}),
      ...(hasWithdrawals ? { withdrawalsRoot: await genWithdrawalsTrieRoot(withdrawn) } : {}),
      ...(isSince(this.hardfork, 'prague') ? { requestsHash: NO_REQUESTS } : {}),
    };
    const body = hasWithdrawals ? { withdrawals: withdrawn } : {};
    const block = createBlock({ header: closed, transactions, ...body }, options);
    const hash = bytesToHex(block.hash());
    this.hashes.set(context.number, hash);
    const played = {
      block,
      hash,
      context,
      transactions: executed,
      withdrawals,
      state,
    };
    this.blocks.push(played);
    return played;
  }

  async #executeOne({ transaction, raw, open, index, used }: Turn): Promise<{
    facts: Executed;
    receipt: TxReceipt;
  }> {
    const before = this.state.world();
    const recorder = new FrameRecorder(this.vm);
    const stepper = this.recordsSteps ? new StepRecorder(this.vm) : undefined;
    try {
      const result = await runTx(this.vm, { tx: transaction, block: open, blockGasUsed: used });
      const root = recorder.root ?? notBegun(transaction);
      const { receipt, totalGasSpent, execResult, createdAddress } = result;
      root.gasUsed = totalGasSpent;
      root.gas = transaction.gasLimit;
      const baseFee = open.header.baseFeePerGas ?? 0n;
      const signed = Transaction.from(raw);
      const gasPrice = priceOf(signed, baseFee);
      const facts: Executed = {
        transaction: signed,
        raw,
        index,
        status: execResult.exceptionError === undefined,
        gasUsed: totalGasSpent,
        cumulativeGasUsed: used + totalGasSpent,
        gasPrice,
        tip: gasPrice - baseFee,
        blobGasUsed: result.blobGasUsed ?? 0n,
        blobGasPrice: signed.type === 3 ? open.header.getBlobGasPrice() : 0n,
        logs: receipt.logs.map(([address, topics, data]) => ({
          address: bytesToHex(address),
          topics: topics.map((topic) => bytesToHex(topic)),
          data: bytesToHex(data),
        })),
        created: signed.to === null && createdAddress ? bytesToHex(createdAddress.bytes) : null,
        root,
        instructions: recorder.instructions,
        steps: stepper?.steps ?? [],
        before,
        after: this.state.world(),
      };
      return { facts, receipt: { ...receipt, cumulativeBlockGasUsed: facts.cumulativeGasUsed } };
    } finally {
      recorder.stop();
      stepper?.stop();
    }
  }

  /** EIP-4788 and EIP-2935: the effect of the system calls to their contracts. */
  async #systemCalls({ number, timestamp, beaconRoot, parentHash }: BlockContext): Promise<void> {
    const put = (address: Address, slot: bigint, value: Hash): Promise<void> =>
      this.state.putStorage(
        createAddressFromString(address),
        hexToBytes(toWord(slot)),
        hexToBytes(BigInt(value) === 0n ? '0x' : value),
      );
    if (beaconRoot !== undefined) {
      await put(BEACON_ROOTS, timestamp % RING, toWord(timestamp));
      await put(BEACON_ROOTS, (timestamp % RING) + RING, beaconRoot);
    }
    if (isSince(this.hardfork, 'prague') && number > 0n) {
      await put(HISTORY, (number - 1n) % RING, parentHash);
    }
  }

  async #credit(key: Address, wei: bigint): Promise<void> {
    const address = createAddressFromString(key);
    const account = (await this.state.getAccount(address)) ?? createAccount({});
    account.balance += wei;
    await this.state.putAccount(address, account);
  }
}

/** The gas ended before the first frame (EIP-2780). */
const notBegun = (transaction: TypedTransaction): Frame => ({
  type: 'CALL',
  from: transaction.getSenderAddress().toString(),
  to: transaction.to?.toString() ?? '',
  value: transaction.value,
  gas: 0n,
  gasUsed: 0n,
  input: bytesToHex(transaction.data),
  output: '0x',
  error: 'out of gas',
  calls: [],
  logs: [],
});

interface Turn {
  transaction: TypedTransaction;
  raw: Hex;
  open: Block;
  index: number;
  /** Gas of the earlier transactions. */
  used: bigint;
}
