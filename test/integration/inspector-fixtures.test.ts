import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fork } from '../../server/api/fork';
import type { Analysis } from '../../server/api/views';
import { call } from '../support/json-rpc';
import { UPDATE_GOLDENS } from '../support/sandbox';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const FOLDER = join(__dirname, '../fixtures/inspector/sandbox');
const OF_THE_SANDBOX = [
  'approve',
  'caught-revert',
  'create-contract',
  'eip7702-batch',
  'exploit-reentrancy',
  'flash-loan',
  'multicall-allowed-failure',
  'proxy-upgrade',
  'swap-two-hops',
] as const;

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const MALLORY = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
const word = (hex: string): string => hex.slice(2).padStart(64, '0');

/** Sent on a fork of the sandbox, in this order: blocks 13 and 14. */
const OF_A_FORK = [
  {
    name: 'failed-mint',
    from: MALLORY,
    to: '0x8a791620dd6260079bf849dc5567adc3f2fdc318',
    data: `0x40c10f19${word(MALLORY)}${word('0x174876e800')}`,
    time: 1_735_689_745,
  },
  {
    name: 'approval-phish',
    from: ALICE,
    to: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
    data: `0x095ea7b3${word(MALLORY)}${'f'.repeat(64)}`,
    time: 1_735_689_746,
  },
] as const;

/** What the tests of the inspector's components show is what the service answers. */
describe('the fixtures of the inspector', function () {
  this.timeout(120_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  async function answerOf(chain: string, hash: string): Promise<Analysis> {
    const path = `/v1/explorer/${chain}/transaction/${hash}/analysis?proof=wait`;
    const { data, message } = await service.request<Analysis>('GET', path);
    assert.equal(message, 'OK');
    return data;
  }

  /** Compares an answer with its fixture, or writes it. */
  async function compare(name: string, answer: Analysis): Promise<void> {
    const file = join(FOLDER, `${name}.json`);
    if (UPDATE_GOLDENS) await writeFile(file, JSON.stringify(answer));
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), answer, name);
  }

  it('of the sandbox are its answers', async () => {
    for (const name of OF_THE_SANDBOX) {
      await compare(name, await answerOf('sandbox', sandboxHash(name)));
    }
  });

  it('of a fork are its answers, but for its id and the hash', async () => {
    const fork: Fork = await createFork(service, { chainId: 31337, height: '0xc' });
    for (const { name, time, ...sent } of OF_A_FORK) {
      await call(fork.rpc, 'evm_setNextBlockTimestamp', time);
      // The engine's estimate of a call that fails is an error.
      const transaction = { ...sent, gas: '0x30d40' };
      const hash = await call(fork.rpc, 'eth_sendTransaction', transaction);
      const answer = await answerOf(fork.forkId, hash);
      const file = join(FOLDER, `${name}.json`);
      const kept = JSON.parse(await readFile(file, 'utf8')) as Analysis;
      const same = { chain: 'fork_1', hash: kept.transaction.hash };
      await compare(name, { ...answer, transaction: { ...answer.transaction, ...same } });
    }
  });
});
