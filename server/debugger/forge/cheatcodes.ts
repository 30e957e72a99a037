import { Interface } from 'ethers';
import { CHEATCODES as CHEATCODE_ABI } from '../../contracts/abi/built-in/cheatcodes';
import type { Answer } from '../../evm/interpreter/cheats';

/** Of forge's cheatcodes: the address of the hash of "hevm cheat code". */
export const CHEATCODES = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d';

const cheatcodes = new Interface(CHEATCODE_ABI);

/** A call of a cheatcode; undefined for one that is not in the list. */
export interface Cheat {
  readonly name: string;
  readonly args: readonly unknown[];
}

export function readCheat(data: string): Cheat | undefined {
  try {
    const call = cheatcodes.parseTransaction({ data });
    return call ? { name: call.name, args: [...call.args] } : undefined;
  } catch {
    return undefined; // the cheatcode fails by itself
  }
}

type Effect = NonNullable<Answer['effect']>;

const address = (value: unknown): string => String(value).toLowerCase();
const word = (value: unknown): bigint => BigInt(String(value));

/** What cheatcodes do to state and block, by name. Those that only answer, and those that change what follows, do nothing here. */
const EFFECTS: Readonly<Record<string, (...args: readonly unknown[]) => Effect>> = {
  deal: (account, balance) => (machine) => {
    machine.world.update(address(account), { balance: word(balance) });
  },
  etch: (account, code) => (machine) => {
    machine.world.update(address(account), { code: Buffer.from(String(code).slice(2), 'hex') });
  },
  setNonce: (account, nonce) => (machine) => {
    machine.world.update(address(account), { nonce: Number(nonce) });
  },
  store: (account, slot, value) => (machine) => {
    machine.world.setStorage(address(account), word(slot), word(value));
  },
  warp: (timestamp) => (machine) => {
    machine.setBlock({ timestamp: word(timestamp) });
  },
  roll: (number) => (machine) => {
    machine.setBlock({ number: word(number) });
  },
  fee: (baseFee) => (machine) => {
    machine.setBlock({ baseFee: word(baseFee) });
  },
  coinbase: (coinbase) => (machine) => {
    machine.setBlock({ coinbase: address(coinbase) });
  },
  prevrandao: (random) => (machine) => {
    machine.setBlock({ random: word(random) });
  },
  difficulty: (random) => (machine) => {
    machine.setBlock({ random: word(random) });
  },
};

export const effectOf = ({ name, args }: Cheat): Effect | undefined => EFFECTS[name]?.(...args);
