import { NATIVE_ASSET } from '../../api/native-asset';
import type { Address } from '../../api/primitives';
import type { PlacedTransfer } from '../transfers/collect';
import type { Account } from './account';
import type { Clause } from './clause';
import { groupBy } from './group-by';
import { quantityOf } from './quantity';
import type { Scene } from './scene';

/** Ether for the same amount of a wrapped native token, and back. */
export function wrappings(account: Account, scene: Scene): Clause[] {
  const wrappers = wrappersOf(scene);
  if (wrappers.size === 0) return [];
  // Some wrappers report a mint or a burn, others a transfer with themselves.
  const tokens = groupBy(
    account.all(
      ({ asset, standard, other, isOfNobody }) =>
        standard === 'erc20' && wrappers.has(asset) && (isOfNobody || other === asset),
    ),
    ({ transfer }) => transfer.asset,
  );
  if (tokens.size === 0) return [];
  const natives = groupBy(
    account.all(
      ({ asset, other }) => asset === NATIVE_ASSET && other !== undefined && wrappers.has(other),
    ),
    ({ transfer: { from, to, amount } }) => routeOf(from, to, amount),
  );
  const found: Clause[] = [];
  for (const wrapper of wrappers) {
    for (const token of tokens.get(wrapper) ?? []) {
      const { to, amount } = token.transfer;
      const isWrap = to === account.address;
      const sides = isWrap ? [account.address, wrapper] : [wrapper, account.address];
      const native = natives.get(routeOf(sides[0], sides[1], amount))?.shift();
      if (!native) break;
      account.take([token, native]);
      found.push(clauseOf(account, wrapper, { isWrap, token, native }));
    }
  }
  return found;
}

const routeOf = (from: Address | undefined, to: Address | undefined, amount: bigint): string =>
  `${from ?? ''} ${to ?? ''} ${amount}`;

function clauseOf(
  account: Account,
  wrapper: Address,
  { isWrap, token, native }: { isWrap: boolean; token: PlacedTransfer; native: PlacedTransfer },
): Clause {
  const [given, gotten] = isWrap ? [native, token] : [token, native];
  return {
    kind: isWrap ? 'wrapped' : 'unwrapped',
    actor: account.address,
    gave: [quantityOf(given.transfer)],
    got: [quantityOf(gotten.transfer)],
    counterparty: wrapper,
    nodeIds: [token.frameId, token.nodeId],
  };
}

function wrappersOf({ wrappedNative, events }: Scene): ReadonlySet<Address> {
  const wrappers = new Set<Address>(wrappedNative === undefined ? [] : [wrappedNative]);
  for (const { signature, address } of events) {
    if (signature === 'Deposit(address,uint256)' || signature === 'Withdrawal(address,uint256)') {
      wrappers.add(address);
    }
  }
  return wrappers;
}
