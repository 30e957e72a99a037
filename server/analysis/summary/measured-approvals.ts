import type { Address, Hex } from '../../api/primitives';
import type { StateQuestion } from '../balances/measure';
import { isLimitless, type StandingApproval } from './approvals';

const ALLOWANCE = '0xdd62ed3e'; // allowance(address,address)
const PERMIT2_ALLOWANCE = '0x927da105'; // allowance(address,address,address): owner, token, spender
const GET_APPROVED = '0x081812fc'; // getApproved(uint256)
const IS_APPROVED_FOR_ALL = '0xe985e9c5'; // isApprovedForAll(address,address)
/** A limit that no spending reaches: tokens that lower unlimited allowances answer a little less than the maximum. */
const PRACTICALLY_UNLIMITED = 2n ** 95n;

/** A right that an event claims and the state after the transaction contradicts. */
export interface ContradictedApproval extends StandingApproval {
  /** Allowance after the transaction, in the smallest unit; of a token with an id or all tokens 1 or 0. */
  readonly measured: bigint;
}

export interface MeasuredApprovals {
  /** With the measured amounts. Those that could not be read are marked. */
  readonly standing: readonly StandingApproval[];
  readonly contradicted: readonly ContradictedApproval[];
}

/** What the contract that keeps a right is asked, in the state after the transaction. */
export function approvalQuestion(approval: StandingApproval): StateQuestion {
  const { keeper, token, owner, spender, quantity } = approval;
  const ask = (selector: string, ...words: readonly string[]): StateQuestion => ({
    to: keeper,
    data: `${selector}${words.join('')}` as Hex,
  });
  if (quantity.tokenId !== undefined) return ask(GET_APPROVED, wordOf(quantity.tokenId));
  if (isForAll(approval)) return ask(IS_APPROVED_FOR_ALL, side(owner), side(spender));
  return keeper === token
    ? ask(ALLOWANCE, side(owner), side(spender))
    : ask(PERMIT2_ALLOWANCE, side(owner), side(token), side(spender));
}

/** @param answers to the questions of the approvals; undefined where one is not known */
export function compareApprovals(
  approvals: readonly StandingApproval[],
  answers: readonly (bigint | undefined)[],
): MeasuredApprovals {
  const standing: StandingApproval[] = [];
  const contradicted: ContradictedApproval[] = [];
  for (const [index, approval] of approvals.entries()) {
    const answer = answers[index];
    if (answer === undefined) {
      standing.push({ ...approval, quantity: { ...approval.quantity, isClaimed: true } });
      continue;
    }
    const measured = measuredRight(approval, answer);
    if (isBorneOut(approval, measured)) standing.push(approval);
    else {
      contradicted.push({ ...approval, measured });
      const counted = countedInstead(approval, measured);
      if (counted) standing.push(counted);
    }
  }
  return { standing, contradicted };
}

/** Every token of a contract that counts them by id. */
const isForAll = ({ quantity }: StandingApproval): boolean =>
  quantity.standard !== 'erc20' && quantity.tokenId === undefined;

function measuredRight(approval: StandingApproval, answer: bigint): bigint {
  const { quantity, spender } = approval;
  if (quantity.tokenId === undefined) return answer;
  return answer === BigInt(spender) ? 1n : 0n;
}

function isBorneOut(approval: StandingApproval, measured: bigint): boolean {
  const { quantity, isUnlimited, isRevoked } = approval;
  if (quantity.tokenId !== undefined) return measured === 1n;
  if (isForAll(approval)) return measured === (isRevoked ? 0n : 1n);
  if (isUnlimited) return measured >= PRACTICALLY_UNLIMITED;
  return measured === quantity.amount;
}

/** The allowance that there is, if it is another one than the event claims. */
function countedInstead(
  approval: StandingApproval,
  measured: bigint,
): StandingApproval | undefined {
  const { quantity } = approval;
  if (measured === 0n || quantity.standard !== 'erc20') return undefined;
  return {
    ...approval,
    quantity: { ...quantity, amount: measured },
    isUnlimited: isLimitless(measured),
    isRevoked: false,
  };
}

const wordOf = (value: bigint): string => value.toString(16).padStart(64, '0');
const side = (account: Address): string => account.slice(2).padStart(64, '0');
