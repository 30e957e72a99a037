import { concat, encodeBytes32String, keccak256, toBeHex, zeroPadValue } from 'ethers';
import type { JsonFragment } from 'ethers';
import GaugeController from '@balancer-labs/v2-deployments/dist/tasks/20220325-gauge-controller/artifact/GaugeController.json';
import VotingEscrow from '@balancer-labs/v2-deployments/dist/tasks/20220325-gauge-controller/artifact/VotingEscrow.json';
import VeBoost from '@balancer-labs/v2-deployments/dist/tasks/20221205-veboost-v2/artifact/VeBoostV2.json';
import UniswapV1Exchange from '@uniswap/v2-periphery/build/UniswapV1Exchange.json';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import { golden } from './golden';
import type { Artifact } from './stage';

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'a2'.repeat(20)}`;
/** PUSH1 18, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: 18 as the answer of any function. */
const EIGHTEEN = '601260005260206000f3';

const artifact = ({ abi, bytecode }: { abi: unknown[]; bytecode: string }): Artifact => ({
  abi: abi as JsonFragment[],
  bytecode,
});
const word = (value: string | number): string => zeroPadValue(toBeHex(value), 32);
/** Vyper hashes the slot before the key. */
const slotOf = (slot: string | number, ...keys: string[]): string =>
  keys.reduce((found, key) => keccak256(concat([word(found), word(key)])), word(slot));
/** A text of up to 31 characters from the left end of a slot. */
const text = (value: string): string => toQuantity(BigInt(encodeBytes32String(value)));

describe('golden scripts of Vyper 0.1', () => {
  const { abi, evm } = UniswapV1Exchange;
  const exchange = {
    artifacts: { Exchange: artifact({ abi, bytecode: evm.bytecode.object }) },
    deploy: { exchange: ['Exchange'] },
  } as const;
  const setup = { to: 'exchange', call: 'setup(address)', arguments: ['bob'] } as const;
  const called = ['Exchange.setup(token_addr: bob):?'];
  const name = text('Uniswap V1');
  const symbol = text('UNI-V1');

  golden('stores, forwards and backwards', { ...exchange, transaction: setup }, [
    {
      continue: { slot: '0x7', of: 'exchange' },
      at: 'nowhere',
      op: 'SSTORE',
      words: [ALICE, '0x7'],
      stack: called,
      storage: { '0x0': '0x0', '0x1': '0x0', '0x2': '0x0', '0x6': '0x0', '0x7': '0x0' },
    },
    {
      continue: { slot: '0x2', of: 'exchange' },
      op: 'SSTORE',
      words: ['0x12', '0x2'],
      stack: called,
      storage: { '0x0': name, '0x1': symbol, '0x2': '0x0', '0x6': BOB, '0x7': ALICE },
    },
    {
      instructions: 1,
      storage: { '0x0': name, '0x1': symbol, '0x2': '0x12', '0x6': BOB, '0x7': ALICE },
    },
    {
      reverse: { slot: '0x6', of: 'exchange' },
      op: 'SSTORE',
      words: [BOB, '0x6'],
      storage: { '0x0': '0x0', '0x1': '0x0', '0x2': '0x0', '0x6': '0x0', '0x7': ALICE },
    },
    { continue: 'end', op: 'STOP' },
  ]);

  golden(
    'an assertion that fails at the second setup',
    { ...exchange, before: [setup], transaction: setup },
    [
      {
        continue: { failure: 'uncaught' },
        op: 'REVERT',
        words: ['0x0', '0x0'],
        stack: called,
        says: 'reverted without a message',
        // `and` evaluates both sides.
        storage: { '0x6': BOB, '0x7': ALICE },
      },
      { instructionsBack: 1, op: 'DUP1', words: ['0x0'] },
      { reverse: 'start', words: [] },
    ],
  );

  const allowed = slotOf(5, ALICE, BOB);
  golden(
    'events, and values of nested mappings',
    {
      ...exchange,
      transaction: { to: 'exchange', call: 'approve(address,uint256)', arguments: ['bob', 7] },
    },
    [
      {
        continue: { event: 'Approval' },
        stack: ['Exchange.approve(_spender: bob, _value: 7):?'],
        storage: { [toQuantity(BigInt(allowed))]: '0x7' },
      },
      { reverse: { slot: allowed, of: 'exchange' }, op: 'SSTORE', words: ['0x7', allowed] },
      { continue: 'end', op: 'RETURN' },
    ],
  );
});

describe('golden scripts of Vyper 0.3.1', () => {
  const controller = {
    artifacts: { Controller: artifact(GaugeController) },
    codes: { escrow: EIGHTEEN },
  } as const;
  const deploy = { controller: ['Controller', 'escrow', 'bob'] } as const;
  const WEEK = 7 * 24 * 60 * 60;
  const week = toQuantity(BigInt(1_700_000_000 - (1_700_000_000 % WEEK)));
  /** The lock of functions that must not be entered again takes slot 0, and two lists of a thousand million elements are before this variable. */
  const timeTotal = toQuantity(2_000_000_014n);

  golden(
    'a creation that calls another contract',
    { ...controller, transaction: { create: 'Controller', arguments: ['escrow', 'bob'] } },
    [
      {
        continue: { slot: timeTotal, of: 'controller1' },
        op: 'SSTORE',
        storage: { [timeTotal]: '0x0' },
        stack: ['Controller.constructor(_voting_escrow: escrow, _authorizer_adaptor: bob):?'],
      },
      { instructions: 1, storage: { [timeTotal]: week } },
      { reverse: 'start', storage: { [timeTotal]: '0x0' } },
      { continue: 'end', op: 'RETURN', storage: { [timeTotal]: week } },
    ],
  );

  const addType = { to: 'controller', call: 'add_type(string)', arguments: ['Liquidity'] } as const;
  const called = ['Controller.add_type(_name: "Liquidity"):?'];
  const names = BigInt(slotOf(3, '0x0'));
  const named = { [toQuantity(names)]: '0x9', [toQuantity(names + 1n)]: text('Liquidity') };

  golden(
    'texts in storage, and a counter',
    { ...controller, deploy, transaction: { from: 'bob', ...addType } },
    [
      { continue: { slot: '0x1', of: 'controller' }, op: 'SSTORE', stack: called },
      { instructions: 1, storage: { '0x1': '0x1', ...named } },
      { continue: 'end', op: 'STOP', storage: { '0x1': '0x1', ...named } },
    ],
  );

  const weighed = ['Controller.add_type(_name: "Liquidity", weight: 3):?'];
  golden(
    'the other function of the same name, and two events',
    {
      ...controller,
      deploy,
      transaction: {
        from: 'bob',
        to: 'controller',
        call: 'add_type(string,uint256)',
        arguments: ['Liquidity', 3],
      },
    },
    [
      { continue: { event: 'AddType' }, stack: weighed },
      { reverse: { event: 'NewTypeWeight' }, stack: weighed },
      { reverse: { slot: '0x1', of: 'controller' }, op: 'SSTORE', stack: weighed },
      { reverse: 'start', words: [] },
    ],
  );

  golden(
    'an assertion about the caller that fails',
    { ...controller, deploy, transaction: addType },
    [
      {
        continue: { failure: 'uncaught' },
        op: 'REVERT',
        stack: called,
        storage: {},
        says: 'reverted without a message',
        values: { 'msg.sender': 'alice' },
      },
      { reverse: 'start' },
    ],
  );

  golden(
    'a failure with a message',
    {
      artifacts: { Escrow: artifact(VotingEscrow) },
      codes: { token: EIGHTEEN },
      deploy: { escrow: ['Escrow', 'token', 'Voting', 'VOTE', 'bob'] },
      transaction: { to: 'escrow', call: 'create_lock(uint256,uint256)', arguments: [1, 5] },
    },
    [
      {
        continue: { failure: 'uncaught' },
        op: 'REVERT',
        stack: ['Escrow.create_lock(_value: 1, _unlock_time: 5):?'],
        says: 'Can only lock until time in the future',
      },
    ],
  );
});

describe('golden scripts of later Vyper 0.3', () => {
  const boost = {
    artifacts: { Boost: artifact(VeBoost) },
    codes: { escrow: EIGHTEEN },
    deploy: { boost: ['Boost', 'escrow', 'escrow'] },
    before: [{ to: 'boost', call: 'approve(address,uint256)', arguments: ['bob', 7] }],
  } as const;
  const slot = slotOf(0, ALICE, BOB);
  const key = toQuantity(BigInt(slot));

  golden(
    'a sum that is stored',
    {
      ...boost,
      transaction: {
        to: 'boost',
        call: 'increaseAllowance(address,uint256)',
        arguments: ['bob', 5],
      },
    },
    [
      { continue: { slot, of: 'boost' }, op: 'SSTORE', storage: { [key]: '0x7' } },
      {
        continue: { event: 'Approval' },
        stack: ['Boost.increaseAllowance(_spender: bob, _added_value: 5):?'],
        storage: { [key]: '0xc' },
      },
      { reverse: { slot, of: 'boost' }, storage: { [key]: '0x7' } },
      { continue: 'end', op: 'RETURN', storage: { [key]: '0xc' } },
    ],
  );

  golden(
    'a subtraction below zero',
    {
      ...boost,
      transaction: {
        to: 'boost',
        call: 'decreaseAllowance(address,uint256)',
        arguments: ['bob', 8],
      },
    },
    [
      {
        continue: { failure: 'uncaught' },
        op: 'REVERT',
        says: 'reverted without a message',
        storage: { [key]: '0x7' },
        stack: ['Boost.decreaseAllowance(_spender: bob, _subtracted_value: 8):?'],
      },
      { instructionsBack: 3, storage: { [key]: '0x7' } },
    ],
  );
});
