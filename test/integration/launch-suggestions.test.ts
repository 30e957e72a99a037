import assert from 'node:assert/strict';
import { launchSuggestions } from '../../extension/debugger/launch-suggestions';
import type { Fork } from '../../server/api/fork';
import { createApiClient } from '../../server/api/client';
import { call } from '../support/json-rpc';
import { createFork } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const [ALICE, BOB] = [
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
];

describe('suggestions in launch configurations', () => {
  let service: SandboxService;
  let fork: Fork;
  let sent: string;
  before(async () => {
    service = await sandboxService();
    fork = await createFork(service, { chainId: 31337 });
    sent = await call(fork.rpc, 'eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' });
  });
  after(() => service.release());

  const shown = [
    { chain: 'sandbox', transaction: `0x${'aa'.repeat(32)}`, title: '0xaaaa…aaaa transfer' },
    { chain: 'eth', transaction: `0x${'bb'.repeat(32)}`, title: '0xbbbb…bbbb swap' },
  ];
  const values = async (name: string, fields: Record<string, string> = {}) => {
    const client = createApiClient(() =>
      Promise.resolve({ baseUrl: service.url, accessKey: service.key }),
    );
    const found = await launchSuggestions({ name, fields }, client, shown);
    return found.map(({ value, label, detail }) => [value, label, detail]);
  };

  it('are the chains of the service', async () => {
    const chains = await values('chain');
    assert.deepEqual(
      chains.find(([value]) => value === 'sandbox'),
      ['sandbox', 'sandbox', 'Sandbox'],
    );
  });

  it('are the forks by their names', async () => {
    assert.deepEqual(await values('fork'), [[fork.forkId, fork.name, 'default']]);
  });

  it('are the shown transactions of the chain, or of all without one', async () => {
    const [first, second] = shown.map(({ transaction, title }) => [
      transaction,
      transaction,
      title,
    ]);
    assert.deepEqual(await values('hash', { chain: 'sandbox' }), [first]);
    assert.deepEqual(await values('hash'), [first, second]);
  });

  it('are the transactions of the fork', async () => {
    const found = await values('hash', { fork: fork.forkId });
    assert.deepEqual(
      found.map(([value]) => value),
      [sent],
    );
    assert.deepEqual(await values('hash', { fork: 'fork_nowhere' }), []);
  });

  it('are none for other fields', async () => {
    assert.deepEqual(await values('stopAt', { chain: 'sandbox' }), []);
  });
});
