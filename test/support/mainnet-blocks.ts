import { Wallet, type TransactionLike } from 'ethers';
import { toWord } from '../../server/evm/forms/quantity';
import {
  CHAIN,
  COUNTER,
  ENVIRONMENT,
  FACTORY,
  LEDGER,
  LOTTERY,
  SILENT_LOTTERY,
} from './mainnet-contracts';

interface Step {
  wallet: Wallet;
  transaction: TransactionLike;
}

/** The content of a block. */
export interface Plan {
  /** Wallets that have one ether before the block. */
  funded: readonly Wallet[];
  transactions: readonly Step[];
}

const wallet = (name: string): Wallet =>
  new Wallet(`0x${Buffer.from(name).toString('hex').padStart(64, '5')}`);

/** Sends transactions in the busy block. */
const ALICE = wallet('alice');
const BOB = wallet('bob');
/** Gives away all ether in the busy block, is paid by Alice, and sends again. */
const CAROL = wallet('carol');

const ETHER = 10n ** 18n;

/** Creation code of a contract that stays: its code is `STOP`. */
const PLAIN_CREATION = '0x60015f5360015ff3';

/** Indexes of transactions in the busy block, by the case that they show. */
export const BUSY = {
  legacy: 0,
  creationBeforeEip155: 1,
  accessList: 2,
  lottery: 3,
  revert: 4,
  delegation: 5,
  factory: 6,
  fundedInside: 9,
} as const;

const SAVINGS = `0x${'5a'.repeat(20)}`;

/** Sends the whole balance less the fee at the maximum gas price. The remainder does not pay for another transaction. */
const giveAway = (to: string): TransactionLike => ({
  to,
  value: ETHER - 21_000n * 10n ** 10n,
  gasLimit: 21_000,
});

/** 10 transactions: types 0 (with and without EIP-155), 1, 2 and 4, a revert, creations, a self-destruct, a sender funded inside. */
export function busyBlock(): Plan {
  const authorization = BOB.authorizeSync({ address: COUNTER.address, chainId: 1, nonce: 2 });
  return {
    funded: [ALICE, BOB, CAROL],
    transactions: [
      { wallet: ALICE, transaction: { to: ENVIRONMENT.address, type: 0 } },
      { wallet: BOB, transaction: { to: null, data: PLAIN_CREATION, type: 0, chainId: 0 } },
      {
        wallet: ALICE,
        transaction: {
          to: COUNTER.address,
          type: 1,
          accessList: [{ address: COUNTER.address, storageKeys: [toWord(0)] }],
        },
      },
      { wallet: ALICE, transaction: { to: LOTTERY.address } },
      { wallet: BOB, transaction: { to: COUNTER.address, data: '0xff' } },
      {
        wallet: ALICE,
        transaction: { to: LOTTERY.address, type: 4, authorizationList: [authorization] },
      },
      { wallet: ALICE, transaction: { to: FACTORY.address, data: toWord(7), value: 1000n } },
      { wallet: CAROL, transaction: giveAway(SAVINGS) },
      { wallet: ALICE, transaction: { to: CAROL.address, value: ETHER / 10n } },
      { wallet: CAROL, transaction: { to: COUNTER.address } },
    ],
  };
}

/** 200 transactions: independent ones, ones that depend on an earlier transaction, and readers of PREVRANDAO. */
export function hugeBlock(): Plan {
  const senders = Array.from({ length: 100 }, (_, i) => wallet(`sender${i}`));
  const heirs = Array.from({ length: 10 }, (_, i) => wallet(`heir${i}`));
  const transactions: Step[] = heirs.map((heir) => ({
    wallet: heir,
    transaction: giveAway(SAVINGS),
  }));
  for (const [i, sender] of senders.entries()) {
    transactions.push({ wallet: sender, transaction: { to: LEDGER.address, type: i % 3 } });
  }
  for (const [i, sender] of senders.slice(0, 80).entries()) {
    transactions.push({ wallet: sender, transaction: second(i, heirs[Math.floor(i / 8)]) });
  }
  for (const heir of heirs) {
    transactions.push({ wallet: heir, transaction: { to: LEDGER.address } });
  }
  return { funded: [...senders, ...heirs], transactions };
}

function second(i: number, heir: Wallet | undefined): TransactionLike {
  switch (i % 8) {
    case 0:
      return { to: heir?.address ?? null, value: ETHER / 10n };
    case 1:
      return { to: CHAIN.address };
    case 2:
      return { to: ENVIRONMENT.address, type: 0 };
    case 3:
      return { to: FACTORY.address, data: toWord(i), value: 5n };
    case 4:
      return { to: COUNTER.address, data: '0xff' };
    case 5:
      return i < 20 ? { to: LOTTERY.address } : { to: SILENT_LOTTERY.address };
    case 6:
      return { to: null, data: PLAIN_CREATION };
    default:
      return { to: COUNTER.address };
  }
}
