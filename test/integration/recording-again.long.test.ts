import assert from 'node:assert/strict';
import type { InvocationFlow } from '../../server/api/explorer';
import type { Recording } from '../../server/api/recording';
import { callOf, simulationAt } from '../../server/client/transaction-call';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';

/** What depends on the gas limit, on lists, on prices or on the transactions before it. */
const TRANSACTIONS = [
  'create-contract',
  'split-by-library',
  'proxy-upgrade',
  'swap-two-hops',
  'permit-and-swap',
  'create2',
  'self-destruct',
  'custom-error-three-deep',
  'caught-revert',
  'out-of-gas',
  'out-of-gas-caught',
  'exploit-reentrancy',
  'eip7702-batch',
  'wrap-by-sending',
];

type Body = NonNullable<Recording['again']>;

describe('the body of a simulation that a recording gives', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await startService({ args: ['--sandbox'] });
  });
  after(() => service.stop());

  const recordingOf = async (hash: string): Promise<Recording> => {
    const path = `/v1/explorer/sandbox/transaction/${hash}/recording`;
    const { message, data } = await service.request<Recording>('GET', path);
    assert.equal(message, 'OK');
    return data;
  };
  const simulated = async (body: Body): Promise<Recording> => {
    const path = '/v1/explorer/sandbox/simulate/recording';
    const { message, data } = await service.request<Recording>('POST', path, { body });
    assert.equal(message, 'OK');
    return data;
  };
  const outcome = ({ status, failure, steps, gasUsed, contracts }: Recording): unknown => ({
    status,
    failure,
    steps,
    gasUsed,
    contracts: contracts.map(({ address, name }) => `${name} ${address}`),
  });

  it('executes the transaction again, with each step and its gas', async () => {
    const types = new Set<string>();
    for (const name of TRANSACTIONS) {
      const recording = await recordingOf(sandboxHash(name));
      const { again } = recording;
      assert.ok(again, name);
      if (again['authorizationList']) types.add('authorizations');
      if (again['accessList']) types.add('access list');
      if (again['maxFeePerGas']) types.add('maximum fee');
      if (again['gasPrice']) types.add('price');
      const same = await simulated(again);
      assert.deepEqual(outcome(same), outcome(recording), name);
      assert.deepEqual(same.verification, { level: 'call-trace' }, name);
      assert.equal(same.again, undefined);
    }
    assert.deepEqual([...types].sort(), ['access list', 'authorizations', 'maximum fee', 'price']);
  });

  it('is also that of the call that an analysis shows, with its lists but without its gas limit', async () => {
    const lists: string[] = [];
    for (const name of TRANSACTIONS.filter((one) => !one.startsWith('out-of-gas'))) {
      const hash = sandboxHash(name);
      const path = `/v1/explorer/sandbox/transaction/${hash}/invocation-flow`;
      const { message, data } = await service.request<InvocationFlow>('GET', path);
      assert.equal(message, 'OK');
      const body = simulationAt(data, callOf(data));
      if (body.authorizationList) lists.push('authorizations');
      if (body.accessList) lists.push('access list');
      const { status, steps } = await simulated({ ...body });
      const { status: mined, steps: minedSteps } = await recordingOf(hash);
      assert.deepEqual({ status, steps }, { status: mined, steps: minedSteps }, name);
    }
    assert.deepEqual(lists.sort(), ['access list', 'authorizations']);
  });
});
