import { Wallet, type TransactionLike } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import { assemble, at } from '../assembler';
import type { Random } from '../random-programs/random';
import {
  isSince,
  type PlannedAccount,
  type PlannedHardfork,
  type PlannedTransaction,
} from '../reference/plan';
import { busyContracts } from './contracts';

const ETHER = 10n ** 18n;
const GAS_LIMIT = 280_000;

const wallet = (name: string): Wallet =>
  new Wallet(`0x${Buffer.from(name).toString('hex').padStart(64, '6')}`);
const SENDERS = Array.from({ length: 40 }, (_, i) => wallet(`sender${i}`));
/** Only sign authorizations: a node holds back transactions whose nonce is too high. */
const AUTHORITIES = Array.from({ length: 8 }, (_, i) => wallet(`authority${i}`));
/** Spend their whole balance, are paid inside a block, and send again. */
const HEIRS = Array.from({ length: 6 }, (_, i) => wallet(`heir${i}`));

const lower = (address: string): Address => address.toLowerCase() as Address;
const word = (value: number): string => value.toString(16).padStart(64, '0');

/** State before the first busy block. */
export function busyAlloc(hardfork: PlannedHardfork): Record<Address, PlannedAccount> {
  const senders = SENDERS.map(({ address }) => [lower(address), { balance: 10n * ETHER }]);
  const heirs = HEIRS.map(({ address }) => [lower(address), { balance: ETHER }]);
  return {
    ...busyContracts(hardfork).alloc,
    ...(Object.fromEntries([...senders, ...heirs]) as Record<Address, PlannedAccount>),
  };
}

/** Generates blocks of interdependent transactions of all types from a seed. */
export class BusyBlocks {
  readonly #nonces = new Map<string, number>();
  readonly #emptied = new Set<Wallet>();
  /** Accounts without balance before this block: the node accepts no transaction from them until the next one. */
  #poor = new Set<Wallet>();

  constructor(
    private readonly hardfork: PlannedHardfork,
    private readonly random: Random,
  ) {}

  /** @returns transactions with their nonces, in the order of the block */
  next(size: number): PlannedTransaction[] {
    this.#poor = new Set(this.#emptied);
    return Array.from({ length: size }, () => this.#one());
  }

  #one(): PlannedTransaction {
    const { random } = this;
    if (random.once(12)) {
      const heir = random.pick(HEIRS);
      const isEmpty = this.#emptied.delete(heir);
      if (isEmpty) return this.#from(random.pick(SENDERS), { to: heir.address, value: ETHER });
      if (this.#poor.has(heir)) return this.#from(random.pick(SENDERS), this.#body());
      this.#emptied.add(heir);
      return this.#from(heir, { ...GIVE_AWAY, to: random.pick(SENDERS).address });
    }
    return this.#from(random.pick(SENDERS), this.#body());
  }

  #from(sender: Wallet, body: TransactionLike): PlannedTransaction {
    const nonce = this.#nonceOf(sender);
    const typed = body.type === undefined ? this.#typed(body.to !== null) : {};
    return { wallet: sender, transaction: { ...typed, ...body, nonce } };
  }

  #nonceOf({ address }: Wallet): number {
    const nonce = this.#nonces.get(address) ?? 0;
    this.#nonces.set(address, nonce + 1);
    return nonce;
  }

  /** Target, value and data of a transaction. */
  #body(): TransactionLike {
    const { random } = this;
    const { plain, mortals } = busyContracts(this.hardfork);
    switch (random.number(12)) {
      case 0:
        return { to: at(random.pick(['bank', 'silent'])), data: `0x${word(random.number(5000))}` };
      case 1:
        return { to: at('factory'), data: `0x${word(random.number(4))}${word(random.number(2))}` };
      case 2:
        return { to: at('splitter'), value: BigInt(random.number(1000)) };
      case 3:
        return { to: at('reverter'), data: `0x${word(random.number(2))}` };
      case 4:
        return { to: random.pick(mortals), value: BigInt(random.number(3)) };
      case 5:
        return { to: null, value: 5n, data: random.pick(CREATIONS) };
      case 6:
        return {
          to: random.pick([...SENDERS, ...AUTHORITIES]).address,
          value: BigInt(random.number(100)),
        };
      default:
        return { to: random.pick(plain), data: `0x${word(random.number(1 << 30))}` };
    }
  }

  /** @param isCall whether it is a call: EIP-7702 transactions cannot create contracts */
  #typed(isCall: boolean): TransactionLike {
    const { random, hardfork } = this;
    const type = random.pick(
      [0, 1, 2, 2, ...(isCall ? [4] : [])].filter((one) => isAllowed(one, hardfork)),
    );
    const accessList = [{ address: at('counter'), storageKeys: [`0x${word(0)}`] }];
    return {
      type,
      gasLimit: GAS_LIMIT,
      ...(type === 1 || (type === 2 && random.once(3)) ? { accessList } : {}),
      ...(type === 4 ? { authorizationList: [this.#authorisation()] } : {}),
      ...(type === 0 && random.once(5) ? { chainId: 0 } : {}),
    };
  }

  /** An authorization, in most cases with the right nonce. */
  #authorisation(): ReturnType<Wallet['authorizeSync']> {
    const { random } = this;
    const authority = random.pick(AUTHORITIES);
    const isValid = !random.once(4);
    const nonce = isValid ? this.#nonceOf(authority) : 999;
    const target = random.pick([at('counter'), at('bank'), at('ledger'), PRECOMPILE, NOWHERE]);
    return authority.authorizeSync({ address: target, chainId: random.pick([0, 1]), nonce });
  }
}

/** Spends the whole balance at the highest gas price: the refunded difference cannot pay for another transaction. */
const GIVE_AWAY: TransactionLike = {
  type: 0,
  chainId: 1,
  gasLimit: 21_000,
  value: ETHER - 21_000n * 10n ** 10n,
};

const PRECOMPILE: Address = '0x0000000000000000000000000000000000000002';
const NOWHERE: Address = '0x0000000000000000000000000000000000000000';

const CREATIONS = [
  assemble('0x00 0 mstore8 1 0 return'),
  assemble('1 0 sstore caller selfdestruct'),
  assemble('5 0 mstore 32 0 revert'),
  assemble('invalid'),
  assemble(`32 0 log0 0 0 0 0 0 ${at('counter')} gas call pop 3 0 return`),
];

const isAllowed = (type: number, hardfork: PlannedHardfork): boolean =>
  type < 2 || isSince(hardfork, type === 2 ? 'london' : 'prague');
