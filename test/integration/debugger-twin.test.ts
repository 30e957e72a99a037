import assert from 'node:assert/strict';
import type { Recording, Variables } from '../../server/api/recording';
import { sandboxHash } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

describe('unoptimized builds of optimized code', function () {
  this.timeout(180_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const baseOf = (id: string): string =>
    `/v1/explorer/sandbox/transaction/${sandboxHash(id)}/recording`;
  async function get<T>(path: string): Promise<T> {
    const { message, data } = await service.request<T>('GET', path);
    assert.equal(message, 'OK');
    return data;
  }

  it('have all effects of the executed code, and all locals', async () => {
    const executed = await get<Recording>(baseOf('proxy-mint'));
    assert.equal(executed.build, 'executed');
    const twin = await get<Recording>(`${baseOf('proxy-mint')}?build=unoptimized`);
    console.log(JSON.stringify(twin, null, 1));
    assert.equal(twin.build, 'unoptimized');
  });
});
