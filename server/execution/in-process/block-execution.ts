import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import {
  createAddressFromString,
  createAccount,
  type Address as AddressObject,
} from '@ethereumjs/util';
import { runTx } from '@ethereumjs/vm';
import type { Address, Hash, Hex } from '../../api/primitives';
import { isDeposit, mintOf } from '../../evm/forms/deposit';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { EngineState } from '../../evm/forms/engine-state';
import type { RpcBlock, RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import {
  readFeeParameters,
  type OpFeeParameters,
} from '../../evm/families/op-stack/fee-parameters';
import { operatorFee } from '../../evm/families/op-stack/fees';
import { L1_BLOCK } from '../../evm/families/op-stack/predeploys';
import { systemCalls } from '../prefix/block-context';
import {
  RejectedTransaction,
  type ExecutedTransaction,
  type Simulated,
  type SimulatedTransaction,
} from '../prefix/block-executor';
import { rawTransaction } from '../prefix/raw-transaction';
import { raiseNonce, runBareCall } from './bare-call';
import { BlockState } from './block-state';
import { detailsOf, Frames } from './frames';
import type { HookTarget } from './hooks';
import { receiptOf, refusedFrame, toLog, type Outcome } from './outcome';
import { paidInAdvance, vaultCredits } from './op-fees';
import { ParentState } from './parent-state';
import { asRejection } from './rejected';
import { spentGasOf } from './spent-gas';
import { overrideState } from './state-overrides';
import { requestContracts, SYSTEM_ADDRESS } from '../prefix/request-contracts';
import { unsignedTx } from './unsigned-tx';
import { openVm, type BlockRules, type OpenedVm } from './virtual-machine';

/** Time of a read from which it is worth while to execute transactions for their reads alone, in milliseconds. */
const SLOW_MS = 25;

/** EIP-4788. */
const SYSTEM_GAS = 30_000_000n;
const WEI_PER_GWEI = 10n ** 9n;

/** Executes the transactions of a block in this process, in order, on the state that the chain's node reports for its parent. */
export class BlockExecution {
  readonly #target: HookTarget = { frames: undefined, readsBlobBaseFee: false };
  readonly #hashes = new Map<bigint, Promise<Hash>>();
  #opened: OpenedVm | undefined;
  #parameters: OpFeeParameters | undefined;
  /** Whether neither nonces nor funds have to be right. */
  #isGuess = false;

  private constructor(
    private readonly rpc: RpcClient,
    private readonly rules: BlockRules,
    private readonly header: RpcBlockHeader,
    readonly state: BlockState,
  ) {}

  get number(): number {
    return Number(this.header.number);
  }

  /** Opens the state of the parent, and unless the block is over makes the changes of the system at the start of the block (EIP-4788, EIP-2935). */
  static async begin(
    rpc: RpcClient,
    rules: BlockRules,
    { header, isOver }: { header: RpcBlockHeader; isOver: boolean },
  ): Promise<BlockExecution> {
    const parent = new ParentState(rpc, Number(header.number) - (isOver ? 0 : 1));
    const state = new BlockState(parent);
    const execution = new BlockExecution(rpc, rules, header, state);
    if (!isOver) await execution.#systemCalls();
    return execution;
  }

  /**
   * Reads what transactions will probably need from the chain: all are executed at the same time, each on the state of the parent. In order,
   * they would wait for one read after the other.
   */
  async warm(transactions: readonly RpcTransaction[]): Promise<void> {
    const { rpc, rules, header, state } = this;
    if (state.parent.waited < SLOW_MS) return;
    const attempts = transactions.map(async (transaction) => {
      const alone = new BlockExecution(rpc, rules, header, new BlockState(state.parent));
      alone.#isGuess = true;
      await alone.execute(transaction);
    });
    // The later execution reports what is wrong.
    await Promise.allSettled(attempts);
  }

  /**
   * Executes the next transaction.
   * @throws Error if the chain could not have executed it; NotExecutable; errors of the node
   */
  async execute(transaction: RpcTransaction): Promise<RpcReceipt> {
    this.#target.frames = undefined;
    return receiptOf(transaction, await this.#outcomeOf(transaction));
  }

  /** The same, with its calls and what it changed. */
  async record(transaction: RpcTransaction): Promise<ExecutedTransaction> {
    this.#target.frames = new Frames();
    let outcome: Outcome;
    try {
      outcome = await this.#outcomeOf(transaction);
    } catch (error) {
      throw asRejection(error);
    }
    return { receipt: receiptOf(transaction, outcome), ...this.#recorded(transaction, outcome) };
  }

  async simulate(simulated: SimulatedTransaction): Promise<Simulated> {
    const { rpc, rules, state } = this;
    await overrideState(state, simulated.overrides);
    const execution = new BlockExecution(rpc, rules, simulated.header, state);
    try {
      return await execution.#simulate(simulated);
    } catch (error) {
      throw asRejection(error);
    }
  }

  async #simulate({
    transaction,
    blobBaseFee,
    isBare,
    keepsNonce,
  }: SimulatedTransaction): Promise<Simulated> {
    this.#target.frames = new Frames();
    if (blobBaseFee !== undefined) this.#target.blobBaseFee = BigInt(blobBaseFee);
    this.state.begin();
    const sender = createAddressFromString(transaction.from);
    const account = await this.state.getAccount(sender);
    const nonce = keepsNonce === true ? BigInt(transaction.nonce) : (account?.nonce ?? 0n);
    const { common } = await this.#vm();
    if (isBare === true) await this.#endow(sender, BigInt(transaction.value));
    const outcome =
      isBare === true
        ? await this.#callOf(transaction)
        : await this.#run(unsignedTx(transaction, nonce, common));
    if (!outcome) throw new RejectedTransaction('its gas or the balance of its sender is too low');
    return {
      nonce: toQuantity(nonce),
      readsBlobBaseFee: this.#target.readsBlobBaseFee,
      receipt: receiptOf(transaction, outcome),
      ...this.#recorded(transaction, outcome),
    };
  }

  async end({ withdrawals = [] }: Pick<RpcBlock, 'withdrawals'>): Promise<void> {
    this.state.begin();
    for (const { address, amount } of withdrawals) {
      await this.#pay(createAddressFromString(address), BigInt(amount) * WEI_PER_GWEI);
    }
    await this.#requests();
  }

  loaded(): EngineState {
    return this.state.loaded();
  }

  changed(): EngineState {
    return this.state.changed();
  }

  #outcomeOf(transaction: RpcTransaction): Promise<Outcome> {
    this.state.begin();
    return isDeposit(transaction) ? this.#deposit(transaction) : this.#signed(transaction);
  }

  #recorded(
    transaction: RpcTransaction,
    { gasUsed, spentGas }: Outcome,
  ): Omit<ExecutedTransaction, 'receipt'> {
    const root = this.#target.frames?.root ?? refusedFrame(transaction);
    const answer = { ...root, gas: transaction.gas, gasUsed: toQuantity(gasUsed) };
    return {
      changes: this.state.changes(),
      touched: this.state.touched(),
      calls: { answer, details: detailsOf(root) },
      spentGas,
    };
  }

  async #signed(transaction: RpcTransaction): Promise<Outcome> {
    const { common } = await this.#vm();
    const raw = Buffer.from(rawTransaction(transaction).slice(2), 'hex');
    const tx = createTxFromRLP(raw, { common, freeze: false });
    const sender = createAddressFromString(transaction.from);
    // Recovering it from the signature takes as long as executing a transfer.
    tx.getSenderAddress = () => sender;
    const parameters = await this.#feeParameters();
    const { upgrade } = this.rules;
    const advance = parameters && upgrade && paidInAdvance(parameters, upgrade, raw, tx.gasLimit);
    if (advance && !this.#isGuess) await this.#pay(sender, -(advance.l1Fee + advance.operatorFee));
    let outcome: Outcome;
    try {
      outcome = await this.#run(tx);
    } catch (error) {
      if (advance && !this.#isGuess) await this.#pay(sender, advance.l1Fee + advance.operatorFee);
      throw error;
    }
    if (!advance) return outcome;
    const { gasUsed } = outcome;
    const fees = { ...advance, operatorFee: operatorFee(parameters, upgrade, gasUsed) };
    await this.#pay(sender, advance.operatorFee - fees.operatorFee);
    for (const [vault, wei] of vaultCredits(fees, gasUsed, this.header)) {
      await this.#pay(createAddressFromString(vault), wei);
    }
    return outcome;
  }

  async #run(tx: TypedTransaction): Promise<Outcome> {
    const { vm, common, block } = await this.#vm();
    const result = await runTx(vm, {
      tx,
      block,
      skipBlockGasLimitValidation: true,
      skipNonce: this.#isGuess,
      skipBalance: this.#isGuess,
    });
    const { receipt, totalGasSpent, execResult } = result;
    return {
      failed: execResult.exceptionError !== undefined,
      gasUsed: totalGasSpent,
      logs: receipt.logs.map(toLog),
      spentGas: spentGasOf(tx, result, common),
    };
  }

  /** OP specs, deposits: the mint stays and the nonce rises also if it fails; the gas is not paid for. */
  async #deposit(transaction: RpcTransaction): Promise<Outcome> {
    const { state } = this;
    const sender = createAddressFromString(transaction.from);
    await this.#pay(sender, mintOf(transaction));
    await state.checkpoint();
    const outcome = await this.#callOf(transaction);
    if (outcome) {
      await state.commit();
      return outcome;
    }
    await state.revert();
    await raiseNonce(state, sender);
    return { failed: true, gasUsed: BigInt(transaction.gas), logs: [] };
  }

  async #callOf(transaction: RpcTransaction): Promise<Outcome | undefined> {
    return runBareCall(await this.#vm(), this.state, transaction, {
      hardfork: this.rules.hardfork,
      miner: this.header.miner,
    });
  }

  async #vm(): Promise<OpenedVm> {
    this.#opened ??= await openVm(this.rules, this.header, this.state, this.#target, (number) =>
      this.#hashOf(number),
    );
    return this.#opened;
  }

  /** As at the first transaction that is no deposit: they do not change within a block. */
  async #feeParameters(): Promise<OpFeeParameters | undefined> {
    const { upgrade } = this.rules;
    if (upgrade === undefined || this.#parameters) return this.#parameters;
    const l1Block = createAddressFromString(L1_BLOCK);
    this.#parameters = await readFeeParameters(upgrade, async (slot) => {
      const bytes = await this.state.getStorage(l1Block, Buffer.from(slot.slice(2), 'hex'));
      return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
    });
    return this.#parameters;
  }

  async #pay(address: AddressObject, wei: bigint): Promise<void> {
    if (wei === 0n) return;
    const account = (await this.state.getAccount(address)) ?? createAccount({});
    account.balance += wei;
    if (account.balance < 0n)
      throw new Error(`the balance of ${address.toString()} is too low for the fee`);
    await this.state.putAccount(address, account);
  }

  /** As an engine does for a call, an account that has less than it sends gets the rest. */
  async #endow(address: AddressObject, wei: bigint): Promise<void> {
    const { balance = 0n } = (await this.state.getAccount(address)) ?? {};
    if (balance < wei) await this.#pay(address, wei - balance);
  }

  async #systemCalls(): Promise<void> {
    for (const { params } of systemCalls(this.header)) {
      const [contract, slot, value] = params as [Address, Hex, Hex];
      const address = createAddressFromString(contract);
      // A call of an account without code changes nothing.
      if ((await this.state.getCodeSize(address)) === 0) continue;
      const key = Buffer.from(slot.slice(2).padStart(64, '0'), 'hex');
      await this.state.putStorage(address, key, Buffer.from(value.slice(2), 'hex'));
    }
  }

  /** EIP-7685: after the withdrawals, the system calls the contracts that queue requests. No chain of the OP Stack has requests. */
  async #requests(): Promise<void> {
    const { hardfork, upgrade } = this.rules;
    if (upgrade !== undefined) return;
    const caller = createAddressFromString(SYSTEM_ADDRESS);
    for (const contract of requestContracts(hardfork)) {
      const to = createAddressFromString(contract);
      if ((await this.state.getCodeSize(to)) === 0) continue;
      const { vm, block } = await this.#vm();
      const before = await this.state.getAccount(caller);
      await vm.evm.runCall({ block, caller, to, gasLimit: SYSTEM_GAS });
      await vm.evm.journal.cleanup();
      await this.state.putAccount(caller, before);
    }
  }

  #hashOf(number: bigint): Promise<Hash> {
    if (number === BigInt(this.header.number) - 1n) return Promise.resolve(this.header.parentHash);
    const known = this.#hashes.get(number);
    if (known) return known;
    const params = [toQuantity(number), false];
    const hash = this.rpc
      .request('eth_getBlockByNumber', params)
      .then((block) => (block as RpcBlockHeader | null)?.hash ?? `0x${'0'.repeat(64)}`);
    this.#hashes.set(number, hash as Promise<Hash>);
    return hash as Promise<Hash>;
  }
}
