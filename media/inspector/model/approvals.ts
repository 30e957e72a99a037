import type { Event } from '../../../server/api/explorer';

/** A spender's right to an owner's tokens, granted or revoked by the transaction. */
export interface Approval {
  id: number;
  token: string;
  owner: string;
  spender: string;
  /** Amount in the smallest unit or token id, as a plain decimal; `true` or `false` for all tokens of the contract. */
  value: string;
  scope: 'amount' | 'token' | 'all';
  /** The approval was revoked. */
  revoked: boolean;
}

const NOBODY = `0x${'0'.repeat(40)}`;

const SIGNATURES = new Set([
  'Approval(address,address,uint256)',
  'ApprovalForAll(address,address,bool)',
]);

function approvalOf({ id, contract, decodedLog, topics }: Event): Approval | undefined {
  if (!SIGNATURES.has(decodedLog.signature)) return undefined;
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

/** A token with an id has one spender at a time; otherwise each spender has a separate approval. */
function keyOf({ token, owner, spender, value, scope }: Approval): string {
  return scope === 'token' ? `${token} #${value}` : `${token} ${owner} ${spender} ${scope}`;
}

/** The approvals in force after a transaction. Tokens also log an approval with each spending, so the last event counts. */
export class Approvals {
  readonly #byKey = new Map<string, Approval>();

  /** Processes the next event that was not reverted. */
  see(event: Event): void {
    const { contract, decodedLog, topics } = event;
    // A transfer of a token with an id clears the approval of its previous owner.
    if (decodedLog.signature === 'Transfer(address,address,uint256)' && topics.length === 4) {
      this.#byKey.delete(`${contract} #${decodedLog.params[2]?.value ?? ''}`);
      return;
    }
    const approval = approvalOf(event);
    if (!approval) return;
    const key = keyOf(approval);
    this.#byKey.delete(key);
    // Such a token logs the zero address as spender before each transfer: that is no approval.
    if (approval.scope !== 'token' || !approval.revoked) this.#byKey.set(key, approval);
  }

  /** Granted approvals, then revoked ones, each in the order of the events. */
  standing(): Approval[] {
    const all = [...this.#byKey.values()];
    return [...all.filter(({ revoked }) => !revoked), ...all.filter(({ revoked }) => revoked)];
  }
}
