import type { Address } from '../../../server/api/primitives';
import { assemble, at, callOf, deploying, inMemory, pay, sizeOf } from '../assembler';
import { isSince, type PlannedAccount, type PlannedHardfork } from '../reference/plan';

const ETHER = 10n ** 18n;

/** A child that pays its caller or, if called with data, self-destructs in its favour. */
const CHILD = deploying(
  assemble(`calldatasize @die jumpi ${pay('caller', '3')} stop :die caller selfdestruct`),
);
/** Contracts that exist from the start and self-destruct on a call. */
const MORTALS = Array.from({ length: 12 }, (_, i) => at(`mortal${i}`));

const PROGRAMS: Record<string, string> = {
  // Stores the first word of the call data in slot 0, or pays the amount in slot 0.
  bank: `calldatasize @set jumpi ${pay('caller', '0 sload')} stop :set 0 calldataload 0 sstore stop`,
  // Forwards its call data to the bank, without a log.
  silent: `calldatasize 0 0 calldatacopy 0 0 calldatasize 0 0 ${at('bank')} gas call pop stop`,
  // Counts calls and logs the count.
  counter: '0 sload 1 add dup1 0 sstore 0 mstore 7 32 0 log1 stop',
  // Writes two slots per sender.
  ledger:
    'caller sload 1 add caller sstore caller 0 mstore 32 0 keccak256 dup1 sload 1 add swap1 sstore stop',
  // Sends half of the received ether to each of two accounts.
  splitter: `0 0 0 0 2 callvalue div ${at('left')} gas call pop
    0 0 0 0 2 callvalue div ${at('right')} gas call pop stop`,
  // Creates by CREATE2 with a salt from the call data, and by CREATE; destroys the former on request.
  factory: `${inMemory(CHILD)} 0 calldataload ${sizeOf(CHILD)} 0 9 create2 0 sstore
  ${sizeOf(CHILD)} 0 4 create 1 sstore
  32 calldataload iszero @kept jumpi 0 0 1 0 0 0 sload gas call pop
  :kept 0 sload 0 mstore 32 0 log0 stop`,
  // Logs, then reverts if the call data requests it.
  reverter:
    '5 0 mstore 32 0 log0 0 calldataload @fail jumpi 9 0 sstore stop :fail 0xdeadbeef 0 mstore 32 0 revert',
  // Continues after a failed call.
  careful: `1 0 mstore 0 0 32 0 0 ${at('reverter')} 60000 call 0 sstore ${callOf(at('counter'))} pop stop`,
  // Logs facts of the block.
  environment:
    'timestamp 0 mstore coinbase 32 mstore difficulty 64 mstore gaslimit 96 mstore chainid 128 mstore 1 number sub blockhash 160 mstore coinbase balance 192 mstore 224 0 log0 stop',
  // Stores the block's random number, and logs the previous one if the new one is odd.
  lottery:
    '0 sload 0 mstore difficulty 0 sstore 1 difficulty and @odd jumpi stop :odd 32 0 log0 stop',
  // Hashes with precompiles, and fails in one.
  hasher: `0 calldataload 0 mstore 32 32 32 0 2 gas staticcall pop
    64 32 33 0 4 gas staticcall pop 64 0 64 0 0 6 30000 call 1 sstore 32 32 log0 stop`,
  // Calls itself until the gas is too low.
  deep: `30000 gas lt @end jumpi ${callOf(at('deep'))} pop :end 1 0 sload add 0 sstore stop`,
  // Continues after a call that runs out of gas.
  exhausted: `0 0 0 0 0 ${at('endless')} 20000 call 1 add 0 sstore stop`,
  endless: ':loop @loop jump',
  // Runs the code of the counter on its own storage.
  borrower: `0 0 0 0 ${at('counter')} gas delegatecall pop 0 0 0 0 5 ${at('ledger')} gas callcode pop stop`,
  // Reads by a static call.
  reader: `0 0 0 0 ${at('counter')} 40000 staticcall 0 sstore ${at('left')} balance 1 sstore stop`,
  // Sends more than its balance.
  poor: `0 0 0 0 0xffffffffffffffffffff ${at('left')} gas call 1 add 0 sstore stop`,
  // Clears a slot that another call set.
  clearer: '0 sload @set jumpi 1 0 sstore stop :set 0 0 sstore stop',
};

/** Programs since Cancun. */
const LATER_PROGRAMS: Record<string, string> = {
  transient: '0 tload 1 add dup1 0 tstore 0 sstore blobbasefee 1 sstore stop',
};

export interface BusyContracts {
  alloc: Record<Address, PlannedAccount>;
  /** Contracts that accept any call data. */
  plain: readonly Address[];
  mortals: readonly Address[];
}

export function busyContracts(hardfork: PlannedHardfork): BusyContracts {
  const programs = isSince(hardfork, 'cancun') ? { ...PROGRAMS, ...LATER_PROGRAMS } : PROGRAMS;
  const alloc: Record<Address, PlannedAccount> = {};
  for (const [name, program] of Object.entries(programs)) {
    alloc[at(name)] = { balance: ETHER, nonce: 1, code: assemble(program) };
  }
  for (const mortal of MORTALS) {
    alloc[mortal] = { balance: 1000n, nonce: 1, code: assemble('caller selfdestruct') };
  }
  const plain = Object.keys(programs).filter((name) => name !== 'endless');
  return { alloc, plain: plain.map(at), mortals: MORTALS };
}
