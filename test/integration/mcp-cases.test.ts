import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentClient } from '../support/agent-client';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';

const SWAP = sandboxHash('swap-two-hops');

describe("the agents' tools for case files", function () {
  this.timeout(60_000); // the first case waits for a compilation
  let service: TestService;
  let agent: AgentClient;
  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    agent = await AgentClient.start(service);
  });
  after(async () => {
    await agent.close();
    await service.stop();
  });

  it('write, open and verify a case file in the folder that the server was started in', async () => {
    const file = join(agent.folder, 'swap.forklens');
    const written = await agent.use('create_case', { transaction: SWAP, file: 'swap.forklens' });
    assert.equal((JSON.parse(written.text) as { file: string }).file, 'swap.forklens');
    await access(file);
    const opened = JSON.parse((await agent.use('open_case', { file })).text) as {
      chain: string;
      transaction: string;
    };
    assert.match(opened.chain, /^case-[0-9a-f]{12}$/);
    assert.equal(opened.transaction, SWAP);
    const { chain } = opened;
    const { text } = await agent.use('analyze_transaction', { chain, transaction: SWAP });
    assert.match(text, /CALL "Router"\.swapExactTokensForTokens\(/);
    const verified = JSON.parse(
      (await agent.use('verify_case', { file: 'swap.forklens' })).text,
    ) as {
      level: string;
      trusted: boolean;
    };
    assert.deepEqual([verified.level, verified.trusted], ['executed', false]);
  });

  it('write a debugger session with its breakpoints', async () => {
    const session = {
      file: 'session.forklens',
      analyses: [{ chain: 'sandbox', transaction: SWAP }],
      shows: 'debugger',
      breakpoints: ['server/chains/sandbox/contracts/Router.sol:20', 'Router.swap'],
      step: 30,
    };
    await agent.use('write_case', session);
    const opened = JSON.parse((await agent.use('open_case', { file: session.file })).text) as {
      shown: unknown;
    };
    assert.deepEqual(opened.shown, {
      kind: 'debugger',
      step: 30,
      build: 'executed',
      breakpoints: [
        { source: 'server/chains/sandbox/contracts/Router.sol', line: 20 },
        { function: 'Router.swap' },
      ],
    });
    const wrong = await agent.use('write_case', {
      ...session,
      file: 'x.forklens',
      breakpoints: ['a.sol:0'],
    });
    assert.equal(
      wrong.text,
      'breakpoint is "a.sol:0"; accepted: <file as compiled>:<line from 1 to 1000000>, or the name of a function',
    );
  });

  it('replace no file, and touch none outside of that folder', async () => {
    const again = await agent.use('create_case', { transaction: SWAP, file: 'swap.forklens' });
    assert.deepEqual(again, {
      isError: true,
      text: 'file is "swap.forklens", which exists; accepted: the path of a new file',
    });
    for (const name of ['create_case', 'open_case', 'verify_case']) {
      const outside = await agent.use(name, { transaction: SWAP, file: '/tmp/other.forklens' });
      assert.deepEqual(outside, {
        isError: true,
        text: 'file is "/tmp/other.forklens"; accepted: a path that ends with .forklens in a folder that the tools work in',
      });
    }
  });
});
