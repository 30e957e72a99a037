import { Wallet, Transaction } from 'ethers';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcBlockHeader, RpcTransaction } from '../../server/evm/forms/types';
import type { PlacedBlock } from '../../server/execution/prefix/block-executor';
import { ScriptedRpc, type Handlers } from './scripted-rpc';

export const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
export const [OUTER, INNER]: [Address, Address] = [`0x${'c0'.repeat(20)}`, `0x${'c1'.repeat(20)}`];
export const VAULT: Address = '0x4200000000000000000000000000000000000011';
const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015';

const header = {
  number: '0x10',
  hash: toWord(16),
  parentHash: toWord(15),
  timestamp: toQuantity(1_750_000_000),
  miner: VAULT,
  gasLimit: toQuantity(60_000_000),
  gasUsed: '0x0',
  difficulty: '0x0',
  mixHash: toWord(3),
  baseFeePerGas: '0x1',
  excessBlobGas: '0x0',
  extraData: '0x00000000fa00000006',
} as unknown as RpcBlockHeader;

/** A chain with these codes, where Alice has an ether. */
export const nodeWith = (codes: Record<Address, Hex>, more: Handlers = {}): ScriptedRpc =>
  new ScriptedRpc({
    eth_getBalance: (address: string) =>
      toQuantity(address === ALICE.address.toLowerCase() ? 10n ** 18n : 0n),
    eth_getTransactionCount: () => '0x0',
    eth_getCode: (address: Address) => codes[address] ?? (address === L1_BLOCK ? '0x00' : '0x'),
    eth_getStorageAt: () => toWord(0),
    ...more,
  });

/** A transaction of Alice, at position 0. */
export async function signedCall(to: Address, gas: bigint): Promise<RpcTransaction> {
  const fields = { type: 0, chainId: 10, nonce: 0, gasPrice: 7n, gasLimit: gas, to };
  const { hash, signature } = Transaction.from(await ALICE.signTransaction(fields));
  return {
    hash: hash as Hash,
    blockHash: header.hash,
    blockNumber: header.number,
    transactionIndex: '0x0',
    type: '0x0',
    nonce: '0x0',
    from: ALICE.address.toLowerCase() as Address,
    to,
    value: '0x0',
    gas: toQuantity(gas),
    gasPrice: '0x7',
    input: '0x',
    r: signature!.r as Hex,
    s: signature!.s as Hex,
    v: toQuantity(signature!.networkV!),
  };
}

/** The block on a node's chain. */
export const placed = (rpc: RpcClient): PlacedBlock => ({
  rpc,
  chainId: 10,
  hardfork: 'cancun',
  header,
});
