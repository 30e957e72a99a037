import assert from 'node:assert/strict';
import type { Address } from '../../../../server/api/primitives';
import { readBuiltPlan } from '../../../../server/chains/sandbox/built-plan';
import {
  loadSandboxContracts,
  type SandboxContracts,
} from '../../../../server/chains/sandbox/parts/contracts';
import { renderStory } from '../../../../server/chains/sandbox/transaction-list';
import { planSandbox } from '../../../../server/chains/sandbox/plan';
import { compileTestContracts } from '../../../support/sandbox';

describe('the plan of the sandbox', () => {
  let contracts: SandboxContracts;
  before(async () => {
    await compileTestContracts();
    contracts = loadSandboxContracts();
  });

  it('is the same each time', () => {
    assert.deepEqual(planSandbox(contracts), planSandbox(contracts));
  });

  it('equals the plan that the build wrote', () => {
    assert.deepEqual(readBuiltPlan(), planSandbox(contracts));
  });

  it('deploys the library at the address that the compiler linked', () => {
    const { contractNames } = planSandbox(contracts);
    const library = Object.entries(contractNames).find(([, name]) => name === 'ShareMath')![0];
    assert.equal(library, '0x5fbdb2315678afecb367f032d93f642f64180aa3');
    assert.ok(contracts['RevenueSplitter']!.deployedBytecode.includes(library.slice(2)));
  });

  it('has no metadata and no open link in any bytecode', () => {
    for (const [name, { bytecode, deployedBytecode }] of Object.entries(contracts)) {
      assert.match(bytecode, /^0x[0-9a-f]*$/, name);
      assert.match(deployedBytecode, /^0x[0-9a-f]*$/, name);
      assert.ok(!deployedBytecode.includes('64736f6c6343'), `${name} ends with CBOR metadata`);
    }
  });

  it('contains a unique id, a title and a sentence for each transaction of the story', () => {
    const { story } = planSandbox(contracts);
    assert.equal(new Set(story.map(({ id }) => id)).size, story.length);
    assert.equal(new Set(story.map(({ hash }) => hash)).size, story.length);
    for (const { id, title, shows } of story) {
      assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(!title.endsWith('.'), id);
      assert.match(shows, /^[A-Z].*\.$/, id);
    }
  });

  it('puts several transactions into each block of the story', () => {
    const { blocks, story } = planSandbox(contracts);
    for (const number of new Set(story.map(({ blockNumber }) => blockNumber))) {
      if (number > 14) continue; // the story of the dollar vault has fewer
      assert.ok(blocks[number - 1]!.transactions.length > 3, `block ${number}`);
    }
    for (const { hash, blockNumber, position } of story) {
      assert.equal(blocks[blockNumber - 1]!.transactions[position]!.hash, hash);
    }
    assert.equal(blocks.at(-1)!.transactions.length, 0);
  });

  it('names all accounts, contracts and feeds', () => {
    const { accounts, labels, contractNames, priceFeeds, wrappedNative } = planSandbox(contracts);
    assert.deepEqual(
      accounts.map((address) => labels[address]),
      ['deployer', 'alice', 'bob', 'carol', 'mallory', 'reporter'],
    );
    for (const [address, name] of Object.entries(contractNames)) {
      assert.ok(labels[address as Address], `${name} at ${address} has no label`);
      assert.ok(contracts[name], `${name} is not compiled`);
    }
    assert.equal(labels[wrappedNative], 'WETH');
    assert.equal(labels[priceFeeds.native], 'ETH / USD feed');
    assert.deepEqual(
      Object.entries(priceFeeds.tokens).map(([token, feed]) => [
        labels[token as Address],
        labels[feed],
      ]),
      [
        ['HBR', 'HBR / USD feed'],
        ['hUSD', 'hUSD / USD feed'],
      ],
    );
  });

  it('reports which contract is missing in an old build', () => {
    const rest = Object.entries(contracts).filter(([name]) => name !== 'Router');
    assert.throws(() => planSandbox(Object.fromEntries(rest)), {
      name: 'ApiError',
      kind: 'internal',
      message: 'contract Router is missing in the compiled sandbox',
    });
  });

  it('is listed with place, id, hash and what it shows', () => {
    const { story } = planSandbox(contracts);
    const lines = renderStory(story, (text) => text).split('\n');
    assert.equal(lines.length, story.length * 3);
    const [first] = story;
    assert.ok(lines[0]!.startsWith(' 5:0  create-contract'));
    assert.ok(lines[0]!.endsWith(first!.hash));
    assert.equal(lines[1], '      Bob deploys Loyalty Points.');
    assert.ok(lines.some((line) => line.endsWith('does not have (fails on purpose).')));
  });
});
