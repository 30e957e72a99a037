import type { Address, Hex } from '../../api/primitives';
import { authorizationsOf } from '../../evm/forms/authorizations';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { Delegation } from '../findings/delegations';
import type { KnownContractSource } from '../ports';
import type { Scene } from '../summary/scene';
import type { BalanceChanges } from './balance-changes';
import type { ViewedExecution } from './viewed-execution';

/** Authorizations and tokens that are read, to bound the requests. */
const MAX_AUTHORIZATIONS = 8;
const MAX_TOKENS = 8;
const DELEGATION = '0xef0100';
const NOBODY: Address = `0x${'0'.repeat(40)}`;
const BALANCE_OF = '0x70a08231'; // balanceOf(address)

/**
 * Accounts that run other code since the transaction (EIP-7702): its authorizations that the code of the account before and after the block
 * bears out. Never rejects for what cannot be read: then there is none.
 */
export async function delegationsOf(
  { located: { network, executed } }: ViewedExecution,
  known: Pick<KnownContractSource, 'isListed'> | undefined,
  signal: AbortSignal,
): Promise<Delegation[]> {
  const { transaction, block } = executed.mined;
  const last = new Map<Address, Address>();
  for (const { authority, delegate } of authorizationsOf(transaction))
    last.set(authority, delegate);
  const asked = [...last]
    .filter(([, delegate]) => delegate !== NOBODY)
    .slice(0, MAX_AUTHORIZATIONS);
  if (asked.length === 0 || executed.isSimulated) return [];
  const number = BigInt(block.number);
  const blocks = [toQuantity(number === 0n ? 0n : number - 1n), block.number];
  const answers = await network.rpc
    .requestAll(
      asked.flatMap(([authority]) =>
        blocks.map((at) => ({ method: 'eth_getCode', params: [authority, at] })),
      ),
      { signal },
    )
    .catch(() => []);
  const codeAt = (index: number): string | undefined => {
    const answer = answers[index];
    return answer?.status === 'fulfilled' && typeof answer.value === 'string'
      ? answer.value.toLowerCase()
      : undefined;
  };
  const found: Delegation[] = [];
  for (const [index, [authority, delegate]] of asked.entries()) {
    const [before, after] = [codeAt(index * 2), codeAt(index * 2 + 1)];
    const taken = `${DELEGATION}${delegate.slice(2)}`;
    if (before === undefined || before === taken || after !== taken) continue;
    const isListed = (await known?.isListed(network, delegate)) ?? false;
    found.push({ authority, delegate, isListed });
  }
  return found;
}

/** Tokens that an account transferred and of which it has nothing left, by account. */
export async function emptiedTokens(
  delegations: readonly Delegation[],
  { nets }: Scene,
  balances: BalanceChanges,
  execution: ViewedExecution,
): Promise<ReadonlyMap<Address, ReadonlySet<Address>>> {
  const lost = delegations.flatMap(({ authority }) =>
    (nets.get(authority) ?? []).flatMap(({ asset, standard, amount }) =>
      standard === 'erc20' && amount < 0n ? [{ authority, asset }] : [],
    ),
  );
  const asked = lost.slice(0, MAX_TOKENS);
  const answers = await balances.ask(
    execution,
    asked.map(({ authority, asset }) => ({
      to: asset,
      data: `${BALANCE_OF}${toWord(BigInt(authority)).slice(2)}` as Hex,
    })),
  );
  const found = new Map<Address, Set<Address>>();
  for (const [index, { authority, asset }] of asked.entries()) {
    if (answers[index] !== 0n) continue;
    found.set(authority, (found.get(authority) ?? new Set()).add(asset));
  }
  return found;
}
