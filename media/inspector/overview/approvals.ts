import type { Event } from '../../../server/api/explorer';

/** Who may spend what from now on. */
export interface Approval {
  id: number;
  token: string;
  owner: string;
  spender: string;
  /** Smallest unit or token id, plain decimal; true or false for all tokens of the contract. */
  value: string;
  scope: 'amount' | 'token' | 'all';
  /** The right was taken back. */
  revoked: boolean;
}

const NOBODY = `0x${'0'.repeat(40)}`;

function approvalOf({ id, contract, decodedLog, topics }: Event): Approval | undefined {
  const [owner, spender, value] = decodedLog.params.map((param) => param.value);
  if (owner === undefined || spender === undefined || value === undefined) return undefined;
  const approval = { id, token: contract, owner, spender, value };
  switch (decodedLog.signature) {
    case 'Approval(address,address,uint256)':
      return topics.length === 4
        ? { ...approval, scope: 'token', revoked: spender === NOBODY }
        : { ...approval, scope: 'amount', revoked: value === '0' };
    case 'ApprovalForAll(address,address,bool)':
      return { ...approval, scope: 'all', revoked: value === 'false' };
    default:
      return undefined;
  }
}

/** A token with an id has one spender at a time; else each spender has a right of his own. */
function keyOf({ token, owner, spender, value, scope }: Approval): string {
  return scope === 'token' ? `${token} #${value}` : `${token} ${owner} ${spender} ${scope}`;
}

/** The approvals of a transaction that hold at its end. Tokens log them at every spending as well: the last word counts. */
export class Approvals {
  readonly #byKey = new Map<string, Approval>();

  /** Takes the next event that was not rolled back. */
  see(event: Event): void {
    const { contract, decodedLog, topics } = event;
    // Who gets a token with an id gets it without the approvals of the one before.
    if (decodedLog.signature === 'Transfer(address,address,uint256)' && topics.length === 4) {
      this.#byKey.delete(`${contract} #${decodedLog.params[2]?.value ?? ''}`);
      return;
    }
    const approval = approvalOf(event);
    if (!approval) return;
    const key = keyOf(approval);
    this.#byKey.delete(key);
    // The zero address is what such a token logs before each transfer: it tells of no right.
    if (approval.scope !== 'token' || !approval.revoked) this.#byKey.set(key, approval);
  }

  /** Rights that were given, then those that were taken back, each in the order of the events. */
  standing(): Approval[] {
    const all = [...this.#byKey.values()];
    return [...all.filter(({ revoked }) => !revoked), ...all.filter(({ revoked }) => revoked)];
  }
}
