import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { InvocationFlow } from '../../server/api/explorer';
import type { Recording } from '../../server/api/recording';
import type { Analysis } from '../../server/api/views';
import { post, type RpcReply } from '../support/json-rpc';
import { CommandLine } from '../support/command-line';
import { ethConfig } from '../support/eth-config';
import { startService, type Answer, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { UpstreamProxy, withoutDebugApi, type ProxiedCall } from '../support/upstream-proxy';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

type Fields = Record<string, unknown>;

const WORD = `0x${'ab'.repeat(32)}`;
const CHAIN_ID = 987_654_321;
const GUESS =
  'the rules of chain eth (id 987654321) are not known: osaka is assumed; set "hardfork" in its configuration for another';
const AMSTERDAM = (block: number): string =>
  `block ${block} of eth follows the rules of Amsterdam, which no engine of this version executes: its header has blockAccessListHash and slotNumber`;

describe('the rules of a block', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let service: TestService;
  let projectId: string;
  /** Fields that the node adds to its blocks. */
  let added: Fields;
  /** What the node answers to `eth_config`. */
  let config: unknown;
  let hash: string;
  let head: number;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start, CHAIN_ID);
    proxy = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await proxy.close();
    await engines.close();
  });

  beforeEach(async () => {
    added = {};
    config = undefined;
    proxy.fault = (calls, count) =>
      withoutDebugApi(calls, count) ??
      (config === undefined && calls.some(({ method }) => method === 'eth_config')
        ? { error: { code: -32601, message: 'the method does not exist' } }
        : undefined);
    proxy.rewrite = rewrite;
    await chain.send(ALICE, { to: COUNTER });
    hash = await chain.send(ALICE, { to: COUNTER });
    head = await chain.mine();
    service = await startService({
      config: {
        chains: [ethChain(proxy.url, { chainId: CHAIN_ID })],
        prices: { source: 'none' },
      },
    });
    const body = { name: 'p' };
    const { data } = await service.request<{ projectId: string }>('POST', '/v1/project', { body });
    ({ projectId } = data);
  });
  afterEach(() => service.stop());

  function rewrite(answer: unknown, calls: readonly ProxiedCall[]): unknown {
    const answers = (Array.isArray(answer) ? answer : [answer]) as Fields[];
    const changed = answers.map((one) => {
      const method = calls.find(({ id }) => id === one['id'])?.method ?? '';
      if (method === 'eth_config') return { jsonrpc: '2.0', id: one['id'], result: config };
      const { result } = one;
      const isBlock = method.startsWith('eth_getBlockBy') && result !== null;
      return isBlock ? { ...one, result: { ...(result as Fields), ...added } } : one;
    });
    return Array.isArray(answer) ? changed : changed[0];
  }

  const fork = (more: object = {}): Promise<Answer<Fork>> =>
    service.request<Fork>('POST', `/v1/project/${projectId}/fork`, {
      body: { chainId: CHAIN_ID, name: 'f', height: 'latest', accounts: 'none', ...more },
    });
  const flow = (): Promise<Answer<InvocationFlow>> =>
    service.request('GET', `/v1/explorer/eth/transaction/${hash}/invocation-flow`);
  const simulation = (more: object = {}): Promise<Answer<Analysis>> =>
    service.request('POST', '/v1/explorer/eth/simulate', {
      body: { from: ALICE.address, to: COUNTER, height: `0x${head.toString(16)}`, ...more },
    });
  const recording = (): Promise<Answer<Recording>> =>
    service.request('GET', `/v1/explorer/eth/transaction/${hash}/recording`);

  /** The warnings of all answers that depend on rules, without those of a fork about its keys. */
  async function warnings(): Promise<Record<string, readonly string[] | undefined>> {
    return {
      fork: (await fork()).data.warnings,
      analysis: (await flow()).data.verification.warnings,
      simulation: (await simulation()).data.simulation?.warnings,
      recording: (await recording()).data.verification.warnings,
    };
  }
  const everywhere = (...texts: string[]): Record<string, string[]> => ({
    fork: texts,
    analysis: texts,
    simulation: texts,
    recording: texts,
  });

  it('are said to be a guess for an unknown chain', async () => {
    assert.deepEqual(await warnings(), everywhere(GUESS));
  });

  it('are those of the node’s schedule, which is asked for once', async () => {
    config = { current: ethConfig({ chainId: CHAIN_ID, activation: 1, hardfork: 'prague' }) };
    proxy.reset();
    const none = { fork: undefined, analysis: undefined };
    assert.deepEqual(await warnings(), { ...none, simulation: undefined, recording: undefined });
    assert.equal(proxy.count('eth_config'), 1);
  });

  it('are not known for fields of the header that are not, unless the request names them', async () => {
    added = { inclusionListRoot: WORD };
    const text = `the header of block ${head} of eth has fields that this version does not know (inclusionListRoot)`;
    for (const [what, ask] of Object.entries({ fork, flow, simulation, recording })) {
      const { status, code, message } = await ask();
      assert.deepEqual([status, code], [422, 42_203], what);
      assert.ok(message.startsWith(`${text}: name the hardfork`), message);
    }
    const expected = [
      GUESS,
      `the rules of block ${head} of eth are not known: osaka is executed, as requested`,
    ];
    const named = { rules: 'osaka' };
    assert.deepEqual((await fork(named)).data.warnings, expected);
    assert.deepEqual((await simulation(named)).data.simulation?.warnings, expected);
  });

  it('are those that the request names for a fork of a block of Amsterdam', async () => {
    added = { blockAccessListHash: WORD, slotNumber: '0x7' };
    const { data } = await fork({ rules: 'osaka' });
    assert.equal(
      data.warnings?.[1],
      `block ${head} of eth follows the rules of amsterdam: osaka is executed, as requested`,
    );
    assert.match(data.warnings[2] ?? '', /^without Amsterdam/);
    const counted = await post(
      data.rpc,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    );
    assert.equal((counted as RpcReply).result, `0x${head.toString(16)}`);
    const inFork = { rules: 'osaka', from: ALICE.address, to: COUNTER };
    const path = `/v1/explorer/${data.forkId}/simulate`;
    const { code, message } = await service.request('POST', path, { body: inFork });
    assert.equal(code, 40_001);
    assert.match(message, /rules.*none for a fork: its rules are those of its creation/);
  });

  it('are named on the command line', async () => {
    added = { inclusionListRoot: WORD };
    const home = await makeTemporaryDirectory();
    try {
      const cli = new CommandLine(home, { FORKLENS_DATA_DIR: service.dataDir });
      const create = ['fork', 'create', 'eth', '--height', 'latest', '--json'];
      const refused = await cli.run(create);
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /name the hardfork/);
      const { warnings: said = [] } = JSON.parse(
        await cli.text(...create, '--rules', 'Osaka'),
      ) as Fork;
      const expected = `the rules of block ${head} of eth are not known: osaka is executed, as requested`;
      assert.ok(said.includes(expected), said.join());
      const simulate = ['simulate', 'eth', COUNTER, '--from', ALICE.address, '--json'];
      const { simulation: done } = JSON.parse(
        await cli.text(...simulate, '--rules', 'osaka'),
      ) as Analysis;
      assert.ok(done?.warnings?.includes(expected), done?.warnings?.join());
      const { code, stderr } = await cli.run([...create, '--rules', 'amsterdam']);
      assert.equal(code, 2);
      assert.match(stderr, /--rules is .*amsterdam.*accepted: frontier, .*, osaka/);
    } finally {
      await removeDirectory(home);
    }
  });

  it('of a name that is no hardfork are refused', async () => {
    for (const ask of [fork, simulation]) {
      const { code, message } = await ask({ rules: 'amsterdam' });
      assert.equal(code, 40_001);
      assert.match(message, /rules.*amsterdam.*a hardfork: frontier, .*, osaka/);
    }
  });

  it('without a base fee are refused inside a block that has one', async () => {
    const { status, code, message } = await fork({ rules: 'berlin', position: 1 });
    assert.deepEqual([status, code], [400, 40_001]);
    assert.equal(
      message,
      'rules is "berlin"; accepted: london or later with a position, as the block has a base fee',
    );
    assert.equal((await fork({ rules: 'berlin' })).code, 0);
    assert.equal((await fork({ rules: 'london', position: 1 })).code, 0);
  });

  it('refuse executions of a block of Amsterdam by an engine', async () => {
    added = { blockAccessListHash: WORD, slotNumber: '0x7' };
    for (const [what, ask] of Object.entries({ fork })) {
      const { status, code, message } = await ask();
      assert.deepEqual(
        { status, code, message },
        { status: 422, code: 42203, message: AMSTERDAM(head) },
        what,
      );
    }
  });

  it('execute a block of Amsterdam by its own rules, and say how its receipt differs', async () => {
    added = { blockAccessListHash: WORD, slotNumber: '0x7' };
    const { status, code, message } = await flow();
    assert.deepEqual([status, code], [502, 50_201]);
    assert.match(
      message,
      /cannot be executed again: executed by the chain's own rules, it differs from the receipt: gas used: \d+ in the trace, \d+ in the receipt$/,
    );
  });

  it('do not hide the trace of a node that executed the block', async () => {
    added = { blockAccessListHash: WORD, slotNumber: '0x7' };
    proxy.fault = undefined;
    const { message, data } = await flow();
    assert.equal(message, 'OK');
    assert.equal(data.verification.method, 'debug');
    assert.equal(data.verification.warnings, undefined);
  });
});
