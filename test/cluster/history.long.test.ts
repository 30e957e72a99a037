import assert from 'node:assert/strict';
import { ServiceClient } from '../../extension/service/service-client';
import type { Bisection } from '../../server/api/bisect';
import type { Fork } from '../../server/api/fork';
import type { Regression } from '../../server/api/regress';
import type { OtherBlock } from '../../server/api/reorder';
import { forkOtherBlock } from '../../server/client/fork-other-block';
import { readArtifactText } from '../../server/client/read-artifact';
import { sandboxArtifact } from '../support/artifact';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { ALICE, at, Team } from './team';

/** An account that nobody has paid. */
const EMPTY = `0x${'e1'.repeat(20)}`;
/** Of the sandbox. */
const VAULT = '0x82b769500e34362a76df81150e12c746093d954f';
const HEIDI = '0x14dc79964da2c08b23698b3d3cc7ca32193d9955';
/** `withdraw(1)` */
const WITHDRAW = `0x2e1a7d4d${'1'.padStart(64, '0')}`;

describeWith(['initdb'], 'the past of a fork that another node runs', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let fork: Fork;
  let owner: TestService;
  let block: number;

  beforeEach(async () => {
    team = await Team.start(postgres(), 3);
    fork = await team.createFork(team.nodes[0]!);
    owner = await team.ownerOf(fork);
    const rpc = at(team.otherThan(owner), fork);
    await call(rpc, 'evm_setAutomine', false);
    for (const value of ['0x5', '0x7']) {
      await call(rpc, 'eth_sendTransaction', { from: ALICE, to: EMPTY, value });
    }
    // More gas than the estimate, which the new code exceeds.
    const gas = '0x30d40';
    await call(rpc, 'eth_sendTransaction', { from: HEIDI, to: VAULT, data: WITHDRAW, gas });
    await call(rpc, 'evm_mine');
    block = Number(await call(rpc, 'eth_blockNumber'));
  });
  afterEach(() => team.stop());

  const ask = async <T>(node: TestService, route: string, body: object): Promise<T> => {
    const path = `/v1/explorer/${fork.forkId}/${route}`;
    const { data, message } = await team.request<T>(node, 'POST', path, { body });
    assert.equal(message, 'OK');
    return data;
  };
  const questions = (node: TestService) => {
    const { text } = sandboxArtifact('DollarVault', (_, source) =>
      source.replace('uint256(answer);', 'uint256(answer) * 10 ** (18 - feed.decimals());'),
    );
    const newCode = readArtifactText(text, 'DollarVault');
    const less = [{ kind: 'set', position: 0, fields: { value: '2' } }];
    const change = { expression: `${EMPTY}.balance > 5`, from: String(block - 1), plan: 'one' };
    return {
      bisection: () => ask<Bisection>(node, 'bisect', change),
      other: () => ask<OtherBlock>(node, 'reorder', { block, changes: less, state: true }),
      regression: async () => {
        const transactions = await transactionsOf(node);
        return ask<Regression>(node, `address/${VAULT}/regress`, { newCode, transactions });
      },
    };
  };
  const transactionsOf = async (node: TestService): Promise<string[]> => {
    const number = `0x${block.toString(16)}`;
    const found = await call<{ transactions: string[] }>(
      at(node, fork),
      'eth_getBlockByNumber',
      number,
      false,
    );
    return found.transactions.slice(2);
  };
  const answersOf = async (node: TestService) => {
    const { bisection, other, regression } = questions(node);
    return [await bisection(), await other(), await regression()] as const;
  };

  it('has the same answers at every node, also after its node was killed', async () => {
    const [bisection, other, regression] = await answersOf(owner);
    assert.equal(bisection.changes[0]?.transaction?.position, 1);
    assert.deepEqual(other.check, { receipts: 'equal', state: 'equal' });
    assert.deepEqual(
      other.transactions.map(({ verdict }) => verdict),
      ['otherEffects', 'same', 'same'],
    );
    assert.deepEqual(
      regression.results.map(({ verdict }) => verdict),
      ['otherEffects'], // it takes more credit
    );
    const others = team.nodes.filter((node) => node !== owner);
    for (const node of others) {
      assert.deepEqual(await answersOf(node), [bisection, other, regression]);
    }
    await owner.kill();
    await team.expire(owner);
    assert.deepEqual(await answersOf(others[1]!), [bisection, other, regression]);
  });

  it('is forked at another node, with the state after the other block', async () => {
    const [first, second] = team.nodes.filter((node) => node !== owner);
    const other = await questions(first!).other();
    const client = new ServiceClient({
      access: () => Promise.resolve({ baseUrl: second!.url, accessKey: team.key }),
      renew: () => Promise.resolve(undefined),
      checkService: () => Promise.resolve(),
    });
    const { signal } = new AbortController();
    const wanted = { projectId: team.project, name: 'less', other };
    const created = await forkOtherBlock(client, wanted, { signal });
    for (const node of team.nodes) {
      assert.equal(await call(at(node, created), 'eth_getBalance', EMPTY, 'latest'), '0x9');
    }
  });
});
