import assert from 'node:assert/strict';
import { readBisect, readRegress } from '../../../../extension/notebook/book/read-history-cells';

const ADDRESS = `0x${'Ab'.repeat(20)}`;
const HASH = `0x${'CD'.repeat(32)}`;
const refuses = (run: () => unknown, message: string): void => {
  assert.throws(run, { name: 'BookError', message });
};

describe('a bisect cell', () => {
  it('has the words of the command', () => {
    assert.deepEqual(readBisect('0x1.balance > 2\nfrom: 14'), {
      expression: '0x1.balance > 2',
      chain: undefined,
      from: '14',
      to: 'latest',
      contract: undefined,
      names: {},
      functions: [],
      plan: 'one',
    });
    const text = `
# since when?
expression: vault.total() > token.cap() # an invariant
name: vault=${ADDRESS}
name: token=${ADDRESS}
function: total() view returns (uint256)
contract: ${ADDRESS}
from: 1
to: 9
every: yes
chain: fork_1`;
    assert.deepEqual(readBisect(text), {
      expression: 'vault.total() > token.cap()',
      chain: 'fork_1',
      from: '1',
      to: '9',
      contract: ADDRESS,
      names: { vault: ADDRESS, token: ADDRESS },
      functions: ['total() view returns (uint256)'],
      plan: 'every',
    });
    assert.equal(readBisect('owner\nfrom: 1\nall: yes').plan, 'all');
  });

  it('is refused with the field, the value and what is accepted', () => {
    refuses(() => readBisect(''), 'expression: got "", takes an expression in Solidity.');
    refuses(
      () => readBisect('owner'),
      'from: got "", takes the block after which the value is read first.',
    );
    refuses(
      () => readBisect('owner\nfrom: 1\nname: vault'),
      'name: got "vault", takes a name and an address, such as vault=0x….',
    );
    refuses(() => readBisect('owner\nfrom: 1\nall: no'), 'all: got "no", takes "yes".');
    refuses(
      () => readBisect('owner\nfrom: 1\nall: yes\nevery: yes'),
      'The cell has both "all" and "every"; it takes one of them.',
    );
    refuses(() => readBisect('owner\nfrom: 1\nfrom: 2'), 'The cell names "from" twice.');
    refuses(
      () => readBisect('plan: all'),
      'The cell has the unknown field "plan"; it takes expression, from, to, contract, name, function, all, every, chain.',
    );
  });
});

describe('a regress cell', () => {
  it('has the words of the command', () => {
    const [address, code] = [`address: ${ADDRESS}`, 'code: out/Vault.sol/Vault.json'];
    const plain = {
      address: ADDRESS,
      chain: undefined,
      code: 'out/Vault.sol/Vault.json',
      last: 200,
      from: undefined,
      to: undefined,
      attacks: [],
    };
    assert.deepEqual(readRegress([ADDRESS, code].join('\n')), plain);
    const more = ['last: 1000', 'from: 0', 'to: 9', `attack: ${HASH}`, `attack: ${HASH}`];
    assert.deepEqual(readRegress([address, code, ...more, 'chain: eth'].join('\n')), {
      ...plain,
      chain: 'eth',
      last: 1_000,
      from: 0,
      to: 9,
      attacks: [HASH.toLowerCase(), HASH.toLowerCase()],
    });
  });

  it('is refused with the field, the value and what is accepted', () => {
    const base = `${ADDRESS}\ncode: a.json`;
    refuses(() => readRegress(''), 'address: got "", takes an address: 0x and 40 hex digits.');
    refuses(
      () => readRegress(ADDRESS),
      'code: got "", takes the path of an artifact of Foundry or Hardhat.',
    );
    for (const last of ['0', '1001', '-1', '1.5', 'x']) {
      refuses(
        () => readRegress(`${base}\nlast: ${last}`),
        `last: got "${last}", takes a whole number from 1 to 1000.`,
      );
    }
    refuses(
      () => readRegress(`${base}\nfrom: latest`),
      'from: got "latest", takes a whole number from 0 to 1000000000000000.',
    );
    const attacks = (count: number): string => `${base}${`\nattack: ${HASH}`.repeat(count)}`;
    assert.equal(readRegress(attacks(100)).attacks.length, 100);
    refuses(() => readRegress(attacks(101)), 'The cell names 101 attacks, and takes up to 100.');
    refuses(
      () => readRegress(`${base}\nattack: 0x12`),
      'attack: got "0x12", takes a transaction hash: 0x and 64 hex digits.',
    );
  });
});
