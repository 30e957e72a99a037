import assert from 'node:assert/strict';
import path from 'node:path';
import { Interface } from 'ethers';
import artifact from '@balancer-labs/v2-deployments/dist/tasks/20221205-veboost-v2/artifact/VeBoostV2.json';
import type { Disassembly, RecordedCalls, Recording, Variables } from '../../server/api/recording';
import { RecordedSession } from '../support/recordings';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const FROM = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TO = `0x${'aa'.repeat(20)}`;
const FOLDER = path.dirname(
  require.resolve('@balancer-labs/v2-deployments/dist/tasks/20221205-veboost-v2/artifact/VeBoostV2.json'),
);

describe('a Vyper contract whose interface is in the workspace, in the debugger', () => {
  let service: SandboxService;

  before(async () => {
    service = await sandboxService();
    const body = { folders: [FOLDER] };
    await service.request('PUT', '/v1/artifact-folders', { body });
  });
  after(() => service.release());

  const record = async (code: string): Promise<RecordedSession> => {
    const abi = new Interface(artifact.abi);
    const { data, message } = await service.request<Recording>(
      'POST',
      '/v1/explorer/sandbox/simulate/recording',
      {
        body: {
          from: FROM,
          to: TO,
          data: abi.encodeFunctionData('approve', [FROM, 7]),
          stateOverrides: { [TO]: { code } },
        },
      },
    );
    assert.equal(message, 'OK');
    return RecordedSession.open(service, 'sandbox', data.transaction);
  };

  it('has its name, its function with arguments, and its instructions', async () => {
    const session = await record(artifact.deployedBytecode);
    const { contracts, entry } = session.recording;
    assert.deepEqual(
      contracts.map(({ name, hasLines, hasLocals }) => [name, hasLines, hasLocals]),
      [['VeBoostV2', false, false]],
    );
    const { calls } = await session.get<RecordedCalls>('/calls');
    assert.deepEqual(
      calls.map(({ function: name, arguments: known }) => [
        name,
        known?.map((one) => `${one.name} = ${one.value}`),
      ]),
      [['approve', [`_spender = ${FROM}`, '_value = 7']]],
    );
    const { instructions } = await session.get<Disassembly>(`/contract/0/instructions?count=4`);
    // The length of the call data is compared with that of a selector first.
    assert.deepEqual(
      instructions.map(({ op }) => op),
      ['PUSH1 0x04', 'CALLDATASIZE', 'LT', 'ISZERO'],
    );
    const { step, reason } = await session.find(entry, {
      mode: 'continue',
      events: [{ id: 1, name: 'Approval' }],
    });
    assert.equal(reason, 'event');
    const scope = (name: string): Promise<Variables> =>
      session.get<Variables>(`/step/${step}/variables?scope=${name}`);
    const storage = await scope('storage');
    assert.deepEqual(
      storage.variables.map(({ value }) => BigInt(value)),
      [7n],
    );
    assert.equal((await scope('locals')).unavailable, 'its source is not known');
  });

  it('says the version of Vyper where its metadata names it', async () => {
    // As Vyper 0.3.4 and later ones write it after the code.
    const session = await record(`${artifact.deployedBytecode}a165767970657283000304000b`);
    const [contract] = session.recording.contracts;
    assert.deepEqual(
      [contract!.language, contract!.unavailable],
      [
        'Vyper',
        `the code of ${TO} was compiled by Vyper 0.3.4, whose source maps are not read: its instructions are shown`,
      ],
    );
    const { entry } = session.recording;
    for (const scope of ['locals', 'state']) {
      const { unavailable } = await session.get<Variables>(
        `/step/${entry}/variables?scope=${scope}`,
      );
      assert.equal(unavailable, 'it was compiled by Vyper 0.3.4, whose variables are not read');
    }
  });
});
