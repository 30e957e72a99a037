import assert from 'node:assert/strict';
import { engineArguments } from '../../../../server/chains/engine/arguments';

describe('engine arguments', () => {
  it('define a node that mines on demand and has no accounts of its own', () => {
    assert.deepEqual(engineArguments({ hardfork: 'cancun' }), [
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--no-cors',
      '--no-request-size-limit',
      '--accounts',
      '0',
      '--hardfork',
      'cancun',
      '--no-mining',
      '--order',
      'fifo',
      '--prune-history',
      '256',
      '--disable-pool-balance-checks',
      '--disable-min-priority-fee',
      '--disable-console-log',
    ]);
  });

  it('include the path of a Unix socket', () => {
    const all = engineArguments({ hardfork: 'cancun' }, '/run/a.ipc');
    assert.deepEqual(all.slice(6, 8), ['--ipc', '/run/a.ipc']);
  });

  it("include the upstream, the chain id and the caller's arguments", () => {
    const all = engineArguments({
      upstream: { url: 'http://127.0.0.1:9/secret', blockNumber: 17 },
      chainId: 9991,
      hardfork: 'prague',
      extraArguments: ['--timestamp', '1'],
    });
    assert.deepEqual(all.slice(-12), [
      '--chain-id',
      '9991',
      '--fork-url',
      'http://127.0.0.1:9/secret',
      '--fork-block-number',
      '17',
      '--no-storage-caching',
      '--no-rate-limit',
      '--timeout',
      '600000',
      '--timestamp',
      '1',
    ]);
  });
});
