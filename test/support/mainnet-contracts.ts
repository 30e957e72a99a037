import type { Hex } from '../../server/api/primitives';

/** A contract in the state. Assembled by hand, because compilers hide the opcodes that they use. */
export interface FixedContract {
  address: Hex;
  code: Hex;
}

const at = (byte: string): Hex => `0x${byte.repeat(20)}`;
const code = (...parts: string[]): Hex => `0x${parts.join('').replaceAll(' ', '')}`;

/** Adds one to slot 0, logs and returns it. Call data that starts with 0xff reverts with 0xdeadbeef. */
export const COUNTER: FixedContract = {
  address: at('c0'),
  code: code(
    '6000 35 60f8 1c 60ff 14 6023 57', // jump to 0x23 if the first byte is 0xff
    '6000 54 6001 01 80 6000 55 6000 52 6020 6000 a0 6020 6000 f3',
    '5b 63deadbeef 60e0 1b 6000 52 6004 6000 fd',
  ),
};

/** Logs TIMESTAMP, COINBASE, BASEFEE, BLOCKHASH of the parent, GASLIMIT and CHAINID. */
export const ENVIRONMENT: FixedContract = {
  address: at('e0'),
  code: code(
    '42 5f 52',
    '41 6020 52',
    '48 6040 52',
    '6001 43 03 40 6060 52',
    '45 6080 52',
    '46 60a0 52',
    '60c0 5f a0 00',
  ),
};

/**
 * Draws a lot: logs the previous draw and PREVRANDAO, stores PREVRANDAO in slot 0, and if it is odd, writes 1 to the slot with this number.
 * So PREVRANDAO changes logs, storage and gas, and each draw depends on the previous one.
 */
export const LOTTERY: FixedContract = {
  address: at('10'),
  code: code(
    '5f 54 5f 52 44 6020 52 6040 5f a0',
    '44 5f 55',
    '44 6001 16 6017 57 00',
    '5b 6001 44 55 00',
  ),
};

/** Stores PREVRANDAO in slot 1. Receipts do not depend on it. */
export const SILENT_LOTTERY: FixedContract = { address: at('11'), code: code('44 6001 55 00') };

/** Creates a contract by CREATE2 (salt: first word of the call data) and one by CREATE, destroys the latter, and logs both addresses. */
export const FACTORY: FixedContract = {
  address: at('fa'),
  code: code(
    '69 6133ff5f526002601ef3 5f 52', // creation code of a contract that destroys itself in favour of its caller
    '5f 35 600a 6016 5f f5 6020 52',
    '600a 6016 34 f0',
    '5f 5f 5f 5f 5f 85 5a f1 50',
    '5f 52 6040 5f a0 00',
  ),
};

/** Adds one to two slots of the sender. Calls of different senders are independent. */
export const LEDGER: FixedContract = {
  address: at('1e'),
  code: code('33 54 6001 01 33 55', '33 5f 52 6020 5f 20 80 54 6001 01 90 55', '33 5f 5f a1 00'),
};

/**
 * Follows a pointer: increments the slot that slot 0 names, and stores the hash of that slot number in slot 0. Each call depends on the
 * previous one.
 */
export const CHAIN: FixedContract = {
  address: at('ca'),
  code: code('5f 54 80 54 6001 01 81 55', '5f 52 6020 5f 20 5f 55 00'),
};

export const CONTRACTS = [COUNTER, ENVIRONMENT, LOTTERY, SILENT_LOTTERY, FACTORY, LEDGER, CHAIN];
