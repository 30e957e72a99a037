import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Address, Hash, Hex } from '../../api/primitives';
import { parseJsonWork } from '../../kernel/async/parse-json';
import { inSlices, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { EngineAccount, EngineState } from '../../evm/forms/engine-state';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';

/** A part of a state as JSON, as engines list it. */
export type StateJson = Record<
  Address,
  { balance: Hex; nonce: number | Hex; code?: Hex; storage?: Record<Hex, Hex> }
>;

/** Bytes of JSON that are parsed at a time. */
const [PIECE, WHOLE] = [64 * 1024, 256 * 1024];

/** What an engine has read or written since it forked. */
export async function readState(engine: RpcClient, signal?: AbortSignal): Promise<EngineState> {
  const dump = (await engine.request('anvil_dumpState', [], { signal })) as Hex;
  const json = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
  const read = await inSlices(parseJsonWork(json, PIECE, WHOLE), signal);
  return inSlices(stateWork((read as { accounts: StateJson }).accounts), signal);
}

export function* stateWork(accounts: StateJson): Work<EngineState> {
  const state: EngineState = new Map();
  for (const [address, { balance, nonce, code = '0x', storage = {} }] of Object.entries(accounts)) {
    const slots = new Map<Hash, Hash>();
    const account: EngineAccount = {
      balance: BigInt(balance),
      nonce: BigInt(nonce),
      code,
      storage: slots,
    };
    state.set(address.toLowerCase() as Address, account);
    for (const [slot, value] of Object.entries(storage)) {
      slots.set(toWord(BigInt(slot)), toWord(BigInt(value)));
      if (slots.size % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    }
    yield 1;
  }
  return state;
}

export function stateToJson(state: EngineState): StateJson {
  const json: StateJson = {};
  for (const [address, { balance, nonce, code, storage }] of state) {
    json[address] = {
      balance: toQuantity(balance),
      nonce: toQuantity(nonce),
      code,
      storage: Object.fromEntries(storage),
    };
  }
  return json;
}
