import assert from 'node:assert/strict';
import { chainIdIn, needOf } from '../../../../server/team/routing/fork-of-request';

const FORK = `fork_${'a'.repeat(32)}`;
const SECRET = 'b'.repeat(32);

describe('needOf', () => {
  const needs = (method: string, url: string) => needOf({ method, url });

  it('finds the fork of an address and of a REST route', () => {
    assert.deepEqual(needs('POST', `/rpc/${SECRET}`), { secret: SECRET });
    assert.deepEqual(needs('GET', `/rpc/${SECRET}/?x=1`), { secret: SECRET });
    for (const url of [
      `/v1/project/p/fork/${FORK}`,
      `/v1/project/p/fork/${FORK}/snapshots?limit=3`,
      `/v1/project/p/fork/${FORK}?x`,
      `/v1/explorer/${FORK}/transaction/0x1/fund-flow`,
    ]) {
      assert.deepEqual(needs('GET', url), { forkId: FORK }, url);
    }
  });

  it('finds the creation of a fork', () => {
    assert.equal(needs('POST', '/v1/project/p/fork'), 'room');
    assert.equal(needs('POST', '/v1/project/p/fork/'), 'room');
    assert.equal(needs('GET', '/v1/project/p/fork'), undefined);
  });

  it('leaves everything else to any node', () => {
    for (const url of [
      '/health',
      '/v1/projects',
      '/v1/project/p/forks',
      '/v1/explorer/eth/transaction/0x1/fund-flow',
      `/rpc/${SECRET}0`,
      `/rpc/${SECRET.toUpperCase()}`,
      `/v1/explorer/${FORK}0/x`,
      `/v1/explorer/x${FORK}/x`,
    ]) {
      assert.equal(needs('GET', url), undefined, url);
    }
    assert.equal(needs('OPTIONS', `/rpc/${SECRET}`), undefined);
    assert.equal(needOf({}), undefined);
  });
});

describe('chainIdIn', () => {
  it('finds the chain of a new fork, also inside data, and nothing in another body', () => {
    const chainIds = [
      '{"chainId":1}',
      '{"data":{"chainId":"10"}}',
      '{"name":"a"}',
      '[',
      'null',
    ].map((text) => chainIdIn(Buffer.from(text)));
    assert.deepEqual(chainIds, [1, 10, undefined, undefined, undefined]);
    assert.equal(chainIdIn(undefined), undefined);
  });
});
