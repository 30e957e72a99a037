import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { RecordedStep, Recording } from '../../server/api/recording';
import type { Found } from '../../server/api/recording-search';
import { call } from '../support/json-rpc';
import { RecordedSession } from '../support/recordings';
import { createFork } from '../support/service';
import { ForgeSuite, variablesAt } from './forge-suite';

const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const TEST = { file: 'test/Fork.t.sol', contract: 'ForkTest', name: 'test_moves' };

describe('tests that forge executed on a fork, in the debugger', function () {
  this.timeout(120_000);
  let suite: ForgeSuite;
  let fork: Fork;
  let file: string;
  before(async () => {
    suite = await ForgeSuite.open();
    fork = await createFork(suite.service, { chainId: 31_337, height: '0xd' });
    file = await suite.execute(TEST, { chain: fork.forkId, url: fork.rpc, block: 13 });
  });

  after(() => suite.close());

  it('has contracts of the chain with their sources, and the state that setUp read', async () => {
    const { data, message } = await suite.record({ file, fork: { chain: fork.forkId, block: 13 } });
    assert.equal(message, 'OK');
    assert.deepEqual(data.verification, { level: 'call-trace' });
    assert.equal(data.failure, 'Token: balance too low');
    const session = await RecordedSession.open(suite.service, data.chain, data.transaction);
    const token = data.contracts.find(({ name }) => name === 'HarborToken');
    assert.deepEqual([token?.origin, token?.hasLocals], ['sandbox', true]);
    const [alice = '', had = ''] = await variablesAt(session, data.entry, 'state');
    assert.match(alice, /^alice = 0x/);
    const holder = alice.slice('alice = 0x'.length).padStart(64, '0');
    const body = { to: HBR, data: `0x70a08231${holder}` };
    const balance = await call(fork.rpc, 'eth_call', body, '0xd');
    assert.equal(had, `had = ${BigInt(balance)}`);
  });

  it('ends in the same way in the unoptimized builds of the chain', async () => {
    const { data } = await suite.record({ file, fork: { chain: fork.forkId, block: 13 } });
    const path = `/v1/explorer/${data.chain}/transaction/${data.transaction}/recording`;
    const answer = await suite.service.request<Recording>('GET', `${path}?build=unoptimized`);
    assert.equal(answer.message, 'OK');
    const { build, failure, twin } = answer.data;
    assert.deepEqual([build, failure], ['unoptimized', 'Token: balance too low']);
    assert.equal(twin?.same, twin?.of);
    const failing = async (query: string): Promise<unknown[]> => {
      const body = {
        from: data.entry,
        direction: 'forwards',
        mode: 'continue',
        failures: 'uncaught',
      };
      const found = await suite.service.request<Found>('POST', `${path}/find${query}`, { body });
      const step = `${path}/step/${found.data.step}${query}`;
      const { data: at } = await suite.service.request<RecordedStep>('GET', step);
      const frames = at.callStack.map((one) => `${one.function}:${one.place?.startLine}`);
      return [found.data.text, ...frames];
    };
    const executed = await failing('');
    assert.deepEqual(executed.slice(0, 3), [
      'Token: balance too low',
      '_transfer:36',
      'transfer:13',
    ]);
    assert.deepEqual(await failing('?build=unoptimized'), executed);
  });

  it('refuses a chain and a block that are not there', async () => {
    const other = await suite.record({ file, fork: { chain: 'nowhere', block: 13 } });
    assert.match(other.message, /nowhere/);
    const above = await suite.record({ file, fork: { chain: fork.forkId, block: 99 } });
    assert.match(above.message, /0x63|99/);
    const none = await suite.record({ file, fork: { chain: fork.forkId, block: 'latest' } });
    assert.equal(none.message, 'fork.block is "latest"; accepted: the number of a block');
  });
});
