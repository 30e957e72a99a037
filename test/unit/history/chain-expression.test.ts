import assert from 'node:assert/strict';
import { AbiCoder, id } from 'ethers';
import { ContractInterface } from '../../../server/analysis/contract-interface';
import type { Address, Hex } from '../../../server/api/primitives';
import { toWord } from '../../../server/evm/forms/quantity';
import { ChainExpression } from '../../../server/history/expressions/chain-expression';
import type { StateAnswer, StateRead } from '../../../server/debugger/languages/port/state-read';

const VAULT: Address = `0x${'aa'.repeat(20)}`;
const TOKEN: Address = `0x${'bb'.repeat(20)}`;
const ABI = [
  'function total() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function asset() view returns (address)',
  'function pair() view returns (uint256 low, int8 high)',
  'function list() view returns (uint256[])',
  'function name() view returns (string)',
  'function fails() view returns (uint256)',
  'function missing() view returns (uint256)',
  'function set(uint256)',
];
const LAYOUT = {
  storage: [
    { label: 'owner', offset: 0, slot: '1', type: 't_address' },
    { label: 'shares', offset: 0, slot: '2', type: 't_mapping' },
  ],
  types: {
    t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
    t_uint: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
    t_mapping: {
      encoding: 'mapping',
      label: 'mapping(address => uint256)',
      numberOfBytes: '32',
      key: 't_address',
      value: 't_uint',
    },
  },
};

const encoded = (types: string[], values: unknown[]): Hex =>
  AbiCoder.defaultAbiCoder().encode(types, values) as Hex;

describe('an expression over the state of a chain', () => {
  const selector = (signature: string): string => id(signature).slice(0, 10);
  const called = ({ address, data }: Extract<StateRead, { kind: 'call' }>): StateAnswer => {
    switch (data.slice(0, 10)) {
      case selector('total()'):
        return encoded(['uint256'], [5]);
      case selector('balanceOf(address)'):
        return encoded(['uint256'], [address === TOKEN ? 6 : 4]);
      case selector('asset()'):
        return encoded(['address'], [TOKEN]);
      case selector('pair()'):
        return encoded(['uint256', 'int8'], [1, -2]);
      case selector('list()'):
        return encoded(['uint256[]'], [[3, 8]]);
      case selector('name()'):
        return encoded(['string'], ['Gold']);
      case selector('missing()'):
        return '0x';
      default:
        return undefined;
    }
  };
  const answer = (read: StateRead): StateAnswer => {
    switch (read.kind) {
      case 'balance':
        return '0x64';
      case 'nonce':
        return '0x7';
      case 'code':
        return '0x6001';
      case 'slot':
        return read.slot === toWord(1) ? toWord(BigInt(TOKEN)) : toWord(9);
      case 'call':
        return called(read);
    }
  };
  const open = (text: string, self?: Address): { expression: ChainExpression; asked: number[] } => {
    const asked: number[] = [];
    const named = new Map([
      ['vault', VAULT],
      ['token', TOKEN],
    ]);
    const facts = (address: Address) =>
      Promise.resolve({
        address,
        name: '',
        interfaces: [ContractInterface.fromAbi(ABI)],
        layouts: [LAYOUT],
      });
    return { expression: new ChainExpression(text, { self, named }, facts), asked };
  };
  const evaluate = async (text: string, self?: Address) => {
    const { expression, asked } = open(text, self);
    const reader = {
      read: (reads: readonly StateRead[]) => {
        asked.push(reads.length);
        return Promise.resolve(reads.map(answer));
      },
    };
    const { signal } = new AbortController();
    const first = await expression.at(reader, signal);
    asked.length = 0;
    await expression.at(reader, signal);
    return { ...first, asked };
  };

  it('has the values of calls, variables, slots and accounts', async () => {
    for (const [text, value, type] of [
      ['vault.total()', '5', 'uint256'],
      ['vault.total() < token.balanceOf(vault)', 'true', 'bool'],
      [`${VAULT}.total() * 2 + 1`, '11', 'uint256'],
      ['vault.asset().balanceOf(vault)', '6', 'uint256'],
      ['vault.asset() == token', 'true', 'bool'],
      ['vault.pair().high', '-2', 'int8'],
      ['vault.list()[1]', '8', 'uint256'],
      ['vault.name()', '"Gold"', 'string'],
      ['vault.owner', TOKEN, 'address'],
      [`vault.shares[${TOKEN}]`, '9', 'uint256'],
      ['vault.balance', '100', 'uint256'],
      ['vault.code.length', '2', 'uint256'],
      ['nonce(vault)', '7', 'uint256'],
      ['slot(vault, 3) == 9 ? 1 ether : 0', '1000000000000000000', 'uint256'],
    ] as const) {
      const found = await evaluate(text);
      assert.deepEqual(
        [found.value, found.type, found.unavailable],
        [value, type, undefined],
        text,
      );
    }
  });

  it('names functions and variables of its own contract alone', async () => {
    assert.equal((await evaluate('total() + shares[owner]', VAULT)).value, '14');
    assert.equal((await evaluate('this.balance', VAULT)).value, '100');
  });

  it('reads at once what the last evaluation has read', async () => {
    const { asked } = await evaluate('vault.total() < token.balanceOf(vault) && vault.balance > 0');
    assert.deepEqual(asked, [3]);
  });

  it('has no value where a call fails, nothing answers, or arithmetic fails', async () => {
    const reasons = [];
    for (const text of [
      'vault.fails()',
      'vault.missing()',
      'vault.total() - 6',
      '1 / (vault.total() - 5)',
    ]) {
      reasons.push((await evaluate(text)).unavailable);
    }
    assert.deepEqual(reasons.slice(0, 2), [
      `fails of ${VAULT} fails`,
      `nothing at ${VAULT} answers missing`,
    ]);
    assert.ok(reasons.every((reason) => reason !== undefined));
  });

  it('is refused with the place, and what is accepted', async () => {
    for (const [text, message] of [
      ['vault.total(', /the expression ends/],
      ['volt.total()', /volt is not known here; known are vault, token, slot, nonce/],
      ['vault.set(1)', /set may change the state/],
      ['vault.other()', /no function other of 0xaaaa/],
      ['vault.list()', /has several values/],
      ['0xAa00000000000000000000000000000000000001.total()', /an address in expression is/],
    ] as const) {
      await assert.rejects(evaluate(text), message);
    }
  });
});
