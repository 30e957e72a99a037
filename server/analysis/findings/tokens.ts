import type { Address } from '../../api/primitives';
import type { Contradiction } from '../balances/reconcile';
import type { TokenFacts } from '../ports';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/** Tokens of which a balance changed by another amount than their events claim. One finding for each token. */
export function contradictedTokens(contradictions: readonly Contradiction[]): Finding[] {
  const found = new Map<Address, Contradiction>();
  for (const one of contradictions) {
    if (one.standard === 'native') continue;
    const known = found.get(one.asset);
    if (!known || differenceOf(one) > differenceOf(known)) found.set(one.asset, one);
  }
  return [...found.values()].map((one) => {
    const { asset, account, claimed, measured, nodeIds } = one;
    // Where the directions differ, no pair of amounts says it.
    const isOpposite = (claimed < 0n && measured > 0n) || (claimed > 0n && measured < 0n);
    return {
      kind: 'eventsContradicted',
      contract: asset,
      account,
      amounts: isOpposite ? [] : [amountOf(one, claimed), amountOf(one, measured)],
      nodeIds: [...nodeIds],
    };
  });
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
const differenceOf = ({ claimed, measured }: Contradiction): bigint =>
  magnitude(claimed - measured);

const amountOf = ({ asset, standard, tokenId }: Contradiction, net: bigint): Quantity => ({
  asset,
  standard,
  ...(tokenId === undefined ? {} : { tokenId }),
  amount: magnitude(net),
});

/** Tokens of the transaction whose symbol looks like that of a well-known token at another address, with the first call or event of each. */
export const imitatedTokens = (
  { steps }: Pick<Scene, 'steps'>,
  tokens: ReadonlyMap<Address, TokenFacts>,
): Finding[] =>
  [...tokens].flatMap(([contract, { imitates }]) => {
    const first = steps.find(({ frame, log }) => (log?.address ?? frame.to) === contract);
    return imitates === undefined || !first
      ? []
      : { kind: 'imitatedToken', contract, nodeIds: [first.id] };
  });
