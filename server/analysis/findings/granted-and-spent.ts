import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { grantOf, type StandingApproval } from '../summary/approvals';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { TransferCall } from '../summary/transfer-calls';
import type { Finding } from './finding';
import { drainedApprovalsWork, quantityTaken } from './spending';

/** Further spendings are not checked, to bound the time. */
const MAX_CHECKED = 200;

/** Approvals that were spent, those of the transaction itself first. Each spending is told once. */
export function* spentApprovalsWork(scene: Scene): Work<Finding[]> {
  const atOnce = yield* grantedAndSpentWork(scene);
  const drained = yield* drainedApprovalsWork(scene);
  const keyOf = ({ contract, account, other }: Finding): string =>
    [contract, account, other].join(' ');
  const known = new Set(atOnce.map((one) => keyOf(one)));
  return [...atOnce, ...drained.filter((one) => !known.has(keyOf(one)))];
}

type Spent = Finding & { readonly amounts: readonly [Quantity] };

/**
 * Rights that an account granted in this transaction, by a call or a signature, and that another account used at once: the account got
 * nothing, and the spender passed the tokens on. A spender that keeps them may hold them for the account: that is no finding.
 */
function* grantedAndSpentWork(scene: Scene): Work<Finding[]> {
  if (!scene.transferCalls.some(({ isFrom }) => isFrom)) return [];
  const grants: StandingApproval[] = [];
  for (const event of scene.events) {
    yield 1;
    const grant = grantOf(event, scene);
    if (grant && !grant.isRevoked && grants.push(grant) === MAX_CHECKED) break;
  }
  if (grants.length === 0) return [];
  const found = new Map<string, Spent>();
  let checked = 0;
  for (const call of scene.transferCalls) {
    yield 1;
    const grant = call.isFrom ? grants.find((one) => isUsed(one, call)) : undefined;
    if (!grant || ++checked > MAX_CHECKED) continue;
    const taken = takenFrom(call, scene);
    if (!taken) continue;
    const { token, holder, recipient, step } = call;
    const key = [token, holder, step.frame.from, recipient, taken.tokenId].join(' ');
    const known = found.get(key);
    found.set(key, {
      kind: 'approvedAndSpent',
      contract: token,
      account: holder,
      other: step.frame.from,
      ...(recipient === step.frame.from ? {} : { recipient }),
      amounts: [{ ...taken, amount: (known?.amounts[0].amount ?? 0n) + taken.amount }],
      nodeIds: [...(known?.nodeIds ?? [grant.event.step.parent]), step.id],
    });
  }
  return [...found.values()];
}

const isUsed = (
  { owner, spender, token, event }: StandingApproval,
  { token: moved, holder, step }: TransferCall,
): boolean =>
  owner === holder && spender === step.frame.from && token === moved && event.step.id < step.id;

/** What an account lost for good by a call; undefined if it got something, or if the spender keeps the tokens. */
function takenFrom(call: TransferCall, { nets, root }: Scene): Quantity | undefined {
  const { holder, recipient, step } = call;
  const spender: Address = step.frame.from;
  const own = nets.get(holder) ?? [];
  const isKept = recipient === spender && spender !== root.from;
  if (isKept || recipient === holder || own.some(({ amount }) => amount > 0n)) return undefined;
  return quantityTaken(call, own);
}
