import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CaseAnalysis, CaseShown } from '../../server/api/case-content';
import type { OpenCaseView, WrittenCase } from '../../server/api/cases';
import type { RecordedCalls, Recording } from '../../server/api/recording';
import { everything, Reader, type Answers } from '../support/case-answers';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const SCOPES = ['state', 'locals', 'message', 'block', 'storage', 'gas'];
const SWAP = sandboxHash('swap-two-hops');
const SESSION: CaseShown = {
  kind: 'debugger',
  step: 40,
  build: 'executed',
  breakpoints: [
    { source: 'contracts/Pool.sol', line: 12, condition: 'amount > 5' },
    { function: 'Pool.swap', isDisabled: true },
    {
      address: `0x${'ab'.repeat(20)}`,
      slot: `0x${'0'.repeat(63)}8`,
      access: 'readWrite',
      name: 'reserves',
      type: 'uint112',
      hitCondition: '2',
    },
    { contract: 1, pc: 77, name: 'Pool' },
  ],
};
const NOTEBOOK: CaseShown = {
  kind: 'notebook',
  name: 'story.forklens-book.md',
  text: '---\nnetwork: sandbox\n---\n# What happened\n',
};

interface Call {
  from: string;
  to: string;
  data: string;
  value?: string;
}

/** Everything that is read of a simulation: its views, and a recording in both directions. */
async function everythingOf(reader: Reader, body: object): Promise<Answers> {
  const answers = new Map<string, string>();
  const base = '/v1/explorer/<chain>';
  let id = '';
  const read = async (path: string, given?: object): Promise<string> => {
    const answer = await reader.read(path.replace('<id>', id), given);
    assert.doesNotMatch(answer, /^\{"code"/, `${path}: ${answer}`);
    answers.set(`${path} ${JSON.stringify(given ?? '')}`, answer.replaceAll(id || 'no id', '<id>'));
    return answer;
  };
  await read(`${base}/simulate`, body);
  await read(`${base}/simulate/source-locations`, body);
  const recording = JSON.parse(await reader.read(`${base}/simulate/recording`, body)) as Recording;
  id = recording.transaction;
  const { steps } = recording;
  const at = `${base}/transaction/<id>/recording`;
  const { calls } = JSON.parse(await read(`${at}/calls`)) as RecordedCalls;
  for (const step of new Set([0, steps - 1, ...calls.slice(0, 4).map((one) => one.firstStep)])) {
    await read(`${at}/step/${step}`);
    for (const scope of SCOPES) await read(`${at}/step/${step}/variables?scope=${scope}`);
  }
  const from = Math.floor(steps / 2);
  await read(`${at}/find`, { from, direction: 'forwards', mode: 'step' });
  await read(`${at}/find`, { from, direction: 'backwards', mode: 'step' });
  return answers;
}

function assertSame(found: Answers, expected: Answers): void {
  assert.deepEqual([...found.keys()], [...expected.keys()]);
  for (const [path, answer] of expected) assert.equal(found.get(path), answer, path);
}

describe('a case of', function () {
  this.timeout(300_000);
  let folder: string;
  let online: TestService;
  let offline: TestService;
  let forkId: string;
  let changed: object;
  let onFork: object;
  const expected = new Map<string, Answers>();

  const fileOf = (name: string): string => join(folder, `${name}.forklens`);
  async function write(name: string, analyses: object[], shown?: CaseShown): Promise<WrittenCase> {
    const body = { file: fileOf(name), analyses, ...(shown && { shown }) };
    const { message, data } = await online.request<WrittenCase>('POST', '/v1/cases', { body });
    assert.equal(message, 'OK');
    return data;
  }
  async function open(name: string): Promise<OpenCaseView> {
    const body = { file: fileOf(name) };
    const { message, data } = await offline.request<OpenCaseView>('POST', '/v1/case', { body });
    assert.equal(message, 'OK');
    return data;
  }
  const bodyOf = (analysis: CaseAnalysis | undefined): object => {
    assert.ok(analysis && 'simulation' in analysis);
    return analysis.simulation;
  };

  before(async () => {
    folder = await makeTemporaryDirectory();
    online = await startService({ counted: true, args: ['--sandbox'] });
    try {
      const fork = await createFork(online, { chainId: 31337, chain: 'sandbox', height: '0xb' });
      ({ forkId } = fork);
      const mined = (await call(fork.rpc, 'eth_getTransactionByHash', SWAP)) as unknown as Call & {
        input: string;
      };
      const { from, to, input: data, value } = mined;
      const funded = { balance: '0x21e19e0c9bab2400000' };
      changed = { from, to, data, value, stateOverrides: { [from]: funded }, height: '0x8' };
      // State that no block contains.
      await call(fork.rpc, 'anvil_setBalance', from as '0x', '0x8ac7230489e80000');
      onFork = { from, to, data, value, height: 'latest' };
      await write('simulation', [{ chain: 'sandbox', simulation: changed, title: 'with more' }]);
      await write(
        'comparison',
        [
          { chain: 'sandbox', transaction: SWAP },
          { chain: forkId, simulation: onFork },
        ],
        { kind: 'comparison' },
      );
      await write('session', [{ chain: 'sandbox', transaction: SWAP }], SESSION);
      const cells = [
        { chain: 'sandbox', transaction: SWAP },
        { chain: 'sandbox', transaction: sandboxHash('exploit-reentrancy') },
        { chain: 'sandbox', simulation: changed },
      ];
      await write('notebook', cells, NOTEBOOK);
      const chain = new Reader(online, 'sandbox');
      expected.set('changed', await everythingOf(chain, { ...changed, height: '0x8' }));
      expected.set(
        'on fork',
        await everythingOf(new Reader(online, forkId, '<fork>'), { ...onFork, height: '0xb' }),
      );
      expected.set('swap', await everything(online, 'sandbox', SWAP));
    } finally {
      await online.stop();
    }
    offline = await startService({ counted: true });
  });
  after(async () => {
    await offline.stop();
    await removeDirectory(folder);
  });

  it('a simulation has the same views and recording, byte for byte', async () => {
    const { analyses, transaction, shown } = await open('simulation');
    assert.equal(transaction, undefined);
    assert.equal(shown, undefined);
    const [analysis] = analyses;
    assert.ok(analysis && 'simulation' in analysis);
    assert.equal(analysis.title, 'with more');
    const found = await everythingOf(new Reader(offline, analysis.chain), changed);
    assertSame(found, expected.get('changed')!);
    // As the case names it.
    assert.equal(
      await new Reader(offline, analysis.chain).read(
        '/v1/explorer/<chain>/simulate',
        bodyOf(analysis),
      ),
      [...found.values()][0],
    );
  });

  it('a comparison has both sides on chains of their own', async () => {
    const { analyses, shown, chain } = await open('comparison');
    assert.deepEqual(shown, { kind: 'comparison' });
    const [left, right] = analyses;
    assert.ok(left && right && 'transaction' in left && 'simulation' in right);
    assert.equal(left.chain, chain);
    assert.equal(left.network, 'sandbox');
    assert.equal(right.chain, `${chain}-b`);
    assert.equal(right.network, forkId);
    assertSame(await everything(offline, left.chain, left.transaction), expected.get('swap')!);
    assert.equal(right.simulation['height'], '0xb');
    const reader = new Reader(offline, right.chain, '<fork>');
    assertSame(await everythingOf(reader, { ...onFork, height: '0xb' }), expected.get('on fork')!);
  });

  it('a debugger session has its breakpoints, and can be verified', async () => {
    const { analyses, shown } = await open('session');
    assert.deepEqual(shown, SESSION);
    assert.equal(analyses.length, 1);
    const body = { file: fileOf('session') };
    const { data } = await offline.request<{ level: string }>('POST', '/v1/case/verify', { body });
    assert.equal(data.level, 'executed');
  });

  it('a notebook has the analyses of all its cells in their order', async () => {
    const { analyses, shown } = await open('notebook');
    assert.deepEqual(shown, NOTEBOOK);
    assert.deepEqual(
      analyses.map((one) => ('transaction' in one ? one.transaction : 'simulation')),
      [SWAP, sandboxHash('exploit-reentrancy'), 'simulation'],
    );
    const [first, , last] = analyses;
    assertSame(await everything(offline, first!.chain, SWAP), expected.get('swap')!);
    assertSame(
      await everythingOf(new Reader(offline, last!.chain), changed),
      expected.get('changed')!,
    );
  });

  it('several analyses has no block that proves it', async () => {
    for (const [name, why] of [
      ['simulation', 'it is about a simulation, which no block has'],
      ['notebook', 'it has more than one analysis; a case of one transaction can be verified'],
    ] as const) {
      const body = { file: fileOf(name) };
      const { code, message } = await offline.request('POST', '/v1/case/verify', { body });
      assert.equal(code, 42205);
      assert.equal(message, `the case file is refused: ${why}`);
    }
  });

  it('two chains is closed as one, by the name of either', async () => {
    const { chain } = await open('comparison');
    const path = `/v1/case/${chain}-b`;
    assert.equal((await offline.request('DELETE', path)).message, 'OK');
    const { data } = await offline.request<OpenCaseView[]>('GET', '/v1/cases');
    assert.ok(data.every((one) => one.chain !== chain));
    const again = await offline.request('DELETE', `/v1/case/${chain}`);
    assert.equal(again.code, 40411);
  });

  it('a comparison has two sides', async () => {
    const body = {
      file: fileOf('none'),
      analyses: [{ chain: 'sandbox', transaction: SWAP }],
      shown: { kind: 'comparison' },
    };
    const { code, message } = await offline.request('POST', '/v1/cases', { body });
    assert.equal(code, 40001);
    assert.equal(message, 'analyses is 1; accepted: 2: the sides of a comparison');
  });
});
