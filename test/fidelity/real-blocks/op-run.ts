import type { Block } from '@ethereumjs/block';
import { RLP } from '@ethereumjs/rlp';
import { createTxFromRLP } from '@ethereumjs/tx';
import {
  bytesToHex,
  concatBytes,
  createAccount,
  createAddressFromString,
  hexToBytes,
} from '@ethereumjs/util';
import { Bloom, encodeReceipt, runTx, type VM } from '@ethereumjs/vm';
import { decodeRlp, keccak256, Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../../server/api/primitives';
import { toQuantity } from '../../../server/evm/forms/quantity';
import { l1Fee, l1GasUsed } from '../../../server/evm/families/op-stack/fees';
import {
  readFeeParameters,
  type OpFeeParameters,
} from '../../../server/evm/families/op-stack/fee-parameters';
import { opReceiptFields } from '../../../server/evm/families/op-stack/receipt-fields';
import type { Executed } from '../reference/chain';
import { priceOf } from '../reference/context';
import { FrameRecorder, type Frame } from '../reference/frames';
import type { ReferenceState } from '../reference/state';
import type { Deposit, RealExecuted } from './real-block';

type Log = [address: Uint8Array, topics: Uint8Array[], data: Uint8Array];

const predeploy = (byte: string): Address => `0x42000000000000000000000000000000000000${byte}`;
const [L1_BLOCK, BASE_FEE_VAULT, L1_FEE_VAULT] = ['15', '19', '1a'].map(predeploy) as [
  Address,
  Address,
  Address,
];
const DEPOSIT = '0x7e';
const [TRANSACTION_GAS, CREATION_GAS] = [21_000n, 32_000n];
const UPGRADE = 'holocene';

interface Outcome {
  status: boolean;
  gasUsed: bigint;
  logs: readonly Log[];
  bits: Uint8Array;
  encoded: Uint8Array;
  created: Address | null;
}

/** The transactions of one block of Holocene, in order. Deposits and fees follow the OP specs; the rest is done by @ethereumjs/vm. */
export class OpRun {
  readonly executed: RealExecuted[] = [];
  readonly receipts: { encoded: Uint8Array; bits: Uint8Array }[] = [];
  gasUsed = 0n;
  #parameters: OpFeeParameters | undefined;

  constructor(
    private readonly vm: VM,
    private readonly state: ReferenceState,
    private readonly block: Block,
    private readonly isRecorded: boolean,
  ) {}

  async execute(raw: Hex): Promise<void> {
    const before = this.state.world();
    const recorder = new FrameRecorder(this.vm);
    if (!this.isRecorded) recorder.stop();
    let one: { outcome: Outcome; facts: OwnFacts };
    try {
      one = raw.startsWith(DEPOSIT) ? await this.#deposit(raw) : await this.#signed(raw);
    } finally {
      recorder.stop();
    }
    const { outcome, facts } = one;
    const { gasUsed, status, logs, created, encoded, bits } = outcome;
    this.gasUsed += gasUsed;
    this.receipts.push({ encoded, bits });
    const root = recorder.root ?? noFrame(facts);
    Object.assign(root, { gasUsed, gas: facts.gasLimit });
    this.executed.push({
      ...facts,
      raw,
      root,
      instructions: recorder.instructions,
      before,
      status,
      gasUsed,
      created,
      index: this.executed.length,
      cumulativeGasUsed: this.gasUsed,
      blobGasUsed: 0n,
      blobGasPrice: 0n,
      logs: logs.map(([address, topics, data]) => ({
        address: bytesToHex(address),
        topics: topics.map((topic): Hash => bytesToHex(topic)),
        data: bytesToHex(data),
      })),
      after: this.state.world(),
    });
  }

  async #signed(raw: Hex): Promise<{ outcome: Outcome; facts: OwnFacts }> {
    const { vm, block } = this;
    const bytes = hexToBytes(raw);
    const tx = createTxFromRLP(bytes, { common: vm.common });
    const parameters = await this.#feeParameters();
    const dataFee = l1Fee(parameters, UPGRADE, bytes);
    const sender = tx.getSenderAddress().toString();
    await this.#add(sender, -dataFee);
    const result = await runTx(vm, { tx, block, blockGasUsed: this.gasUsed });
    const gasUsed = result.totalGasSpent;
    const baseFee = block.header.baseFeePerGas ?? 0n;
    const vaults = new Map([
      [BASE_FEE_VAULT, gasUsed * baseFee],
      [L1_FEE_VAULT, dataFee],
    ]);
    for (const [vault, wei] of vaults) await this.#add(vault, wei);
    const transaction = Transaction.from(raw);
    const gasPrice = priceOf(transaction, baseFee);
    const receipt = { ...result.receipt, cumulativeBlockGasUsed: this.gasUsed + gasUsed };
    const { createdAddress } = result;
    return {
      outcome: {
        status: result.execResult.exceptionError === undefined,
        gasUsed,
        logs: receipt.logs,
        bits: receipt.bitvector,
        encoded: encodeReceipt(receipt, tx.type),
        created: createdAddress && transaction.to === null ? createdAddress.toString() : null,
      },
      facts: {
        transaction,
        signed: transaction,
        vaults,
        extraFee: dataFee,
        gasPrice,
        tip: gasPrice - baseFee,
        gasLimit: tx.gasLimit,
        receiptFields: opReceiptFields(UPGRADE, parameters, {
          l1Fee: dataFee,
          l1GasUsed: l1GasUsed(parameters, UPGRADE, bytes),
          daFootprint: 0n,
        }),
      },
    };
  }

  /** What it mints stays if it fails, and the nonce rises; its gas is not paid for. */
  async #deposit(raw: Hex): Promise<{ outcome: Outcome; facts: OwnFacts }> {
    const fields = readDeposit(raw);
    await this.#add(fields.from, fields.mint);
    const nonce = (await this.#account(fields.from)).nonce;
    const deposit: Deposit = { ...fields, nonce };
    const outcome = await this.#executeDeposit(deposit);
    return {
      outcome,
      facts: {
        transaction: { hash: keccak256(raw), from: deposit.from },
        deposit,
        gasPrice: 0n,
        tip: 0n,
        gasLimit: deposit.gas,
        receiptFields: {
          depositNonce: toQuantity(nonce),
          depositReceiptVersion: '0x1',
        },
      },
    };
  }

  async #executeDeposit({ from, to, value, gas, input, nonce }: Deposit): Promise<Outcome> {
    const { vm, state, block } = this;
    const intrinsic = intrinsicGas(hexToBytes(input), to);
    const { balance } = await this.#account(from);
    const begins = gas >= intrinsic && balance >= value;
    const account = await this.#account(from);
    account.nonce = nonce + 1n;
    const caller = createAddressFromString(from);
    await state.putAccount(caller, account);
    let [status, gasUsed, logs, created]: [boolean, bigint, readonly Log[], Address | null] = [
      false,
      gas,
      [],
      null,
    ];
    if (begins) {
      const { journal } = vm.evm;
      await journal.cleanup();
      state.originalStorageCache.clear();
      const warm = [...vm.evm.precompiles.keys(), from, block.header.coinbase.toString()];
      for (const one of to === null ? warm : [...warm, to]) journal.addAlwaysWarmAddress(one);
      const { execResult, createdAddress } = await vm.evm.runCall({
        block,
        gasPrice: 0n,
        caller,
        gasLimit: gas - intrinsic,
        value,
        data: hexToBytes(input),
        skipNonceIncrement: true,
        ...(to === null ? {} : { to: createAddressFromString(to) }),
      });
      await journal.cleanup();
      const spent = intrinsic + execResult.executionGasUsed;
      const refund = execResult.gasRefund ?? 0n;
      gasUsed = spent - (refund < spent / 5n ? refund : spent / 5n);
      status = execResult.exceptionError === undefined;
      logs = status ? (execResult.logs ?? []) : [];
      created = to === null && createdAddress ? createdAddress.toString() : null;
    }
    const bloom = new Bloom();
    for (const [address, topics] of logs) for (const item of [address, ...topics]) bloom.add(item);
    const bits = bloom.bitvector;
    const numbers = [status ? 1 : 0, this.gasUsed + gasUsed];
    const receipt = RLP.encode([...numbers, bits, logs as Log[], nonce, 1]);
    const encoded = concatBytes(hexToBytes(DEPOSIT), receipt);
    return { status, gasUsed, logs, bits, encoded, created };
  }

  async #feeParameters(): Promise<OpFeeParameters> {
    const l1Block = createAddressFromString(L1_BLOCK);
    this.#parameters ??= await readFeeParameters(UPGRADE, async (slot) => {
      const bytes = await this.state.getStorage(l1Block, hexToBytes(slot));
      return bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes));
    });
    return this.#parameters;
  }

  async #account(address: Address): Promise<ReturnType<typeof createAccount>> {
    return (await this.state.getAccount(createAddressFromString(address))) ?? createAccount({});
  }

  async #add(address: Address, wei: bigint): Promise<void> {
    if (wei === 0n) return;
    const account = await this.#account(address);
    account.balance += wei;
    await this.state.putAccount(createAddressFromString(address), account);
  }
}

