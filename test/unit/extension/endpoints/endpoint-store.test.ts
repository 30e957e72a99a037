import assert from 'node:assert/strict';
import { EndpointStore } from '../../../../extension/endpoints/endpoint-store';
import { MemorySecretStore } from '../support';

const ETH = { slug: 'eth', chainId: 1, url: 'https://node.test/key' };
const BASE = { slug: 'base', chainId: 8453, url: 'https://base.test/key' };

describe('the store of endpoints', () => {
  it('stores one endpoint for each chain, in the secret storage', async () => {
    const secrets = new MemorySecretStore();
    const store = new EndpointStore(secrets);
    await store.put(ETH);
    await store.put(BASE);
    await store.put({ ...ETH, url: 'https://other.test/key' });
    assert.deepEqual(await store.list(), [BASE, { ...ETH, url: 'https://other.test/key' }]);
    assert.deepEqual([...secrets.entries.keys()], ['forklens.endpoints']);
    await store.remove('base');
    assert.deepEqual(
      (await store.list()).map(({ slug }) => slug),
      ['eth'],
    );
  });

  it('notifies the other windows', async () => {
    const secrets = new MemorySecretStore();
    const other = new EndpointStore(secrets);
    let changes = 0;
    other.onDidChange(() => changes++);
    await new EndpointStore(secrets).put(ETH);
    await secrets.store('forklens.credential:x', '{}');
    assert.equal(changes, 1);
    assert.deepEqual(await other.list(), [ETH]);
  });

  it('is empty if the entry is invalid', async () => {
    const secrets = new MemorySecretStore();
    for (const text of ['not JSON', '{}', '[{"slug": "eth", "url": "ftp://x"}]']) {
      secrets.entries.set('forklens.endpoints', text);
      assert.deepEqual(await new EndpointStore(secrets).list(), []);
    }
  });
});
