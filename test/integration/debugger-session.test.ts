import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject } from '../support/service';
import { EXPLOIT, VAULT_FILE, useDebugger } from './debugger-suite';

describe('a session of the debugger, by the Debug Adapter Protocol', () => {
  const suite = useDebugger();
  let debug: DebugSession;

  beforeEach(() => {
    debug = suite.debug;
  });

  describe('a session', () => {
    it('begins at the first line, with its source', async () => {
      const { body } = await debug.begin(EXPLOIT);
      assert.equal(body.reason, 'entry');
      assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
      const source = await suite.topSource();
      assert.deepEqual(source, {
        name: VAULT_FILE,
        path: VAULT_FILE,
        sourceReference: 1,
        origin: 'sandbox',
      });
      const { body: text } = await debug.sourceRequest({ source, sourceReference: 1 });
      assert.match(text.content, /^contract EtherVault \{/m);
      const { body: threads } = await debug.threadsRequest();
      assert.deepEqual(threads.threads, [{ id: 1, name: 'transaction 0xbe04…3b29' }]);
    });

    it('steps through an unsent transaction', async () => {
      const simulate = {
        from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        to: '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690',
        data: '0xd0e30db0', // deposit()
        value: '0x5',
      };
      await debug.begin({ chain: 'sandbox', simulate });
      assert.deepEqual(await debug.stack(), ['EtherVault.deposit:14']);
      const { body } = await debug.threadsRequest();
      assert.deepEqual(body.threads, [{ id: 1, name: 'simulation' }]);
      assert.equal((await debug.move('continue')).reason, 'end');
    });

    it('says which features it has', async () => {
      const { body } = await debug.initializeRequest();
      const has = Object.entries(body ?? {}).filter(([, value]) => value === true);
      assert.equal(has.length, 28);
      assert.deepEqual(
        body?.exceptionBreakpointFilters?.map(({ filter }) => filter),
        ['uncaught', 'all', 'panic', 'events'],
      );
    });

    it('begins at a call of the call tree, at an event, and at the failure', async () => {
      await debug.begin({ ...EXPLOIT, stopAt: 3 });
      assert.deepEqual(
        (await debug.stack()).map((frame) => frame.split(':')[0]),
        ['EtherVault.withdraw', 'VaultThief.attack'],
      );
      assert.equal(await suite.line(), 19);
      debug = await suite.reopen();
      await debug.begin({ ...EXPLOIT, stopAt: 2 });
      assert.deepEqual(await debug.stack(), ['EtherVault.deposit:15', 'VaultThief.attack:39']);
      debug = await suite.reopen();
      const hash = sandboxHash('custom-error-three-deep');
      const { body } = await debug.begin({ chain: 'sandbox', hash, stopAt: 'failure' });
      assert.equal(body.reason, 'exception');
      const { body: info } = await debug
        .send('exceptionInfo', { threadId: 1 })
        .then(
          (response: DebugProtocol.Response) =>
            response as unknown as DebugProtocol.ExceptionInfoResponse,
        );
      assert.equal(info.description, body.text);
      assert.match(body.text!, /^\w+\(/);
      assert.equal(body.description, body.text);
      assert.equal(info.exceptionId, body.text!.split('(')[0]);
    });

    it('shows why the transaction fails wherever it begins, stops and ends', async () => {
      const hash = sandboxHash('custom-error-three-deep');
      const printed: string[] = [];
      debug.on('output', ({ body }: DebugProtocol.OutputEvent) => {
        if (body.category === 'important') printed.push(body.output.trim());
      });
      const { body } = await debug.begin({ chain: 'sandbox', hash });
      assert.equal(body.reason, 'entry');
      const { description, text } = await debug.move('forklens/goTo', { at: 'failure' });
      assert.match(text!, /^\w+\(/);
      assert.equal(description, text);
      assert.deepEqual(printed, [`The transaction fails: ${text}`]);
      const end = await debug.move('continue');
      assert.equal(end.description, `End of the transaction, which failed: ${text}`);
    });

    it('says which line fails and why, as long as it stands there', async () => {
      interface Place {
        failure?: { path: string; line: number; reason: string };
      }
      const placeOf = async (): Promise<Place> => {
        const { body } = (await debug.send('forklens/place', {})) as { body: Place };
        return body;
      };
      const hash = sandboxHash('error-string');
      const { body } = await debug.begin({ chain: 'sandbox', hash, stopAt: 'failure' });
      const { failure } = await placeOf();
      assert.equal(failure?.reason, 'Token: balance too low');
      assert.equal(failure.reason, body.text);
      const source = await suite.topSource();
      assert.equal(failure.path, source.path);
      assert.equal(failure.line, await suite.line());
      await debug.move('forklens/goTo', { at: 'entry' });
      assert.equal((await placeOf()).failure, undefined);
    });

    it('ends its work when it ends', async () => {
      await debug.begin(EXPLOIT);
      const ended = debug.waitForEvent('terminated');
      await debug.send('terminate');
      await ended;
      await assert.rejects(debug.stack(), /cancelled/);
    });
  });

  describe('errors', () => {
    const refusal = (launch: object): Promise<string> =>
      debug.begin(launch).then(
        () => assert.fail('the launch succeeded'),
        (error: unknown) => (error as Error).message,
      );

    it('name the field of a launch that is wrong', async () => {
      assert.match(
        await refusal({ chain: 'sandbox' }),
        /^Hash is .*; accepted: a transaction hash/,
      );
    });

    it('say that the chain or the transaction is unknown', async () => {
      assert.match(await refusal({ ...EXPLOIT, chain: 'nowhere' }), /nowhere/);
      debug = await suite.reopen();
      assert.match(await refusal({ ...EXPLOIT, hash: `0x${'ab'.repeat(32)}` }), /transaction/i);
    });

    it('say that there is no code to step through', async () => {
      assert.equal(
        await refusal({ ...EXPLOIT, hash: sandboxHash('send-ether') }),
        'This transaction executes no code: there is nothing to step through.',
      );
    });

    it('say that a fork was deleted', async () => {
      const fork = await createFork(suite.service, { chainId: 31337 });
      const path = `/v1/project/${await localProject(suite.service)}/fork/${fork.forkId}`;
      await debug.begin({ chain: fork.forkId, hash: EXPLOIT.hash });
      await suite.service.request('DELETE', path);
      debug = await suite.reopen();
      assert.match(await refusal({ chain: fork.forkId, hash: EXPLOIT.hash }), /fork/i);
    });

    it('answer unknown requests', async () => {
      await debug.begin(EXPLOIT);
      await assert.rejects(debug.send('attach', {}), /The debugger has no request attach\./);
    });

    it('answer a cancelled launch', async () => {
      await debug.initializeRequest({ adapterID: 'forklens', pathFormat: 'path' });
      const hash = sandboxHash('recursion-2047-frames');
      const launched = debug.launchRequest({
        chain: 'sandbox',
        hash,
      } as DebugProtocol.LaunchRequestArguments);
      await debug.send('cancel', { progressId: 'recording' });
      await assert.rejects(launched, /cancelled/);
    });

    it('answer a launch that is cancelled after its recording has ended', async () => {
      await debug.initializeRequest({ adapterID: 'forklens', pathFormat: 'path' });
      const recorded = debug.waitForEvent('initialized');
      const launched = debug.send('launch', EXPLOIT);
      await recorded;
      await debug.send('cancel', { progressId: 'recording' });
      await assert.rejects(launched, /cancelled/);
    });
  });
});
