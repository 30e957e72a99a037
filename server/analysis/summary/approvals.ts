import { MAX_WORD } from '../../api/word';
import type { Address, Hex } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { KnownEvent } from './known-events';
import { addressIn, numberIn } from './known-events';
import type { Step } from '../call-frame';
import { callOf } from './call-of';
import type { Quantity } from './quantity';

/** A right to spend, as it is after the transaction. */
export interface StandingApproval {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
  readonly quantity: Quantity;
  /** Any amount, or every token of the contract. */
  readonly isUnlimited: boolean;
  readonly isRevoked: boolean;
  /** Whether the owner signed it, and another submitted it. */
  readonly isPermit: boolean;
  /** Of Permit2, which keeps the right in place of the token. */
  readonly keeper: Address;
  readonly event: KnownEvent;
}

/** What approvals are read from. */
interface Executed {
  readonly events: readonly KnownEvent[];
  readonly steps: readonly Step[];
}

/** Methods that grant rights. Tokens also report the allowance that is left after a spending. */
const GRANTS: ReadonlySet<string> = new Set<Hex>([
  '0x095ea7b3', // approve(address,uint256)
  '0x39509351', // increaseAllowance(address,uint256)
  '0xa457c2d7', // decreaseAllowance(address,uint256)
  '0xa22cb465', // setApprovalForAll(address,bool)
  '0x87517c45', // Permit2: approve(address,address,uint160,uint48)
]);
const PERMITS: ReadonlySet<string> = new Set<Hex>([
  '0xd505accf', // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
  '0x8fcbaf0c', // DAI: permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)
  '0x2b67b570', // Permit2: permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)
]);
const TRANSFER_FROM = '0x23b872dd'; // transferFrom(address,address,uint256)
/** Many tokens treat allowances from here on as unlimited. */
const MAX_UINT160 = 2n ** 160n - 1n;
const MAX_UINT96 = 2n ** 96n - 1n;

/** Further approvals are not read, to bound the time. */
const MAX_APPROVALS = 50;

export const isLimitless = (amount: bigint): boolean =>
  amount === MAX_WORD || amount === MAX_UINT160 || amount === MAX_UINT96;

/** The rights that events grant or revoke and that hold after the transaction, in the order of these events. */
export function* standingApprovalsWork(executed: Executed): Work<StandingApproval[]> {
  const last = new Map<string, StandingApproval>();
  for (const [index, event] of executed.events.entries()) {
    if (index % EVENTS_PER_YIELD === 0) yield EVENTS_PER_YIELD;
    const approval = grantOf(event, executed);
    if (!approval) continue;
    const { token, owner, spender, quantity } = approval;
    const key = [token, owner, quantity.tokenId ?? spender].join(' ');
    last.delete(key);
    last.set(key, approval);
  }
  const standing: StandingApproval[] = [];
  for (const approval of [...last.values()].slice(0, MAX_APPROVALS)) {
    const left = afterSpending(approval, executed);
    if (left) standing.push(left);
    yield 1;
  }
  return standing;
}
const EVENTS_PER_YIELD = 256;

/** The right that an event reports which a call grants or revokes; undefined for other events, such as that of a spending. */
export function grantOf(event: KnownEvent, executed: Executed): StandingApproval | undefined {
  const selector = callOf(executed, event.step).frame.input.slice(0, 10);
  const isPermit = PERMITS.has(selector);
  if (!isPermit && !GRANTS.has(selector)) return undefined;
  const sides = {
    owner: addressIn(event, 'owner'),
    spender: addressIn(event, 'spender'),
    token: event.address,
    keeper: event.address,
    isPermit,
    event,
  };
  switch (event.signature) {
    case 'Approval(address,address,uint256)':
      return event.values['tokenId'] === undefined
        ? counted(sides, numberIn(event, 'value'))
        : ofToken(sides, numberIn(event, 'tokenId'));
    case 'Approval(address,address,address,uint160,uint48)':
      return counted({ ...sides, token: addressIn(event, 'token') }, numberIn(event, 'amount'));
    case 'ApprovalForAll(address,address,bool)': {
      const isRevoked = event.values['approved'] === 'false';
      const quantity = { asset: event.address, standard: 'erc721', amount: 0n } as const;
      return { ...sides, quantity, isUnlimited: !isRevoked, isRevoked };
    }
    default:
      return undefined;
  }
}

type Sides = Pick<
  StandingApproval,
  'owner' | 'spender' | 'token' | 'keeper' | 'isPermit' | 'event'
>;

const counted = (sides: Sides, amount: bigint): StandingApproval => ({
  ...sides,
  quantity: { asset: sides.token, standard: 'erc20', amount },
  isUnlimited: isLimitless(amount),
  isRevoked: amount === 0n,
});

const ofToken = (sides: Sides, tokenId: bigint): StandingApproval => ({
  ...sides,
  quantity: { asset: sides.token, standard: 'erc721', tokenId, amount: 1n },
  isUnlimited: false,
  isRevoked: BigInt(sides.spender) === 0n,
});

/** An allowance less what the spender took of it afterwards; undefined if nothing is left. */
function afterSpending(
  approval: StandingApproval,
  executed: Executed,
): StandingApproval | undefined {
  const { quantity, isRevoked, isUnlimited, event, token, owner, spender } = approval;
  if (isRevoked || isUnlimited || quantity.standard !== 'erc20') return approval;
  let { amount } = quantity;
  for (const { id, frame, log, reverted } of executed.steps) {
    if (id <= event.step.id || log || reverted || frame.to !== token) continue;
    if (frame.type !== 'CALL' || frame.from !== spender || frame.input.length < 202) continue;
    if (!frame.input.startsWith(TRANSFER_FROM) || `0x${frame.input.slice(34, 74)}` !== owner)
      continue;
    amount -= BigInt(`0x${frame.input.slice(138, 202)}`);
  }
  return amount > 0n ? { ...approval, quantity: { ...quantity, amount } } : undefined;
}
