import { Wallet, ZeroAddress, type Authorization } from 'ethers';
import type { Address } from '../../../server/api/primitives';
import {
  addressOf,
  ALICE,
  authorise,
  BOB,
  DAVE,
  delegationTo,
  ETHER,
  type Sent,
} from '../adversarial/case';
import { callOf } from '../assembler';
import { X, R, CALL, LIMIT, calling, one, noteGas, type AmsterdamProgram } from './program';

const dave = addressOf(DAVE);
const authorized = (
  list: readonly Authorization[],
  more: object = {},
  from: Wallet = BOB,
): readonly Sent[] => [
  [from, { to: X, type: 4, authorizationList: [...list], gasLimit: 700_000, ...more }],
];
const isDelegated = { [dave]: { balance: ETHER, code: delegationTo(X) } };
/** What is new for them costs more gas than a transaction may execute. */
const MANY = Array.from({ length: 80 }, (_, i) =>
  authorise(new Wallet(`0x${(i + 1).toString(16).padStart(64, '7')}`), X, 0),
);
export const DELEGATIONS: readonly AmsterdamProgram[] = [
  one('authorization of a new account', noteGas, authorized([authorise(DAVE, X, 0)])),
  one('authorization of an account', noteGas, authorized([authorise(ALICE, X, 0)])),
  one('authorization of the sender', noteGas, authorized([authorise(BOB, X, 1)])),
  one('authorization with another nonce', noteGas, authorized([authorise(ALICE, X, 7)])),
  one(
    'authorization of an account that delegates',
    noteGas,
    authorized([authorise(DAVE, R, 0)]),
    'returned',
    isDelegated,
  ),
  one(
    'end of a delegation, and another one',
    noteGas,
    authorized([authorise(DAVE, ZeroAddress as Address, 0), authorise(DAVE, R, 1)]),
    'returned',
    isDelegated,
  ),
  one(
    'delegation that ends in the same transaction, and another one',
    noteGas,
    authorized([
      authorise(DAVE, R, 0),
      authorise(DAVE, ZeroAddress as Address, 1),
      authorise(DAVE, X, 2),
    ]),
  ),
  one(
    'authorization of the recipient, who gets ether',
    noteGas,
    authorized([authorise(DAVE, X, 0)], { to: dave, value: 4n }),
  ),
  one(
    'authorization of the recipient, without ether',
    noteGas,
    authorized([authorise(DAVE, X, 0)], { to: dave }),
  ),
  one(
    'authorizations with a reservoir',
    `${noteGas} 7 3 sstore`,
    authorized([authorise(DAVE, X, 0), authorise(ALICE, X, 0)], { gasLimit: LIMIT + 200_000 }),
  ),
  one(
    'authorization with too little gas for its account',
    noteGas,
    authorized([authorise(ALICE, X, 0), authorise(DAVE, X, 0)], { gasLimit: 150_000 }),
    'out of gas',
  ),
  one(
    'authorization with too little gas for the write',
    noteGas,
    authorized([authorise(ALICE, X, 0)], { gasLimit: CALL + 7_816 + 8_999 }),
    'out of gas',
  ),
  one(
    'more authorizations than the gas is for, with a reservoir',
    noteGas,
    authorized(MANY, { gasLimit: LIMIT + 50_000 }),
    'out of gas',
  ),
  one(
    'authorization before a failure',
    '7 3 sstore invalid',
    authorized([authorise(DAVE, X, 0)], { gasLimit: LIMIT + 400_000 }),
    'invalid opcode',
  ),
  one(
    'authorization before a revert',
    '7 3 sstore 0 0 revert',
    authorized([authorise(DAVE, X, 0)]),
    'reverted',
  ),
  one(
    'recipient with a delegate',
    `7 3 sstore ${noteGas}`,
    [[BOB, { to: dave, gasLimit: 200_000 }]],
    'returned',
    isDelegated,
  ),
  one(
    'recipient with a delegate that was accessed',
    noteGas,
    [
      [
        BOB,
        { to: dave, gasLimit: 200_000, type: 1, accessList: [{ address: X, storageKeys: [] }] },
      ],
    ],
    'returned',
    isDelegated,
  ),
  one(
    'recipient with a delegate, and too little gas',
    noteGas,
    [[BOB, { to: dave, gasLimit: CALL + 2_999 }]],
    'out of gas',
    isDelegated,
  ),
  one(
    'call of an account with a delegate',
    `${callOf(dave, 3)} ${noteGas} ${callOf(dave)} ${noteGas}`,
    calling(200_000),
    'returned',
    { [dave]: { balance: ETHER, code: delegationTo(R) }, [R]: 'address 0 mstore stop' },
  ),
];
