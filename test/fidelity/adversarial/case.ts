import { Wallet, type Authorization, type TransactionLike } from 'ethers';
import type { Address, Hex } from '../../../server/api/primitives';
import { assemble } from '../assembler';
import {
  isSince,
  type ChainPlan,
  type PlannedAccount,
  type PlannedBlock,
  type PlannedHardfork,
} from '../reference/plan';

export const ETHER = 10n ** 18n;

const wallet = (name: string): Wallet =>
  new Wallet(`0x${Buffer.from(name).toString('hex').padStart(64, '3')}`);
export const ALICE = wallet('alice');
export const BOB = wallet('bob');
export const CAROL = wallet('carol');
/** Has no balance at the start. */
export const DAVE = wallet('dave');

export const addressOf = ({ address }: Wallet): Address => address.toLowerCase() as Address;

/** A transaction of a block with its sender. */
export type Sent = readonly [Wallet, TransactionLike];

export interface AdversarialBlock extends Omit<PlannedBlock, 'transactions'> {
  transactions: readonly Sent[];
}

/** A block whose transactions depend on each other or on the block in a way that is easily overlooked. */
export interface AdversarialCase {
  name: string;
  since?: PlannedHardfork;
  until?: PlannedHardfork;
  /** Programs by address, or whole accounts. */
  accounts: Record<Address, string | PlannedAccount>;
  blocks: readonly AdversarialBlock[];
  /** Index of the judged transaction in the last block; the last one if missing. */
  target?: number;
  /** Change of each account's balance by this transaction in wei, without fees; computed by hand. */
  nets: Record<Address, bigint>;
  /** The amounts depend on a hash or the like, so only the reference can compute them. */
  byReference?: boolean;
}

export function appliesTo({ since, until }: AdversarialCase, hardfork: PlannedHardfork): boolean {
  return isSince(hardfork, since ?? 'berlin') && (until === undefined || isSince(until, hardfork));
}

export function planOf(one: AdversarialCase, hardfork: PlannedHardfork): ChainPlan {
  const rich = [ALICE, BOB, CAROL].map((who) => [addressOf(who), { balance: 10n * ETHER }]);
  const accounts = Object.entries(one.accounts).map(([address, account]) => [
    address,
    typeof account === 'string' ? contract(account) : account,
  ]);
  return {
    hardfork,
    alloc: Object.fromEntries([...rich, ...accounts]) as ChainPlan['alloc'],
    blocks: one.blocks.map(({ transactions, ...block }) => ({
      ...block,
      transactions: transactions.map(([from, transaction]) => ({ wallet: from, transaction })),
    })),
  };
}

/** A contract with one ether, and with a first slot if given. */
export const contract = (program: string, slot0?: number): PlannedAccount => ({
  balance: ETHER,
  nonce: 1,
  code: assemble(program),
  ...(slot0 === undefined ? {} : { storage: { [word(0)]: word(slot0) } }),
});

export const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** An EIP-7702 authorization for the suite's chain. */
export const authorise = (who: Wallet, address: Address, nonce: number): Authorization =>
  who.authorizeSync({ address, chainId: 1, nonce });

/** Code of a delegating account (EIP-7702). */
export const delegationTo = (address: Address): Hex => `0xef0100${address.slice(2)}`;
