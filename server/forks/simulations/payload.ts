import { fieldsOf, isMissing, type Fields } from '../../evm/forms/fields';
import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import type { BaseFeeRule } from '../../evm/families/op-stack/next-base-fee';

/** One entry of `blockStateCalls`, with the names of execution-apis. */
export interface BlockStateCalls {
  overrides: Fields;
  stateOverrides: Fields;
  calls: readonly Fields[];
}

export interface SimulationPayload {
  blocks: readonly BlockStateCalls[];
  traceTransfers: boolean;
  validation: boolean;
  /** Most gas of a transaction (EIP-7825), if the calls are checked as transactions. */
  maxGas?: number | undefined;
  /** How the base fee follows, if not by Ethereum's rule. */
  baseFee?: BaseFeeRule | undefined;
  fullTransactions: boolean;
}

/** Members of block overrides, by all names that the engine and other nodes use. */
const OVERRIDES: ReadonlyMap<string, string> = new Map([
  ...['number', 'time', 'gasLimit', 'feeRecipient', 'prevRandao', 'baseFeePerGas'].map(
    (name): [string, string] => [name, name],
  ),
  ...['blobBaseFee', 'withdrawals'].map((name): [string, string] => [name, name]),
  ['blockNumber', 'number'],
  ['timestamp', 'time'],
  ['coinbase', 'feeRecipient'],
  ['random', 'prevRandao'],
  ['baseFee', 'baseFeePerGas'],
]);

/** @throws RpcError -32602 for an invalid payload, -38026 for too many blocks, -32004 for features that the engine lacks */
export function parsePayload(payload: unknown): SimulationPayload {
  const given = fieldsOf('the payload', payload);
  const { blockStateCalls } = given;
  if (!Array.isArray(blockStateCalls) || blockStateCalls.length === 0) {
    throw invalidParams('blockStateCalls', blockStateCalls, 'an array of at least one block');
  }
  if (blockStateCalls.length > LIMITS.simulatedBlocks) throw tooManyBlocks();
  return {
    blocks: blockStateCalls.map(parseBlock),
    traceTransfers: given['traceTransfers'] === true,
    validation: given['validation'] === true,
    fullTransactions: given['returnFullTransactions'] === true,
  };
}

export const tooManyBlocks = (): RpcError =>
  new RpcError(
    RPC_CODES.simulationTooLarge,
    `too many blocks: a simulation has up to ${LIMITS.simulatedBlocks}`,
  );

function parseBlock(block: unknown): BlockStateCalls {
  const { blockOverrides, stateOverrides, calls } = fieldsOf('a block of blockStateCalls', block);
  const state = fieldsOf('stateOverrides', stateOverrides ?? {});
  checkState(state);
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) {
    throw invalidParams('calls', calls, 'an array');
  }
  return {
    overrides: parseOverrides(fieldsOf('blockOverrides', blockOverrides ?? {})),
    stateOverrides: state,
    calls: ((calls ?? []) as unknown[]).map(parseCall),
  };
}

/** Nonces of senders are read before the engine checks the calls. Null means that a field is missing. */
function parseCall(call: unknown): Fields {
  const given = Object.fromEntries(
    Object.entries(fieldsOf('a call', call)).filter(([, value]) => !isMissing(value)),
  );
  const { from } = given;
  if (from !== undefined && !(typeof from === 'string' && /^0x[0-9a-f]{40}$/i.test(from))) {
    throw invalidParams('from', from, 'an address: 0x and 40 hex digits');
  }
  return given;
}

function parseOverrides(given: Fields): Fields {
  const overrides: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const known = OVERRIDES.get(name);
    if (known === undefined) {
      throw invalidParams('blockOverrides', name, [...new Set(OVERRIDES.values())].join(', '));
    }
    if (!isMissing(value)) overrides[known] = value;
  }
  const { blobBaseFee, withdrawals, ...rest } = overrides;
  if (blobBaseFee !== undefined) {
    throw unsupported('blockOverrides.blobBaseFee', 'the engine computes the price of blob gas');
  }
  if (Array.isArray(withdrawals) && withdrawals.length > 0) {
    throw unsupported('blockOverrides.withdrawals', 'the engine executes no withdrawals');
  }
  return rest;
}

function checkState(state: Fields): void {
  for (const [address, override] of Object.entries(state)) {
    const { movePrecompileToAddress: target } = fieldsOf(`stateOverrides.${address}`, override);
    if (isMissing(target)) continue;
    if (!isPrecompile(address))
      throw new RpcError(RPC_CODES.invalidInput, `account ${address} is not a precompile`);
    if (typeof target === 'string' && target.toLowerCase() === address.toLowerCase()) {
      throw new RpcError(
        RPC_CODES.precompileMovedToItself,
        `movePrecompileToAddress of ${address} refers to itself`,
      );
    }
    throw unsupported('movePrecompileToAddress', 'the engine cannot move precompiles');
  }
}

/** EIP-2537 ends at 0x11, EIP-7951 is at 0x100. */
function isPrecompile(address: string): boolean {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return false;
  const place = BigInt(address);
  return (place >= 1n && place <= 0x11n) || place === 0x100n;
}

const unsupported = (name: string, why: string): RpcError =>
  new RpcError(RPC_CODES.notSupported, `${name} is not supported: ${why}`);
