import assert from 'node:assert/strict';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { Interface } from 'ethers';
import type { RecordedFile, Recording, Variables } from '../../server/api/recording';
import { writeHardhatBuild } from '../support/hardhat-build';
import { RecordedSession } from '../support/recordings';
import { startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { useDebugger } from './debugger-suite';

const FROM = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const [PROXY, LOGIC] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
/** EIP-1967: the slot of the implementation. */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Logic {
    uint256 public total;
    function add(uint256 amount) external returns (uint256) {
        uint256 doubled = amount * 2;
        total += doubled;
        return total;
    }
}
contract Forwarder {
    fallback() external payable {
        bytes32 slot = ${IMPLEMENTATION};
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
`;

for (const version of [2, 3] as const) {
  describe(`contracts of a workspace built by Hardhat ${version}, in the debugger`, () => {
    let service: TestService;
    let folder: string;
    let session: RecordedSession;

    before(async () => {
      service = await startService({ args: ['--sandbox'] });
      folder = await makeTemporaryDirectory();
      const codes = await writeHardhatBuild(folder, 'contracts/Logic.sol', TEXT, { version });
      const folders = [path.join(folder, 'artifacts')];
      await service.request('PUT', '/v1/artifact-folders', { body: { folders } });
      const url = '/v1/explorer/sandbox/simulate/recording';
      const { data, message } = await service.request<Recording>('POST', url, {
        body: {
          from: FROM,
          to: PROXY,
          data: new Interface(['function add(uint256)']).encodeFunctionData('add', [21]),
          stateOverrides: {
            [PROXY]: {
              code: codes.get('Forwarder'),
              stateDiff: { [IMPLEMENTATION]: `0x${LOGIC.slice(2).padStart(64, '0')}` },
            },
            [LOGIC]: { code: codes.get('Logic') },
          },
        },
      });
      assert.equal(message, 'OK');
      session = await RecordedSession.open(service, 'sandbox', data.transaction);
    });
    after(async () => {
      await service.stop();
      await removeDirectory(folder);
    });

    it('are known behind a proxy, with their files in the workspace', async () => {
      const { contracts } = session.recording;
      assert.deepEqual(
        contracts.map(({ name, origin, hasLocals }) => [name, origin, hasLocals]),
        [
          ['Forwarder', 'workspace', true],
          ['Logic', 'workspace', true],
        ],
      );
      const [file = ''] = contracts[1]!.files;
      const found = await session.get<RecordedFile>(
        `/contract/1/file?file=${encodeURIComponent(file)}`,
      );
      assert.deepEqual(
        [found.content, found.path],
        [TEXT, path.join(folder, 'contracts/Logic.sol')],
      );
    });

    it('have their local variables and the state of the proxy', async () => {
      const [file = ''] = session.recording.contracts[1]!.files;
      const { step, reason } = await session.find(0, {
        mode: 'continue',
        lines: [{ id: 1, file, line: 8 }],
      });
      assert.equal(reason, 'line');
      const list = async (scope: string): Promise<string[]> => {
        const { variables } = await session.get<Variables>(
          `/step/${step}/variables?scope=${scope}`,
        );
        return variables.map(({ name, value }) => `${name} = ${value}`);
      };
      assert.deepEqual(await list('locals'), ['amount = 21', 'doubled = 42']);
      assert.deepEqual(await list('state'), ['total = 42']);
      const { callStack } = await session.step(step);
      assert.deepEqual(
        callStack.map(({ function: name, operation, address }) => [name, operation, address]),
        [
          ['add', 'DELEGATECALL', PROXY],
          ['fallback', 'CALL', PROXY],
        ],
      );
    });
  });
}

describe('a source that becomes known while its contract is debugged', function () {
  this.timeout(60_000);
  const suite = useDebugger();
  const file = 'contracts/Logic.sol';
  let folder: string;
  let elsewhere: string;
  let code: string;

  before(async () => {
    [folder, elsewhere] = [await makeTemporaryDirectory(), await makeTemporaryDirectory()];
    code = (await writeHardhatBuild(elsewhere, file, TEXT)).get('Logic')!;
  });
  after(() => Promise.all([folder, elsewhere].map(removeDirectory)));

  it('is shown at the stop, with its breakpoints', async () => {
    const { debug } = suite;
    const data = new Interface(['function add(uint256)']).encodeFunctionData('add', [21]);
    const source = { path: path.join(folder, file) };
    const simulate = { from: FROM, to: LOGIC, data, stateOverrides: { [LOGIC]: { code } } };
    let breakpoint: DebugProtocol.Breakpoint | undefined;
    await debug.begin(
      { chain: 'sandbox', simulate },
      async () => {
        const breakpoints = [{ line: 7 }];
        const { body } = await debug.setBreakpointsRequest({ source, breakpoints });
        [breakpoint] = body.breakpoints;
      },
      { supportsInvalidatedEvent: true },
    );
    assert.equal(breakpoint!.verified, false);
    assert.match((await suite.topSource()).name!, /\(disassembly\)$/);

    const changed = debug.waitForEvent('breakpoint') as Promise<DebugProtocol.BreakpointEvent>;
    const invalidated = debug.waitForEvent('invalidated');
    await writeHardhatBuild(folder, file, TEXT);
    const folders = [path.join(folder, 'artifacts')];
    await suite.service.request('PUT', '/v1/artifact-folders', { body: { folders } });
    const { reason, breakpoint: now } = (await changed).body;
    assert.deepEqual(
      [reason, now.id, now.verified, now.line],
      ['changed', breakpoint!.id, true, 7],
    );
    assert.deepEqual((await invalidated).body, { areas: ['all'] });
    assert.equal((await debug.move('continue')).reason, 'breakpoint');
    assert.deepEqual(await debug.stack(), ['Logic.add:7']);
    assert.equal((await suite.topSource()).path, source.path);
  });
});
