import { getCreate2Address, getCreateAddress, keccak256 } from 'ethers';
import type { Address, Hex } from '../../server/api/primitives';

/** A transaction that destroys contracts, and its SELFDESTRUCT frames: contract, beneficiary, amount in wei. */
export interface Destruction {
  name: string;
  /** Accounts before the transaction, with their code and balance in wei. */
  accounts: { address: Address; code?: string; balance: number }[];
  value: number;
  /** By rules: `cancun` since EIP-6780, `shanghai` before it. */
  frames: Record<'cancun' | 'shanghai', [from: Address, to: Address, value: number][]>;
}

export const HEIR: Address = `0x${'e1'.repeat(20)}`;
const PRECOMPILE: Address = `0x${'1'.padStart(40, '0')}`;

const push2 = (value: number): string => `61${value.toString(16).padStart(4, '0')}`;
/** CALL without data. Its result is dropped. */
const call = (to: Address, value = 0): string => `5f5f5f5f${push2(value)}73${to.slice(2)}5af150`;
const callcode = (to: Address): string => `5f5f5f5f5f73${to.slice(2)}5af250`;
const delegatecall = (to: Address): string => `5f5f5f5f73${to.slice(2)}5af450`;
const TO_SELF = '30ff';
const destroyFor = (heir: Address): string => `73${heir.slice(2)}ff`;
/** CREATE with 2 bytes of init code, which destroys the new contract in favour of itself. */
const CREATE_AND_DESTROY = `61${TO_SELF}5f526002601e`;

const at = (index: number, part = 0): Address =>
  `0x${(0x5d00 + index * 16 + part).toString(16).padStart(40, '5')}`;

/** The transactions of the suite, each with its own contracts. */
export function destructions(): Destruction[] {
  const list: Destruction[] = [];
  const add = (
    name: string,
    make: (self: Address, other: Address, third: Address) => Omit<Destruction, 'name' | 'value'>,
    value = 0,
  ): void => {
    const index = list.length;
    list.push({ name, value, ...make(at(index), at(index, 1), at(index, 2)) });
  };
  const same = (...frames: [Address, Address, number][]): Destruction['frames'] => ({
    cancun: frames,
    shanghai: frames,
  });
  const account = (address: Address, code: string, balance = 1000) => ({ address, code, balance });

  for (const value of [0, 5]) {
    add(
      `to itself, called with ${value} wei`,
      (self) => ({
        accounts: [account(self, TO_SELF)],
        frames: same([self, self, 1000 + value]),
      }),
      value,
    );
  }
  add('to itself, with nothing', (self) => ({
    accounts: [account(self, TO_SELF, 0)],
    frames: same([self, self, 0]),
  }));
  add(
    'to another',
    (self) => ({ accounts: [account(self, destroyFor(HEIR))], frames: same([self, HEIR, 1007]) }),
    7,
  );
  add('to another, with nothing', (self) => ({
    accounts: [account(self, destroyFor(HEIR), 0)],
    frames: same([self, HEIR, 0]),
  }));
  add('to a precompile', (self) => ({
    accounts: [account(self, destroyFor(PRECOMPILE))],
    frames: same([self, PRECOMPILE, 1000]),
  }));
  add('to itself by DELEGATECALL', (self, library) => ({
    accounts: [account(self, delegatecall(library)), account(library, TO_SELF, 3)],
    frames: same([self, self, 1000]),
  }));
  add('to itself by CALLCODE', (self, library) => ({
    accounts: [account(self, callcode(library)), account(library, TO_SELF, 3)],
    frames: same([self, self, 1000]),
  }));
  add('to itself, right behind a payment', (self) => ({
    accounts: [account(self, call(HEIR, 300) + TO_SELF)],
    frames: same([self, self, 700]),
  }));
  add('to itself, right behind a payment of half', (self) => ({
    accounts: [account(self, call(HEIR, 500) + TO_SELF)],
    frames: same([self, self, 500]),
  }));
  add('to itself, right behind that of another', (self, other) => ({
    accounts: [account(self, call(other) + TO_SELF), account(other, destroyFor(HEIR), 40)],
    frames: same([other, HEIR, 40], [self, self, 1000]),
  }));
  add('of the caller and then of the called', (self, other) => ({
    accounts: [account(self, call(other, 9) + destroyFor(HEIR)), account(other, TO_SELF, 40)],
    frames: same([other, other, 49], [self, HEIR, 991]),
  }));
  add('twice to itself and twice to another', (self, mine, other) => ({
    accounts: [
      account(self, call(mine, 7) + call(mine) + call(other, 3) + call(other, 1)),
      account(mine, TO_SELF, 20),
      account(other, destroyFor(HEIR), 30),
    ],
    frames: {
      cancun: [
        [mine, mine, 27],
        [mine, mine, 27],
        [other, HEIR, 33],
        [other, HEIR, 1],
      ],
      shanghai: [
        [mine, mine, 27],
        [mine, mine, 0],
        [other, HEIR, 33],
        [other, HEIR, 1],
      ],
    },
  }));
  add('that is rolled back', (self, other, third) => ({
    accounts: [
      account(self, call(other, 9) + call(third)),
      account(other, `${call(third, 4)}5f5ffd`, 100),
      account(third, TO_SELF, 20),
    ],
    frames: same([third, third, 24], [third, third, 20]),
  }));
  add('of what was created just before, to itself', (self) => ({
    accounts: [account(self, `${CREATE_AND_DESTROY}${push2(5)}f0`)],
    frames: same([created(self), created(self), 5]),
  }));
  add('of what was created where ether was already', (self) => {
    const child = getCreate2Address(self, `0x${'0'.repeat(64)}`, keccak256(`0x${TO_SELF}`));
    const address = child.toLowerCase() as Address;
    return {
      accounts: [account(self, `5f${CREATE_AND_DESTROY}${push2(5)}f5`), { address, balance: 60 }],
      frames: same([address, address, 65]),
    };
  });
  add('of what has storage', (self) => ({
    accounts: [account(self, `6007600155${destroyFor(HEIR)}`)],
    frames: same([self, HEIR, 1000]),
  }));
  return list;
}

/** Address of the first contract that an account with nonce 0 creates. */
const created = (from: Address): Address =>
  getCreateAddress({ from, nonce: 0 }).toLowerCase() as Address;

export const codeOf = ({ code }: Destruction['accounts'][number]): Hex | undefined =>
  code === undefined ? undefined : `0x${code}`;
