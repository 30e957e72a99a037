import assert from 'node:assert/strict';
import { Wallet } from 'ethers';
import type { Fork } from '../../server/api/fork';
import type { Recording, Variables } from '../../server/api/recording';
import { toQuantity } from '../../server/evm/forms/quantity';
import { createApiClient } from '../../server/api/client';
import type { Progress } from '../../server/api/progress';
import { assemble } from '../fidelity/assembler';
import { PROGRAMS, randomProgram } from '../fidelity/random-programs/program';
import { Random } from '../fidelity/random-programs/random';
import { HardhatNode } from '../support/hardhat-node';
import { call } from '../support/json-rpc';
import { RecordedSession } from '../support/recordings';
import { sandboxHash } from '../support/sandbox-hashes';
import { type Answer, createFork, startService, type TestService } from '../support/service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const RICH = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';

const transferTo = (to: string, amount: bigint): string =>
  `0xa9059cbb${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;

interface StructLog {
  pc: number;
  op: string;
  gas: number;
  depth: number;
  stack: string[];
  memory: string[];
  /** Of the account, by slot, where the instruction reads or writes storage. */
  storage?: Record<string, string>;
}

describe('recordings of forks and simulations', function () {
  let service: TestService;
  let fork: Fork;
  before(async () => {
    service = await startService({ counted: true, args: ['--sandbox'] });
    fork = await createFork(service, { chainId: 31337, height: '0xd' });
  });
  after(() => service.stop());

  const simulate = (body: object, chain = 'sandbox'): Promise<Answer<Recording>> =>
    service.request<Recording>('POST', `/v1/explorer/${chain}/simulate/recording`, { body });

  it("record a fork's own transactions, and those of the chain before it", async () => {
    const hash = await call(fork.rpc, 'eth_sendTransaction', {
      from: RICH,
      to: HBR,
      data: transferTo(BOB, 5n),
    });
    const own = await RecordedSession.open(service, fork.forkId, hash);
    assert.deepEqual(own.recording.verification, { level: 'receipt' });
    assert.deepEqual(
      [own.recording.chain, await own.stackAt(own.recording.entry)],
      [fork.forkId, '12 HarborToken.transfer'],
    );
    const original = await RecordedSession.open(service, fork.forkId, sandboxHash('approve'));
    assert.deepEqual(original.recording.verification, { level: 'receipt' });
  });

  it('end with their fork', async () => {
    const other = await createFork(service, { chainId: 31337, height: '0xd' });
    const request = { from: RICH, to: HBR, data: transferTo(BOB, 5n) };
    const hash = await call(other.rpc, 'eth_sendTransaction', request);
    const { base } = await RecordedSession.open(service, other.forkId, hash);
    const { data } = await service.request<{ projectId: string }[]>('GET', '/v1/projects');
    await service.request('DELETE', `/v1/project/${data[0]!.projectId}/fork/${other.forkId}`);
    assert.equal((await service.request('GET', `${base}/step/0`)).code, 40404);
  });

  it('record an unsent call, whose steps are read by its id', async () => {
    const { data, message } = await simulate({ from: RICH, to: HBR, data: transferTo(BOB, 7n) });
    assert.equal(message, 'OK');
    assert.deepEqual(
      [data.isSimulation, data.status, data.verification],
      [true, true, { level: 'call-trace' }],
    );
    const session = await RecordedSession.open(service, 'sandbox', data.transaction);
    assert.deepEqual(session.recording, data);
    assert.equal(await session.stackAt(data.entry), '12 HarborToken.transfer');
    const again = await simulate({ from: RICH, to: HBR, data: transferTo(BOB, 7n) });
    assert.equal(again.data.transaction, data.transaction);
    const other = await service.request(
      'GET',
      `/v1/explorer/${fork.forkId}/transaction/${data.transaction}/recording`,
    );
    assert.equal(other.code, 40403);
  });

  it('record a call with another state and block', async () => {
    const code = assemble('number 0 mstore 1 sload 32 mstore timestamp 64 mstore 96 0 return');
    const { data, message } = await simulate({
      from: `0x${'12'.repeat(20)}`,
      to: BOB,
      data: '0x01',
      stateOverrides: { [BOB]: { code, stateDiff: { '0x1': '0x2a' } } },
      blockOverrides: { number: '0x7b', time: '0x99999999' },
    });
    assert.equal(message, 'OK');
    assert.deepEqual(data.verification, { level: 'call-trace' });
    const session = await RecordedSession.open(service, 'sandbox', data.transaction);
    const { stack } = await session.step(1);
    assert.deepEqual(stack, ['0x7b']);
    const block = await session.get<Variables>('/step/0/variables?scope=block');
    const time = block.variables.find(({ name }) => name === 'block.timestamp');
    assert.equal(time?.value, String(0x99999999));
    const storage = await session.get<Variables>('/step/0/variables?scope=storage');
    assert.deepEqual(
      storage.variables.map(({ value }) => BigInt(value)),
      [0x2an],
    );
  });

  it('record a call that fails, and a creation', async () => {
    const poor = `0x${'34'.repeat(20)}`;
    const { data } = await simulate({ from: poor, to: HBR, data: transferTo(BOB, 7n) });
    assert.deepEqual(
      [data.status, data.failure, data.verification.level],
      [false, 'Token: balance too low', 'call-trace'],
    );
    const created = await simulate({ from: RICH, data: assemble('1 0 mstore 32 0 return') });
    assert.deepEqual(
      [created.data.status, created.data.verification.level, created.data.contracts[0]?.isCreation],
      [true, 'call-trace', true],
    );
  });

  it("record a simulation on a fork's latest state", async () => {
    const body = { from: RICH, to: HBR, data: transferTo(BOB, 1n) };
    const first = await simulate(body, fork.forkId);
    assert.deepEqual([first.message, first.data.verification], ['OK', { level: 'call-trace' }]);
    const second = await simulate(body, fork.forkId);
    assert.notEqual(second.data.transaction, first.data.transaction);
  });

  it('refuse simulations that no block can contain', async () => {
    const { code } = await simulate({ from: BOB, to: HBR, maxFeePerGas: '1' });
    assert.equal(code, 42200);
  });

  it('tell their progress, and end with their last client', async () => {
    const client = createApiClient(() =>
      Promise.resolve({ baseUrl: service.url, accessKey: service.key }),
    );
    const params = { chain: 'sandbox', transaction: sandboxHash('recursion-2047-frames') };
    const leaving = new AbortController();
    const told: Progress[] = [];
    const left = client.call(
      'getRecording',
      { params },
      {
        signal: leaving.signal,
        onProgress: (progress) => {
          told.push(progress);
          if (progress.stage === 'recording') leaving.abort();
        },
      },
    );
    await assert.rejects(left, { kind: 'cancelled' });
    const { done, total } = told.find(({ stage }) => stage === 'recording')!;
    assert.ok(done > 0 && done <= total);
    const whole = await client.call('getRecording', { params });
    assert.deepEqual([whole.steps, whole.verification.level], [424_707, 'receipt']);
  });
});

describe('recordings of a chain whose node has no tracers', function () {
  this.timeout(240_000);
  let node: HardhatNode;
  let service: TestService;
  const hashes: string[] = [];
  const sender = new Wallet(`0x${'91'.repeat(32)}`);

  before(async () => {
    node = await HardhatNode.launch('prague');
    const random = new Random(11);
    await node.rpc.request('hardhat_setBalance', [sender.address, toQuantity(10n ** 21n)]);
    for (const address of PROGRAMS) {
      await node.rpc.request('hardhat_setCode', [address, randomProgram(random, 'prague')]);
      await node.rpc.request('hardhat_setBalance', [address, '0x3e8']);
    }
    for (let block = 0; block < 3; block++) {
      for (let i = 0; i < 6; i++) {
        const data = `0x${random
          .number(1 << 30)
          .toString(16)
          .padStart(64, '0')}`;
        const to = random.pick(PROGRAMS);
        hashes.push(await node.send(sender, { to, data, value: BigInt(random.pick([0, 3])) }));
      }
      await node.mine();
    }
    service = await startService({
      counted: true,
      config: { chains: [ethChain(node.url, { hardfork: 'prague' })], prices: { source: 'none' } },
    });
  });
  after(async () => {
    await service.stop();
    await node.close();
  });

  it('have the states that another engine lists', async () => {
    let compared = 0;
    let slots = 0;
    for (const hash of hashes) {
      const session = await RecordedSession.open(service, 'eth', hash);
      assert.deepEqual(session.recording.verification, { level: 'receipt' }, hash);
      const { structLogs } = (await node.rpc.request('debug_traceTransaction', [hash])) as {
        structLogs: StructLog[];
      };
      assert.equal(session.recording.steps, structLogs.length, hash);
      for (const [step, { pc, op, gas, stack, memory, depth, storage }] of structLogs.entries()) {
        const at = await session.step(step);
        const external = at.callStack.filter(({ kind }) => kind === 'external').length;
        const where = `${hash}, step ${step}`;
        assert.deepEqual([at.pc, at.gas, external], [pc, gas, depth], where);
        assert.deepEqual(
          at.stack.map(BigInt),
          stack.map((word) => BigInt(`0x${word.replace(/^0x/, '')}`)),
          where,
        );
        const { data } = await session.get<{ data: string }>(`/step/${step}/bytes`);
        assert.equal(data.slice(2), memory.map((word) => word.replace(/^0x/, '')).join(''), where);
        compared++;
        if (op !== 'SLOAD' && op !== 'SSTORE') continue;
        // Hardhat lists storage as the instruction leaves it; other slots may be those of a call that was reverted.
        const after = structLogs[step + 1]?.depth === depth ? step + 1 : undefined;
        if (after === undefined) continue;
        const path = `/step/${after}/variables?scope=storage&count=1000`;
        const { variables } = await session.get<Variables>(path);
        const own = new Map(variables.map(({ slot, value }) => [BigInt(slot!), BigInt(value)]));
        const word = (text: string): bigint => BigInt(`0x${text.replace(/^0x/, '')}`);
        const [slot, value] = Object.entries(storage!).find(
          ([key]) => word(key) === word(stack.at(-1)!),
        )!;
        assert.equal(own.get(word(slot)), word(value), `${where}, slot ${slot}`);
        slots++;
      }
    }
    assert.ok(compared > 300 && slots > 20, `${compared} steps, ${slots} slots`);
  });
});

describe('recordings that are refused', function () {
  this.timeout(240_000);
  let engines: TestEngines;
  let chain: TestChain;
  let other: TestChain;
  let service: TestService;
  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    other = await TestChain.start(engines.start, 42_161);
    service = await startService({
      counted: true,
      config: {
        chains: [
          ethChain(chain.engine.url),
          { slug: 'arb', chainId: 42_161, nativeSymbol: 'ETH', rpcUrls: [other.engine.url] },
        ],
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  const get = (hash: string, slug = 'eth', rest = ''): Promise<Answer<Recording>> =>
    service.request('GET', `/v1/explorer/${slug}/transaction/${hash}/recording${rest}`);

  it('say what to do', async () => {
    const loop = `0x${'4c'.repeat(20)}`;
    await chain.engine.rpc.request('anvil_setCode', [loop, assemble(':loop @loop jump')]);
    const long = await chain.send(ALICE, { to: loop, gasLimit: 16_000_000 });
    const short = await chain.send(ALICE, { to: COUNTER });
    const pending = await get(short);
    assert.equal(pending.code, 40902);
    await chain.mine();
    const { code, message } = await get(long);
    assert.equal(code, 42201);
    assert.equal(
      message,
      'the transaction executes more than 2000000 steps: simulate one of its calls, and debug the simulation',
    );
    const rolled = await other.send(ALICE, { to: COUNTER });
    await other.mine();
    const arbitrum = await get(rolled, 'arb');
    assert.equal(arbitrum.code, 42202);
    assert.match(
      arbitrum.message,
      /^transactions of arb cannot be recorded: ArbOS .*; simulate the call on a fork of the chain, and debug the simulation$/,
    );
    const { data } = await get(short);
    assert.deepEqual([data.verification, data.entry], [{ level: 'receipt' }, 0]);
    assert.match(
      data.contracts[0]!.unavailable!,
      /^no source with a source map is known for the code of 0xc0c0/,
    );
  });
});
