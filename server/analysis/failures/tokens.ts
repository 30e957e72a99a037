import type { Address } from '../../api/primitives';
import type { Step } from '../call-frame';
import type { Quantity } from '../summary/quantity';
import { allowanceOf, balanceOf } from './question';
import type { Condition } from './condition';

const TRANSFER = '0xa9059cbb'; // transfer(address,uint256)
const TRANSFER_FROM = '0x23b872dd'; // transferFrom(address,address,uint256)
/** ERC-6093 */
const INSUFFICIENT_BALANCE = '0xe450d38c'; // ERC20InsufficientBalance(address,uint256,uint256)
const INSUFFICIENT_ALLOWANCE = '0xfb8f41b2'; // ERC20InsufficientAllowance(address,uint256,uint256)

const word = (data: string, index: number): bigint =>
  BigInt(`0x${data.slice(10 + index * 64, 74 + index * 64)}`);
const address = (data: string, index: number): Address =>
  `0x${data.slice(34 + index * 64, 74 + index * 64)}`;

/** What a failed transfer of an ERC-20 token needed: the owner's balance, and the spender's allowance. */
export function transferConditions(step: Step): Condition[] {
  const { frame } = step;
  const { to: token, input, output } = frame;
  const isFrom = input.startsWith(TRANSFER_FROM) && input.length === 10 + 3 * 64;
  const isOwn = input.startsWith(TRANSFER) && input.length === 10 + 2 * 64;
  if (token === null || frame.type !== 'CALL' || (!isFrom && !isOwn)) return [];
  const holder = isFrom ? address(input, 0) : frame.from;
  const amount = word(input, isFrom ? 2 : 1);
  const counted = (value: bigint): Quantity => ({ asset: token, standard: 'erc20', amount: value });
  const judge = (facts: object, kind: 'allowance' | 'balance') => (has: bigint) =>
    has < amount
      ? {
          kind,
          contract: token,
          account: holder,
          ...facts,
          has: counted(has),
          needs: counted(amount),
          missing: counted(amount - has),
        }
      : undefined;
  /** What the error of the standard says, if its arguments are those of the call. */
  const reported = (selector: string, account: Address): bigint | undefined =>
    output.startsWith(selector) &&
    output.length === 10 + 3 * 64 &&
    address(output, 0) === account &&
    word(output, 2) === amount
      ? word(output, 1)
      : undefined;
  const balance: Condition = {
    step,
    question: balanceOf(token, holder),
    reported: reported(INSUFFICIENT_BALANCE, holder),
    judge: judge({}, 'balance'),
  };
  if (!isFrom) return [balance];
  const spender = frame.from;
  return [
    {
      step,
      question: allowanceOf(token, holder, spender),
      reported: reported(INSUFFICIENT_ALLOWANCE, spender),
      judge: judge({ spender }, 'allowance'),
    },
    balance,
  ];
}
