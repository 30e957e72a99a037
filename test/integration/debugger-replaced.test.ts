import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Fork } from '../../server/api/fork';
import type { Recording, RecordedBlock } from '../../server/api/recording';
import { assemble } from '../fidelity/assembler';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { DebugSession } from '../support/debug-session';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { VAULT } from './debugger-suite';

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const DEPOSIT = '0xd0e30db0';
/** A deadline for a session to notice that its block was replaced. */
const REPLACED_MS = 30_000;

interface Outcome {
  important: string[];
  invalidated: string[];
  hasEnded: boolean;
}

describe('debug sessions whose block is replaced', function () {
  this.timeout(90_000);
  let anvil: BareAnvil;
  let service: TestService;
  let debug: DebugSession;

  before(async () => {
    anvil = await startAnvil('--no-mining', '--hardfork', 'prague', '--chain-id', '31338');
    const chains = [
      {
        slug: 'local',
        name: 'Local',
        chainId: 31_338,
        nativeSymbol: 'ETH',
        rpcUrls: [anvil.url],
        hardfork: 'prague',
      },
    ];
    service = await startService({ args: ['--sandbox'], config: { chains } });
  });
  after(async () => {
    await service.stop();
    await anvil.stop();
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
  });
  afterEach(() => debug.close());

  /** What the session says. */
  const listen = (): Outcome => {
    const outcome: Outcome = { important: [], invalidated: [], hasEnded: false };
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => {
      if (body.category === 'important') outcome.important.push(body.output);
    });
    debug.on('invalidated', ({ body }: DebugProtocol.InvalidatedEvent) => {
      outcome.invalidated.push(...(body.areas ?? []));
    });
    debug.on('terminated', () => (outcome.hasEnded = true));
    return outcome;
  };
  const begin = (launch: object) =>
    debug.begin(launch, undefined, { supportsInvalidatedEvent: true });
  /** Moves back and forth until the session has said a text, as a user does. */
  const moveUntil = async ({ important }: Outcome, text = ''): Promise<void> => {
    let command = 'stepBack';
    await eventually(async () => {
      if (important.some((one) => one.includes(text))) return;
      command = command === 'stepIn' ? 'stepBack' : 'stepIn';
      await debug.move(command, { granularity: 'instruction' });
      assert.fail(`nothing of ${JSON.stringify(text)} is said, only ${JSON.stringify(important)}`);
    }, REPLACED_MS);
  };
  const threadName = async (): Promise<string> =>
    (await debug.threadsRequest()).body.threads[0]!.name;

  it('say what became of it after a reorganisation, and go on with what was recorded', async () => {
    const code = `0x${assemble('number 0 sstore stop').replace(/^0x/, '')}`;
    await call(anvil.url, 'anvil_setCode', VAULT, code);
    const before = await call(anvil.url, 'evm_snapshot');
    const send = async (): Promise<string> => {
      const sent = {
        from: SENDER,
        to: VAULT,
        nonce: '0x0',
        gas: '0x20000',
        gasPrice: '0x77359400',
      };
      return call(anvil.url, 'eth_sendTransaction', sent);
    };
    const hash = await send();
    await call(anvil.url, 'evm_mine');
    const outcome = listen();
    await begin({ chain: 'local', hash });
    const at = `/v1/explorer/local/transaction/${hash}/recording`;
    const { data: old } = await service.request<Recording>('GET', at);
    await call(anvil.url, 'evm_revert', before);
    await moveUntil(outcome);
    await call(anvil.url, 'anvil_mine', '0x3');
    assert.equal(await send(), hash);
    await call(anvil.url, 'evm_mine');
    await moveUntil(outcome, 'is in block');
    const { data: now } = await service.request<Recording>('GET', at);
    assert.notEqual(now.blockHash, old.blockHash);
    const said = (what: string): string =>
      `A reorganisation of local replaced block ${old.blockHash}: the transaction ${what}; the recording is that of the replaced block. What was recorded can still be stepped through.\n`;
    // It may have waited for its block when the service asked.
    const [first, ...later] = outcome.important;
    assert.equal(first, said('is in no block now, simulate it to debug it on the present state'));
    const where = `is in block ${now.blockHash} now, debug it again to see its execution there`;
    assert.equal(later.at(-1), said(where));
    assert.equal(outcome.hasEnded, false);
    assert.deepEqual(
      outcome.invalidated,
      outcome.important.map(() => 'threads'),
    );
    assert.equal(
      await threadName(),
      `transaction ${hash.slice(0, 6)}…${hash.slice(-4)} (block replaced)`,
    );
    // The number of the replaced block.
    await debug.move('restart');
    await debug.move('stepIn', { granularity: 'instruction' });
    const { body } = await debug.evaluateRequest({ expression: 'block.number', context: 'repl' });
    assert.deepEqual([body.result, (await stack(now, at))[0]], ['1', '0x4']);
    const { length } = outcome.important;
    assert.equal((await debug.move('continue')).reason, 'end');
    assert.equal(outcome.important.length, length);
    const check = await service.request<RecordedBlock>('GET', `${at}/block/${now.blockHash!}`);
    assert.deepEqual(check.data, { isCurrent: true });
  });

  /** The stack after the first instruction of a recording. */
  const stack = async ({ blockHash }: Recording, at: string): Promise<string[]> => {
    const url = `${at}/step/1?block=${blockHash!}`;
    return (await service.request<{ stack: string[] }>('GET', url)).data.stack;
  };

  const forkWithDeposit = async (): Promise<{ fork: Fork; hash: string; path: string }> => {
    const fork = await createFork(service, { chainId: 31337 });
    const sent = { from: SENDER, to: VAULT, value: '0x5', data: DEPOSIT };
    const hash = await call(fork.rpc, 'eth_sendTransaction', sent);
    return { fork, hash, path: `/v1/project/${await localProject(service)}/fork/${fork.forkId}` };
  };

  it('say so after their fork was reverted, without asking it again', async () => {
    const { fork, hash, path } = await forkWithDeposit();
    const outcome = listen();
    await begin({ chain: fork.forkId, hash });
    assert.deepEqual(await debug.stack(), ['EtherVault.deposit:14']);
    await call(fork.rpc, 'evm_mine'); // no change of the past
    await debug.move('next');
    assert.deepEqual(outcome.important, []);
    const reverted = await service.request('POST', `${path}/snapshots/${fork.snapshotId}/revert`);
    assert.equal(reverted.message, 'OK');
    await moveUntil(outcome);
    assert.equal(outcome.important.length, 1);
    assert.match(
      outcome.important[0]!,
      new RegExp(
        `^Fork ${fork.forkId} was reverted, and block 0x[0-9a-f]{64} is no longer part of it: send the transaction again, or simulate it, to debug it on the present state;`,
      ),
    );
    assert.deepEqual([outcome.invalidated, outcome.hasEnded], [['threads'], false]);
    // The simulation would begin on another state than that of the recording.
    await assert.rejects(
      debug.ask('setExpression', { expression: 'balanceOf[msg.sender]', value: '7' }),
      /^Error: The block of this transaction was replaced: debug the transaction again, then change balanceOf\[msg\.sender\]\.$/,
    );
    assert.equal((await debug.move('continue')).reason, 'end');
    assert.equal((await debug.move('reverseContinue')).reason, 'entry');
    assert.deepEqual(await debug.stack(), ['EtherVault.deposit:14']);
  });

  it('end with a sentence after their fork was deleted', async () => {
    const { fork, hash, path } = await forkWithDeposit();
    const outcome = listen();
    await begin({ chain: fork.forkId, hash });
    const texts: string[] = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => texts.push(body.output));
    const ended = debug.waitForEvent('terminated');
    const deleted = await service.request('DELETE', path);
    assert.equal(deleted.message, 'OK');
    // The check of the first stop may have ended the session already.
    await debug.send('next', { threadId: 1 }).catch(() => undefined);
    await ended;
    assert.deepEqual(
      texts.filter((text) => text.includes('fork')),
      [
        'The fork of this transaction was deleted, or is no longer shared with you, so this session ends. Debug the transaction on another fork.\n',
      ],
    );
    assert.deepEqual(outcome.important, []);
  });
});