type OwnFacts = Pick<
  RealExecuted,
  | 'transaction'
  | 'signed'
  | 'deposit'
  | 'vaults'
  | 'extraFee'
  | 'receiptFields'
  | 'gasPrice'
  | 'tip'
> & { gasLimit: Executed['gasUsed'] };

function readDeposit(raw: Hex): Omit<Deposit, 'nonce'> {
  const fields = decodeRlp(`0x${raw.slice(4)}`) as [Hash, Address, Hex, Hex, Hex, Hex, Hex, Hex];
  const [sourceHash, from, to, mint, value, gas, , input] = fields;
  return {
    sourceHash,
    from,
    to: to === '0x' ? null : to,
    mint: numberOf(mint),
    value: numberOf(value),
    gas: numberOf(gas),
    input,
  };
}

const numberOf = (bytes: Hex): bigint => (bytes === '0x' ? 0n : BigInt(bytes));

function intrinsicGas(data: Uint8Array, to: Address | null): bigint {
  let gas = TRANSACTION_GAS;
  for (const byte of data) gas += byte === 0 ? 4n : 16n;
  return to === null ? gas + CREATION_GAS + 2n * BigInt(Math.ceil(data.length / 32)) : gas;
}

/** A deposit that does not begin has no call in the EVM. */
function noFrame({ transaction, deposit }: OwnFacts): Frame {
  const { from = transaction.from as Address, to = null, value = 0n, input = '0x' } = deposit ?? {};
  const [type, gas] = [to === null ? 'CREATE' : 'CALL', deposit?.gas ?? 0n];
  return {
    type,
    from,
    to: to ?? '',
    value,
    gas,
    gasUsed: gas,
    input,
    output: '0x',
    error: 'insufficient balance for transfer',
    calls: [],
    logs: [],
  };
}
