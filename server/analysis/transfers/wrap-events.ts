import { id } from 'ethers';
import type { Address, Hash, Hex } from '../../api/primitives';
import { isLog, type CallFrame, type Log, type Step } from '../call-frame';
import { containsSelector } from '../decoding/fallback-rule';
import { isAddress, isWord, toAddress, type TransferEvents } from './token-events';
import type { Transfer, TransferContext } from './transfer';

const DEPOSIT = id('Deposit(address,uint256)') as Hash;
const WITHDRAWAL = id('Withdrawal(address,uint256)') as Hash;

/** deposit(), withdraw(uint256), balanceOf(address), transfer(address,uint256), totalSupply() */
const WETH9_SELECTORS: readonly Hex[] = [
  '0xd0e30db0',
  '0x2e1a7d4d',
  '0x70a08231',
  '0xa9059cbb',
  '0x18160ddd',
];

/** Whether a token is the chain's wrapped native one, or has the functions of WETH9. */
export function isWrapper(
  token: Address,
  { wrappedNative, contracts }: Pick<TransferContext, 'wrappedNative' | 'contracts'>,
): boolean {
  if (token === wrappedNative) return true;
  const code = contracts.get(token)?.code;
  return (
    code !== undefined && WETH9_SELECTORS.every((selector) => containsSelector(code, selector))
  );
}

/** WETH9's Deposit and Withdrawal events have no Transfer event: the token contract is the other side. */
export class WrapReader {
  readonly #wrappers = new Map<Address, boolean>();
  readonly #reportedIn = new Map<CallFrame, Set<string>>();

  constructor(
    private readonly context: Pick<TransferContext, 'wrappedNative' | 'contracts'>,
    private readonly events: TransferEvents,
  ) {}

  read({ frame }: Step, log: Log): Transfer[] {
    const [signature, topicAccount] = log.topics;
    if (signature !== DEPOSIT && signature !== WITHDRAWAL) return [];
    if (!isAddress(topicAccount) || log.topics.length !== 2 || !isWord(log.data)) return [];
    if (!this.#isWrapper(log.address)) return [];
    const account = toAddress(topicAccount);
    const amount = BigInt(log.data);
    const sides = signature === DEPOSIT ? [log.address, account] : [account, log.address];
    if (this.#reported(frame).has(eventKey(signature, log.address, account, amount))) return [];
    return [{ standard: 'erc20', asset: log.address, from: sides[0], to: sides[1], amount }];
  }

  #reported(frame: CallFrame): Set<string> {
    const known = this.#reportedIn.get(frame) ?? reportedByTransfers(frame, this.events);
    this.#reportedIn.set(frame, known);
    return known;
  }

  #isWrapper(token: Address): boolean {
    const known = this.#wrappers.get(token);
    if (known !== undefined) return known;
    const found = isWrapper(token, this.context);
    this.#wrappers.set(token, found);
    return found;
  }
}

/** Deposits and withdrawals that Transfer events of the same frame already report: some wrappers emit one when they mint and burn. */
function reportedByTransfers(frame: CallFrame, events: TransferEvents): Set<string> {
  const reported = new Set<string>();
  for (const item of frame.items) {
    if (!isLog(item)) continue;
    const transfers = events.read(item, frame);
    if (transfers === undefined || transfers === 'unreadable') continue;
    for (const { standard, asset, from, to, amount } of transfers) {
      if (standard !== 'erc20') continue;
      reported
        .add(eventKey(DEPOSIT, asset, to, amount))
        .add(eventKey(WITHDRAWAL, asset, from, amount));
    }
  }
  return reported;
}

const eventKey = (
  event: Hash,
  token: Address,
  account: Address | undefined,
  amount: bigint,
): string => [event, token, account, amount].join();
