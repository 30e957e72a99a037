import { NATIVE_ASSET } from '../../api/native-asset';
import type { Address } from '../../api/primitives';
import type { Account } from './account';
import type { Clause } from './clause';
import { quantityOf } from './quantity';
import type { Scene } from './scene';

/** Ether for the same amount of a wrapped native token, and back. */
export function wrappings(account: Account, scene: Scene): Clause[] {
  const found: Clause[] = [];
  for (const wrapper of wrappersOf(scene)) {
    for (;;) {
      const clause = wrapping(account, wrapper);
      if (!clause) break;
      found.push(clause);
    }
  }
  return found;
}

/** Some wrappers report a mint or a burn, others a transfer with themselves. */
function wrapping(account: Account, wrapper: Address): Clause | undefined {
  const token = account.find(
    ({ asset, standard, other, isOfNobody }) =>
      asset === wrapper && standard === 'erc20' && (isOfNobody || other === wrapper),
  );
  if (!token) return undefined;
  const { to, amount } = token.transfer;
  const isWrap = to === account.address;
  const native = account.find(
    (one) =>
      one.asset === NATIVE_ASSET &&
      one.other === wrapper &&
      one.amount === amount &&
      one.isOut === isWrap,
  );
  if (!native) return undefined;
  account.take(token, native);
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
