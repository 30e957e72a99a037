import type { RpcTransaction } from '../../evm/forms/types';
import type { Address, Hex } from '../../api/primitives';
import { mintOf } from '../../evm/forms/deposit';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { setBalance } from '../../evm/forms/engine-state';

/** Adds a deposit's minted amount to its sender's balance: an engine executes the deposit as a call, which mints nothing. */
export async function mintOnEngine(
  engine: RpcClient,
  transaction: RpcTransaction,
  signal: AbortSignal,
): Promise<void> {
  const mint = mintOf(transaction);
  if (mint === 0n) return;
  const { from } = transaction;
  const currentBalance = (await engine.request('eth_getBalance', [from, 'latest'], {
    signal,
  })) as Hex;
  const { method, params } = setBalance(from, BigInt(currentBalance) + mint);
  await engine.request(method, params, { signal });
}

type Balances = Readonly<Record<Address, { readonly balance?: Hex } | undefined>>;

/** Adds the mint to the changes of a transaction (`prestateTracer` with `diffMode`) that ran on an engine after `mintOnEngine`. */
export function withMint(transaction: RpcTransaction, answer: unknown): unknown {
  const mint = mintOf(transaction);
  if (mint === 0n) return answer;
  const { pre, post } = answer as { pre: Balances; post: Balances };
  const sender = transaction.from.toLowerCase() as Address;
  const found = BigInt(pre[sender]?.balance ?? '0x0');
  const left = post[sender]?.balance ?? toQuantity(found);
  return {
    pre: { ...pre, [sender]: { ...pre[sender], balance: toQuantity(found - mint) } },
    post: { ...post, [sender]: { ...post[sender], balance: left } },
  };
}
