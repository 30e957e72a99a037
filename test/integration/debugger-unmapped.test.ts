import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { getCreateAddress, id } from 'ethers';
import type { Recording } from '../../server/api/recording';
import type { SourceLocations } from '../../server/api/source-locations';
import { compileSource, sourcifyAnswer } from '../support/compiled-source';
import { DebugSession } from '../support/debug-session';
import type { JsonService } from '../support/json-service';
import type { TestService } from '../support/service';
import { ALICE, TestChain, testEngines, type TestEngines } from './fork-upstream';
import { useDebugger, useWorkspaceContract } from './debugger-suite';
import { startVerifiedService } from './verified-service';

const FILE = 'src/Bell.sol';
const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Bell {
    event Rang(uint256 times);
    uint256 times;

    function ring() external {
        emit Rang(++times);
    }
}
`;

describe('a contract whose source has no source map, in the debugger', () => {
  let engines: TestEngines;
  let sourcify: JsonService;
  let service: TestService;
  let debug: DebugSession;
  let rung: string;
  const bell = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();
  let why: string;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const compiled = compileSource('Bell', { [FILE]: TEXT });
    const gasLimit = 3_000_000;
    await chain.send(ALICE, { data: `0x${compiled.evm.bytecode.object}`, gasLimit });
    await chain.mine();
    rung = await chain.send(ALICE, { to: bell, gasLimit, data: id('ring()').slice(0, 10) });
    await chain.mine();
    const verified = sourcifyAnswer(compiled);
    // Not among the packages here.
    const compilerVersion = '0.8.29+commit.ab55807c';
    verified['compilation'] = { ...(verified['compilation'] as object), compilerVersion };
    for (const part of ['creationBytecode', 'runtimeBytecode']) {
      delete (verified[part] as { sourceMap?: string }).sourceMap;
    }
    ({ service, sourcify } = await startVerifiedService(chain, {
      address: bell,
      answer: verified,
    }));
  });
  before(() => {
    const install = `solc 0.8.29 is not installed: run npm install --prefix ${service.dataDir}/solc solc-0.8.29@npm:solc@0.8.29`;
    why = `the source of the code of ${bell}, from sourcify, has no source map, so that its lines are not known: ${install}; or compile it in the workspace, or verify it on Sourcify`;
  });
  after(async () => {
    await service.stop();
    await sourcify.close();
    await engines.close();
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
    await debug.begin({ chain: 'eth', hash: rung });
  });
  afterEach(() => debug.close());

  const top = async (): Promise<DebugProtocol.StackFrame> =>
    (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!;

  it('opens from the call stack where it begins, with a note', async () => {
    const { id, name, source, line, column, presentationHint } = await top();
    assert.deepEqual(
      [name, line, column, presentationHint],
      ['Bell.ring() (its lines are not known)', 4, 1, undefined],
    );
    assert.deepEqual(source, {
      name: 'Bell.sol',
      path: FILE,
      sourceReference: 1,
      origin: 'sourcify',
    });
    const { body } = await debug.sourceRequest({ sourceReference: 1 });
    assert.equal(body.content, TEXT);
    const { sources } = await debug.ask<DebugProtocol.LoadedSourcesResponse>('loadedSources');
    assert.deepEqual(sources, [source]);
    const shown = await debug.customRequest('forklens/frameAt', { at: 'entry' });
    assert.deepEqual(shown.body, { frameId: id, source });
  });

  it('takes no breakpoints on lines, and says why', async () => {
    const { source } = await top();
    const { body } = await debug.setBreakpointsRequest({
      source: source!,
      breakpoints: [{ line: 9 }],
    });
    assert.deepEqual(
      body.breakpoints.map(({ verified, message }) => [verified, message]),
      [[false, `The lines of this file are not known: ${why}.`]],
    );
    const none = await debug.ask<DebugProtocol.GotoTargetsResponse>('gotoTargets', {
      source,
      line: 9,
    });
    assert.deepEqual(none, { targets: [] });
  });

  it('has its files and its beginning over REST', async () => {
    const path = `/v1/explorer/eth/transaction/${rung}`;
    const { contracts } = (await service.request<Recording>('GET', `${path}/recording`)).data;
    assert.deepEqual(contracts, [
      {
        address: bell,
        isCreation: false,
        name: 'Bell',
        origin: 'sourcify',
        language: 'Solidity',
        hasLines: false,
        hasLocals: false,
        unavailable: why,
        files: [FILE],
        declaration: { file: FILE, startLine: 4, startColumn: 1, endLine: 4, endColumn: 14 },
      },
    ]);
    const { data } = await service.request<SourceLocations>('GET', `${path}/source-locations`);
    const { declaration, ...code } = data.sources![0]!;
    assert.deepEqual(code, {
      address: bell,
      isCreation: false,
      calls: [0],
      contract: 'Bell',
      from: 'sourcify',
      hasMap: false,
      reason: why,
    });
    assert.deepEqual(
      [declaration?.file, declaration?.startLine, declaration?.from, declaration?.address],
      [FILE, 4, 'sourcify', bell],
    );
  });
});

const MAKER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Maker {
    uint256 failures;

    function run() external {
        assembly {
            mstore(0, 0x6007505f5ffd)
            if iszero(create(0, 26, 6)) { sstore(0, 1) }
        }
        failures += 1;
    }
}
`;

describe('code without source that known code calls, in the debugger', () => {
  const suite = useDebugger();
  useWorkspaceContract(suite, 'Maker', MAKER);

  const frames = async (): Promise<unknown[]> =>
    (await suite.debug.stackTraceRequest({ threadId: 1 })).body.stackFrames.map(
      ({ name, line, source, presentationHint }) => [
        name.replace(/0x\w{4}…\w{4}/g, '0x…'),
        line,
        source?.name?.replace(/0x\w{4}…\w{4}/g, '0x…'),
        presentationHint,
      ],
    );

  it('is less in view than its caller where it fails, and is stepped through by instruction', async () => {
    const { debug } = suite;
    await debug.setExceptionBreakpointsRequest({ filters: ['all'] });
    assert.equal((await debug.move('continue')).reason, 'exception');
    const caller = ['Maker.run()', 10, 'Maker.sol', undefined];
    const created = (line: number): unknown[] => [
      'creation of 0x…',
      line,
      '0x… (disassembly)',
      'subtle',
    ];
    assert.deepEqual(await frames(), [created(9), caller]);
    await debug.setExceptionBreakpointsRequest({ filters: [] });
    await debug.move('stepBack');
    assert.deepEqual(await frames(), [created(8), caller]);
    await debug.move('stepOut');
    assert.deepEqual(await frames(), [caller]);
    await debug.move('next', { granularity: 'line' });
    assert.deepEqual(await frames(), [['Maker.run()', 12, 'Maker.sol', undefined]]);
  });
});
