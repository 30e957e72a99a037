import assert from 'node:assert/strict';
import { reply } from '../support/json-rpc';
import { isKind, PROJECT } from './fork-service';
import { useFork } from './fork-suite';

describe('the life of a fork', () => {
  const on = useFork();

  it('a cancelled creation leaves nothing behind', async () => {
    const cancelled = new AbortController();
    const known = on.service.records.size;
    const creating = on.service.create({ height: '0x2', position: 0 }, cancelled.signal);
    cancelled.abort();
    await assert.rejects(creating, isKind('cancelled', /cancelled/));
    assert.equal(on.service.records.size, known);
    const late = new AbortController();
    on.service.afterStart = () => {
      late.abort();
    };
    await assert.rejects(
      on.service.create({ height: '0x2', position: 0 }, late.signal),
      isKind('cancelled', /cancelled/),
    );
    delete on.service.afterStart;
    await on.service.engine.exited;
    assert.equal(on.service.records.size, known);
  });

  it('lists, returns and deletes forks; the address of a deleted fork is unknown', async () => {
    const fork = await on.service.create({ name: ' named ', height: '0x3' });
    const process = on.service.engine;
    assert.equal(fork.name, 'named');
    assert.match(fork.rpc, /\/rpc\/[0-9a-f]{32}$/);
    assert.match(fork.forkId, /^fork_[0-9a-f]{32}$/);
    assert.deepEqual((await on.service.forks.list(PROJECT)).at(-1), fork);
    assert.deepEqual(await on.service.forks.get(PROJECT, fork.forkId), fork);
    await assert.rejects(
      on.service.forks.get('project_2', fork.forkId),
      isKind('forkNotFound', /does not exist/),
    );
    await on.service.forks.delete(PROJECT, fork.forkId);
    await process.exited;
    await assert.rejects(
      on.service.forks.get(PROJECT, fork.forkId),
      isKind('forkNotFound', /does not exist/),
    );
    await assert.rejects(
      on.service.forks.delete(PROJECT, fork.forkId),
      isKind('forkNotFound', /does not exist/),
    );
    const response = await fetch(fork.rpc, { method: 'POST', body: '{}' });
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, message: 'there is no fork at this address' },
    });
  });

  it('deleting all forks of a project ends its engines and its creations', async () => {
    await on.service.create({ height: '0x3' });
    const creating = assert.rejects(
      on.service.create({ height: '0x3' }),
      isKind('cancelled', /cancelled/),
    );
    await on.service.forks.deleteAllOf(PROJECT);
    await creating;
    assert.deepEqual(await on.service.forks.list(PROJECT), []);
    await Promise.all(on.service.started.map(({ engine }) => engine.exited));
    assert.equal(on.service.records.size, 0);
  });

  it('an unreachable chain is reported without its address', async () => {
    const other = await on.another({ rpcUrls: ['http://user:pass@127.0.0.1:1/5ecr3t'] });
    try {
      await assert.rejects(other.create({ height: '0x3' }), (error: unknown) => {
        assert.ok(isKind('upstreamUnreachable', /^no RPC endpoint of chain eth answers/)(error));
        assert.doesNotMatch(String(error), /5ecr3t|127\.0\.0\.1|pass/);
        return true;
      });
    } finally {
      await other.close();
    }
  });

  it('no engine gets the address of the chain', async () => {
    const { upstream: reported } = on.service.started.at(-1)!.parameters;
    assert.ok(reported && !reported.url.includes('5ecr3t'));
    for (const method of ['anvil_nodeInfo', 'hardhat_metadata', 'web3_clientVersion']) {
      const text = JSON.stringify(await reply(on.rpc, method));
      assert.doesNotMatch(text, /5ecr3t|http:/, method);
    }
  });
});
