import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { fieldsOf, quantityOf, type Fields } from '../../evm/forms/fields';
import { invalidParams } from '../../evm/forms/json-rpc';
import { parseJsonWork } from '../../kernel/async/parse-json';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import { inSlices } from '../../kernel/async/slices';
import { LIMITS } from '../../api/limits';
import { LOADED_BLOCK } from '../../execution/prefix/engine-blob-gas';
import { headOf } from '../reads/block-numbers';
import { methods, read, write, type Methods } from './fork-method';

/** The state of a fork in anvil's format: JSON, compressed with gzip, as hex. */
export const PORTABLE_STATE: Methods = methods({
  anvil_dumpState: read(async (fork, [withHistory]) => {
    if (withHistory !== undefined && withHistory !== null && withHistory !== false) {
      const accepted = 'false: a fork keeps its history';
      throw invalidParams('preserveHistoricalStates', withHistory, accepted);
    }
    const state = (await fork.engine.request('anvil_dumpState', [])) as string;
    return withoutForeignBlocks(state, headOf(fork) === fork.forkBlock);
  }),
  anvil_loadState: write(async ({ writer }, [state]) => {
    const params = [await packed(await accountsIn(state))];
    return writer.change({ method: 'anvil_loadState', params });
  }),
});

/**
 * Removes the blocks from a dump that are not the fork's own: those that set the blob gas, and the newest block if the dump does not contain
 * it, because it is the chain's. Engines do not load a dump with such a block.
 * @param isAtForkPoint whether the newest block is the chain's
 */
async function withoutForeignBlocks(dump: string, isAtForkPoint: boolean): Promise<string> {
  const state = await unpacked(bytesOf(dump)).catch(() => undefined);
  if (state === undefined) return dump; // larger than the limit for loading
  const all = (state['blocks'] ?? []) as { header: { number: string } }[];
  const blocks = all.filter(({ header }) => Number(header.number) !== LOADED_BLOCK);
  if (!isAtForkPoint && blocks.length === all.length) return dump;
  const whole = {
    ...state,
    blocks,
    ...(isAtForkPoint ? { block: null, best_block_number: null } : {}),
  };
  return hexOf(await promisify(gzip)(JSON.stringify(whole)));
}

/** A state without blocks, so that the fork keeps its own. */
async function packed(accounts: object): Promise<string> {
  const state = { block: null, best_block_number: null, accounts, blocks: [], transactions: [] };
  return hexOf(await promisify(gzip)(JSON.stringify(state)));
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const hexOf = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;

/** @throws RpcError -32602 */
async function accountsIn(state: unknown): Promise<object> {
  if (typeof state !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(state)) {
    throw invalidParams('the state', state, 'the result of anvil_dumpState: bytes as hex');
  }
  const { accounts } = await unpacked(bytesOf(state));
  const checked: Record<string, object> = {};
  for (const [address, account] of Object.entries(fieldsOf('accounts', accounts))) {
    if (!/^0x[0-9a-f]{40}$/i.test(address)) {
      throw invalidParams('an address of accounts', address, '0x and 40 hex digits');
    }
    checked[address.toLowerCase()] = accountOf(address, fieldsOf(`accounts.${address}`, account));
  }
  return checked;
}

async function unpacked(bytes: Buffer): Promise<Fields> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const most = { maxOutputLength: LIMITS.loadedState };
  try {
    const json = isPacked ? await promisify(gunzip)(bytes, most) : bytes;
    return fieldsOf('the state', await inSlices(parseJsonWork(json)));
  } catch {
    const accepted = `JSON of up to ${LIMITS.loadedState} bytes, plain or compressed by gzip`;
    throw invalidParams('the state', `${bytes.length} bytes`, accepted);
  }
}

function accountOf(address: string, { nonce, balance, code = '0x', storage = {} }: Fields): object {
  const at = (name: string): string => `accounts.${address}.${name}`;
  if (typeof code !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(code)) {
    throw invalidParams(at('code'), code, 'bytes as hex');
  }
  const slots = Object.entries(fieldsOf(at('storage'), storage)).map(([slot, value]) => [
    toWord(quantityOf(at('storage'), slot)),
    toWord(quantityOf(at(`storage.${slot}`), value)),
  ]);
  return {
    nonce: Number(quantityOf(at('nonce'), nonce, 53)),
    balance: toQuantity(quantityOf(at('balance'), balance)),
    code,
    storage: Object.fromEntries(slots) as object,
  };
}
