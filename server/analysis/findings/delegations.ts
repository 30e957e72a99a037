import type { Address } from '../../api/primitives';
import { isFungible, type Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/** An account that runs the code of a contract since this transaction (EIP-7702), as its code after the block shows. */
export interface Delegation {
  readonly authority: Address;
  readonly delegate: Address;
  /** A list of the chain contains the contract. */
  readonly isListed: boolean;
}

/** Accounts that took on code of a contract that no list knows; emptied, if they lost what they had while another account sent it. */
export function delegationFindings(
  delegations: readonly Delegation[],
  scene: Scene,
  /** Tokens of which the account has nothing left. */
  emptied: ReadonlyMap<Address, ReadonlySet<Address>>,
): Finding[] {
  return delegations.flatMap((one): Finding | [] => {
    const { authority, delegate, isListed } = one;
    if (isListed) return [];
    const lost = lostFor(one, scene, emptied.get(authority) ?? new Set());
    if (!lost) {
      return { kind: 'delegatedToUnknown', contract: delegate, account: authority, nodeIds: [0] };
    }
    return {
      kind: 'delegatedAndEmptied',
      contract: delegate,
      account: authority,
      ...(lost.recipient === undefined ? {} : { recipient: lost.recipient }),
      amounts: lost.amounts,
      nodeIds: lost.nodeIds,
    };
  });
}

const MAX_AMOUNTS = 2;

/**
 * What an account lost by a transaction of another account: to its sender, or everything of a token. What it sends itself, or pays by a
 * relayer and keeps a rest of, is no loss of this kind.
 */
function lostFor(
  { authority }: Delegation,
  { root, nets, transfers }: Scene,
  emptied: ReadonlySet<Address>,
): { amounts: Quantity[]; recipient: Address | undefined; nodeIds: number[] } | undefined {
  const own = nets.get(authority) ?? [];
  if (root.from === authority || own.length === 0) return undefined;
  if (own.some(({ amount }) => amount > 0n)) return undefined;
  const moves = transfers.filter(({ transfer }) => transfer.from === authority);
  const recipients = new Set(moves.map(({ transfer, measured }) => transfer.to ?? measured?.other));
  const isTaken = recipients.has(root.from) || own.some(({ asset }) => emptied.has(asset));
  if (!isTaken) return undefined;
  const [recipient] = recipients;
  const amounts = own.slice(0, MAX_AMOUNTS).map(({ asset, standard, tokenId, amount }) => ({
    asset,
    standard,
    ...(tokenId === undefined ? {} : { tokenId }),
    amount: isFungible({ standard }) ? -amount : 1n,
  }));
  const nodeIds = moves.map(({ nodeId }) => nodeId);
  return { amounts, recipient: recipients.size === 1 ? recipient : undefined, nodeIds };
}
