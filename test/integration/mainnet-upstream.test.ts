import assert from 'node:assert/strict';
import { fetchBlock } from '../../server/execution/prefix/upstream-block';
import { BUSY } from '../support/mainnet-blocks';
import { MainnetUpstream } from '../support/mainnet-upstream';

describe('the node in the role of mainnet', () => {
  let mainnet: MainnetUpstream;
  before(async () => {
    mainnet = await MainnetUpstream.start({ huge: true });
  });
  after(() => mainnet.close());

  it('has blocks of all transaction types except blobs, and a PREVRANDAO that no engine of the service would choose', async () => {
    const busy = await fetchBlock(mainnet.rpc, mainnet.busy);
    assert.ok(busy);
    assert.deepEqual(
      busy.transactions.map(({ type }) => Number(type)),
      [0, 0, 1, 2, 2, 4, 2, 2, 2, 2],
    );
    const creation = busy.transactions[BUSY.creationBeforeEip155];
    assert.deepEqual([creation?.to, creation?.v], [null, '0x1b']);
    assert.match(busy.mixHash ?? '', /^0x[0-9a-f]{63}1$/);
    assert.equal((await fetchBlock(mainnet.rpc, mainnet.huge))?.transactions.length, 200);
  });
});
