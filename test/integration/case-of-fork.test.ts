import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { OpenCaseView, WrittenCase } from '../../server/api/cases';
import type { Fork } from '../../server/api/fork';
import { everything, Reader, type Answers } from '../support/case-answers';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const FORK = '<fork>';
const OWNER = `0x${'ca'.repeat(20)}`;

const COUNTER = `0x${'c0'.repeat(20)}`;
/** Adds one to slot 0, and logs it. */
const COUNTS = '0x5f54600101805f555f5260205fa0';
const SLOT = `0x${'0'.repeat(64)}`;

const COUNTING = { from: OWNER, gas: '0x7a120', to: COUNTER, data: '0x06661abd', value: '0x1' };

/** What was sent on the fork, and what a reader of its case must find. */
interface Sent {
  readonly hash: string;
  readonly file: string;
  written: WrittenCase;
  expected: Answers;
}

describe('a case of a transaction on a fork', function () {
  this.timeout(240_000);
  let folder: string;
  let online: TestService;
  let offline: TestService | undefined;
  let forkId: string;
  let swap: Sent;
  let cheated: Sent;
  let counted: Sent;
  /** The analysis of the last one, sent again right before its place on the fork. */
  let expectedAgain: string;

  /** Sends a call of the sandbox again, and writes its case. */
  async function write(name: string, rpc: string, transaction: object): Promise<Sent> {
    const hash = await call(rpc, 'eth_sendTransaction', transaction);
    const file = join(folder, `${name}.forklens`);
    const path = `/v1/explorer/${forkId}/transaction/${hash}/case`;
    const { message, data } = await online.request<WrittenCase>('POST', path, { body: { file } });
    assert.equal(message, 'OK');
    const expected = await everything(online, forkId, hash, FORK);
    return { hash, file, written: data, expected };
  }

  async function sendAgain(service: TestService, { forkId: id, rpc }: Fork): Promise<string> {
    const hash = await call(rpc, 'eth_sendTransaction', COUNTING);
    const path = `/v1/explorer/<chain>/transaction/${hash}/analysis`;
    return (await new Reader(service, id).read(path)).replaceAll(hash, '<hash>');
  }

  before(async () => {
    folder = await makeTemporaryDirectory();
    online = await startService({ counted: true, args: ['--sandbox'] });
    try {
      const fork = await createFork(online, { chainId: 31337, chain: 'sandbox', height: '0xb' });
      ({ forkId } = fork);
      const original = (await call(
        fork.rpc,
        'eth_getTransactionByHash',
        sandboxHash('custom-error-three-deep'),
      )) as unknown as { from: string; to: string; input: string; value: string };
      const { from, to, input: data, value } = original;
      swap = await write('failed', fork.rpc, { from, to, data, value, gas: '0x7a120' });
      // State that no block contains.
      await call(fork.rpc, 'anvil_setBalance', OWNER, '0xde0b6b3a7640000');
      // Two of the three items are there.
      const bought = { to, data: `${data.slice(0, -1)}2`, value: '0x470de4df820000' };
      cheated = await write('cheated', fork.rpc, { from: OWNER, gas: '0x7a120', ...bought });
      await call(fork.rpc, 'evm_mine');
      await call(fork.rpc, 'anvil_setNonce', OWNER, '0x17');
      await call(fork.rpc, 'anvil_setCode', COUNTER, COUNTS);
      await call(fork.rpc, 'anvil_setStorageAt', COUNTER, SLOT, `0x${'41'.padStart(64, '0')}`);
      counted = await write('counted', fork.rpc, COUNTING);
      const body = { transaction: counted.hash, name: 'before it' };
      const project = `/v1/project/${await localProject(online)}`;
      const branch = await online.request<Fork>('POST', `${project}/fork/${forkId}/branch`, {
        body,
      });
      expectedAgain = await sendAgain(online, branch.data);
    } finally {
      await online.stop();
    }
    offline = await startService({ counted: true });
  });
  after(async () => {
    await offline?.stop();
    await removeDirectory(folder);
  });

  const open = async ({ file }: Sent): Promise<OpenCaseView> => {
    const { data, message } = await offline!.request<OpenCaseView>('POST', '/v1/case', {
      body: { file },
    });
    assert.equal(message, 'OK');
    return data;
  };

  for (const [name, sent] of [
    ['that failed', () => swap],
    ['that pays with a balance that was set', () => cheated],
    ['whose code, storage and nonce were set', () => counted],
  ] as const) {
    it(`has the same views, recording and simulation without the fork, byte for byte: one ${name}`, async () => {
      const { hash, expected } = sent();
      const { chain, ofChain } = await open(sent());
      assert.equal(ofChain, 'sandbox');
      const found = await everything(offline!, chain, hash, FORK);
      assert.deepEqual([...found.keys()], [...expected.keys()]);
      for (const [path, answer] of expected) {
        assert.equal(found.get(path), answer, path);
      }
    });
  }

  it('has the state that was set before the transaction on a fork right before it', async () => {
    const { chain, block } = await open(counted);
    const { number: height, position } = block;
    const fork = await createFork(offline!, { chainId: 31337, chain, height, position });
    assert.equal(
      await call(fork.rpc, 'eth_getStorageAt', COUNTER, SLOT, 'latest'),
      `0x${'41'.padStart(64, '0')}`,
    );
    assert.equal(await call(fork.rpc, 'eth_getTransactionCount', OWNER, 'latest'), '0x17');
    assert.equal(await sendAgain(offline!, fork), expectedAgain);
  });

  it('has nothing to verify', async () => {
    const { file } = swap;
    const { code, message } = await offline!.request('POST', '/v1/case/verify', { body: { file } });
    assert.equal(code, 42205);
    assert.equal(
      message,
      'the case file is refused: it is about a transaction on a fork, whose blocks prove nothing',
    );
  });
});
