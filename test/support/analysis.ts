import { concat, keccak256 } from 'ethers';
import type { CallFrame, Log } from '../../server/analysis/call-frame';
import { ContractInterface } from '../../server/analysis/contract-interface';
import type {
  Contract,
  Identification,
  MinedTransaction,
  Network,
} from '../../server/analysis/ports';
import type { ViewSources } from '../../server/analysis/views/analysis-service';
import { ApiError } from '../../server/api/errors';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import { toWord } from '../../server/evm/forms/quantity';
import { ScriptedRpc } from './scripted-rpc';

/** An address that ends in the number's hex digits. */
export const account = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
export const word = (value: bigint | number | Address): Hash =>
  toWord(typeof value === 'string' ? BigInt(value) : value);

/** Slot of an entry of the mapping in that slot, in the way of Solidity. */
export const mappingSlot = (key: Hash, slot: Hash | bigint | number): Hash =>
  keccak256(concat([key, typeof slot === 'string' ? slot : word(slot)])) as Hash;

/** A successful call without effects, apart from the given facts. */
export function frame(facts: Partial<CallFrame> = {}): CallFrame {
  return {
    type: 'CALL',
    from: account(0xa11),
    to: account(0xb0b),
    value: 0n,
    gasUsed: 21_000,
    input: '0x',
    output: '0x',
    items: [],
    ...facts,
  };
}

export const log = (address: Address, topics: Hash[], data: Hex = '0x'): Log => ({
  address,
  topics,
  data,
});

export const abi = (...items: string[]): ContractInterface => ContractInterface.fromAbi(items);

export function identification(
  contracts: Record<Address, Contract> = {},
  signatures: readonly ContractInterface[] = [],
): Identification {
  return {
    contracts: new Map(Object.entries(contracts) as [Address, Contract][]),
    creations: new Map(),
    signatures,
  };
}

export const network = (
  rpc: RpcClient = new ScriptedRpc({}),
  facts: Partial<Network> = {},
): Network => ({
  key: 'test',
  chainId: 1,
  nativeSymbol: 'ETH',
  rpc,
  replayable: false,
  ...facts,
});

/** Sources of views that a test does not request. */
export const unusedSources: Pick<ViewSources, 'stateDiffs' | 'spentGas' | 'rulesOf'> = {
  stateDiffs: { diff: () => Promise.reject(new ApiError('internal', 'no state differences')) },
  spentGas: { spentGas: () => Promise.resolve(undefined) },
  rulesOf: () => undefined,
};

/** A copy that lacks a field. */
export function without<T extends object, Field extends keyof T>(
  value: T,
  field: Field,
): Omit<T, Field> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field)) as Omit<
    T,
    Field
  >;
}

export const HASH = word(0x7);
export const BLOCK_HASH = word(0xb10c);

/** A plain transaction from account a to account b in block 100. */
export function mined(
  facts: {
    transaction?: Partial<MinedTransaction['transaction']>;
    receipt?: Partial<MinedTransaction['receipt']>;
    block?: Partial<MinedTransaction['block']>;
  } = {},
): MinedTransaction {
  const place = { blockHash: BLOCK_HASH, blockNumber: '0x64', transactionIndex: '0x0' } as const;
  const sides = { from: account(0xa11), to: account(0xb0b) };
  return {
    transaction: {
      ...place,
      ...sides,
      hash: HASH,
      nonce: '0x0',
      value: '0x0',
      gas: '0x186a0',
      gasPrice: '0x3b9aca00',
      input: '0x',
      ...facts.transaction,
    },
    receipt: {
      ...place,
      ...sides,
      transactionHash: HASH,
      contractAddress: null,
      gasUsed: '0x5208',
      cumulativeGasUsed: '0x5208',
      effectiveGasPrice: '0x3b9aca00',
      status: '0x1',
      logs: [],
      ...facts.receipt,
    },
    block: {
      number: '0x64',
      hash: BLOCK_HASH,
      parentHash: word(0xb10b),
      timestamp: '0x65000000',
      miner: account(0xfee),
      gasLimit: '0x1c9c380',
      gasUsed: '0x5208',
      ...facts.block,
    },
  };
}

/** The call tracer's answer for that transaction. */
export const TRACED = {
  type: 'CALL',
  from: account(0xa11),
  to: account(0xb0b),
  value: '0x0',
  gas: '0x1',
  gasUsed: '0x5208',
  input: '0x',
};
