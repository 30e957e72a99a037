import { MAX_WORD } from '../../api/word';
import type { Address } from '../../api/primitives';
import type { StandingApproval } from '../summary/approvals';
import type { Scene } from '../summary/scene';
import type { Finding } from './finding';

/** Rights that the sender, or the signer of a permit, leaves to another account than a contract of the transaction. */
export const approvalsToCheck = (scene: Scene): StandingApproval[] =>
  scene.approvals.filter(
    ({ owner, spender, isRevoked, isPermit }) =>
      !isRevoked &&
      owner !== spender &&
      (owner === scene.root.from || isPermit) &&
      !scene.created.has(spender),
  );

/** Approvals to accounts without code: no contract limits what these do with the right. */
export const approvalsToAccounts = (
  approvals: readonly StandingApproval[],
  hasCode: (account: Address) => boolean | undefined,
): Finding[] =>
  approvals
    .filter(({ spender }) => hasCode(spender) === false)
    .map(({ token, owner, spender, quantity, isUnlimited, event }) => ({
      kind: 'approvalToAccount',
      contract: token,
      account: owner,
      other: spender,
      amounts: [isUnlimited ? { ...quantity, amount: MAX_WORD } : quantity],
      nodeIds: [event.step.id, event.step.parent],
    }));

/** An approval to an account says more than that it is unlimited. */
export function withoutRepeated(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ contract, account, other }: Finding): string =>
    [contract, account, other].join(' ');
  const toAccounts = new Set(
    findings.filter(({ kind }) => kind === 'approvalToAccount').map((one) => keyOf(one)),
  );
  return findings.filter((one) => one.kind !== 'unlimitedApproval' || !toAccounts.has(keyOf(one)));
}
