import assert from 'node:assert/strict';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { AbiCoder, getCreateAddress, id } from 'ethers';
import type { Recording } from '../../server/api/recording';
import { compileSource, sourcifyAnswer } from '../support/compiled-source';
import { DebugSession } from '../support/debug-session';
import { eventually } from '../support/eventually';
import { writeHardhatBuild } from '../support/hardhat-build';
import type { JsonService } from '../support/json-service';
import type { TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ALICE, TestChain, testEngines, type TestEngines } from './fork-upstream';
import { startVerifiedService } from './verified-service';

const FILE = 'src/Till.sol';
const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
interface Token {}
abstract contract Base {
    address public immutable owner;
    constructor() { owner = msg.sender; }
}
contract Till is Base {
    uint256 private constant FEE = 2;
    uint256 private immutable price;
    Token private immutable token;
    mapping(address => uint256) public paid;
    uint128 private count;
    bool private isOpen = true;
    constructor(uint256 price_, Token token_) { price = price_; token = token_; }
    function pay(uint256 amount) external returns (Token) {
        require(isOpen && amount >= price, "too little");
        record(amount);
        return token;
    }
    function record(uint256 amount) private {
        uint256 net = amount - FEE;
        paid[msg.sender] += net;
        count++;
    }
}
`;
const TOKEN = `0x${'70'.repeat(20)}`;
const encode = (types: string[], values: unknown[]): string =>
  AbiCoder.defaultAbiCoder().encode(types, values).slice(2);
const lineOf = (text: string): number =>
  TEXT.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('a contract whose only source is Sourcify, in the debugger', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let sourcify: JsonService;
  let service: TestService;
  let debug: DebugSession;
  let paid: string;
  let created: string;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const till = compileSource('Till', { [FILE]: TEXT });
    const address = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();
    const values = encode(['uint256', 'address'], [5, TOKEN]);
    const gasLimit = 3_000_000;
    created = await chain.send(ALICE, { data: `0x${till.evm.bytecode.object}${values}`, gasLimit });
    await chain.mine();
    const data = id('pay(uint256)').slice(0, 10) + encode(['uint256'], [7]);
    paid = await chain.send(ALICE, { to: address, gasLimit, data });
    await chain.mine();
    const verified = { ...sourcifyAnswer(till) };
    verified['compilation'] = {
      ...(verified['compilation'] as object),
      // Not among the packages here, and with the same source map.
      compilerVersion: '0.8.29+commit.ab55807c',
      compilerSettings: { optimizer: { enabled: false, runs: 200 } },
    };
    ({ service, sourcify } = await startVerifiedService(chain, { address, answer: verified }));
  });
  after(async () => {
    await service.stop();
    await sourcify.close();
    await engines.close();
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
  });
  afterEach(() => debug.close());

  const top = async (): Promise<DebugProtocol.StackFrame> =>
    (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!;
  /** Begins, and continues to a line. */
  const stopAt = async (text: string, hash = paid): Promise<DebugProtocol.StackFrame> => {
    await debug.begin({ chain: 'eth', hash });
    const { source } = await top();
    const { body } = await debug.setBreakpointsRequest({
      source: source!,
      breakpoints: [{ line: lineOf(text) }],
    });
    assert.deepEqual(
      body.breakpoints.map(({ verified, line }) => [verified, line]),
      [[true, lineOf(text)]],
    );
    assert.equal((await debug.move('continue')).reason, 'breakpoint');
    return top();
  };
  const recordingOf = async (hash: string): Promise<Recording> => {
    const path = `/v1/explorer/eth/transaction/${hash}/recording`;
    return (await service.request<Recording>('GET', path)).data;
  };
  const scopeOf = async (frameId: number, scope: string): Promise<string[]> => {
    const { scopes } = (await debug.scopesRequest({ frameId })).body;
    const { variablesReference } = scopes.find(({ name }) => name === scope)!;
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    return variables.map(({ name, type, value }) => `${type ?? ''} ${name} = ${value}`);
  };
  const evaluate = async (frameId: number, expression: string, context: string): Promise<string> =>
    (await debug.evaluateRequest({ expression, frameId, context })).body.result;

  it('is a document that the session gives, and stops at its first line', async () => {
    await debug.begin({ chain: 'eth', hash: paid });
    const { source, line } = await top();
    assert.deepEqual(
      [source, line],
      [
        { name: 'Till.sol', path: FILE, sourceReference: 1, origin: 'sourcify' },
        lineOf('function pay'),
      ],
    );
    const { body } = await debug.sourceRequest({ source: source!, sourceReference: 1 });
    assert.equal(body.content, TEXT);
  });

  it('has lines in both directions, and names of internal functions', async () => {
    await stopAt('paid[msg.sender]');
    const stack = [
      `Till.record:${lineOf('paid[msg.sender]')}`,
      `Till.pay:${lineOf('record(amount);')}`,
    ];
    assert.deepEqual(await debug.stack(), stack);
    await debug.move('next');
    assert.equal((await top()).line, lineOf('count++'));
    await debug.move('stepBack');
    assert.deepEqual(await debug.stack(), stack);
  });

  it('has its state by the storage layout, and immutables by the source map', async () => {
    const { id: frame } = await stopAt('count++');
    const owner = ALICE.address.toLowerCase();
    assert.deepEqual(await scopeOf(frame, 'State'), [
      'mapping(address => uint256) paid = 1 known key',
      'uint128 count = 0',
      'bool isOpen = true',
      `address owner = ${owner}`,
      'uint256 price = 5',
      `Token token = 0x${'0'.repeat(24)}${TOKEN.slice(2)}`,
    ]);
    for (const context of ['hover', 'watch', 'repl']) {
      assert.equal(await evaluate(frame, 'price', context), '5', context);
      assert.equal(await evaluate(frame, 'paid[msg.sender] + price', context), '10', context);
      assert.equal((await evaluate(frame, 'owner', context)).toLowerCase(), owner, context);
    }
    await assert.rejects(evaluate(frame, 'FEE', 'watch'), /FEE/);
  });

  it('has no local variables, and says why', async () => {
    const { id: frame } = await stopAt('count++');
    const install = `run npm install --prefix ${service.dataDir}/solc solc-0.8.29@npm:solc@0.8.29`;
    const remedy = `solc 0.8.29 is not installed: ${install}; or build the same code with solc 0.8.29 in a project of the workspace, by Hardhat, or by Foundry with ast = true`;
    assert.deepEqual(await scopeOf(frame, 'Locals and Arguments'), [
      ` unavailable = because the syntax tree of its source is not known: ${remedy}`,
    ]);
    const [till, ...others] = (await recordingOf(paid)).contracts;
    assert.equal(others.length, 0);
    assert.deepEqual(
      [till!.name, till!.origin, till!.hasLines, till!.hasLocals],
      ['Till', 'sourcify', true, false],
    );
    assert.equal(
      till!.unavailable,
      `the compilation of Till has no syntax tree, so that local variables are not known: ${remedy}`,
    );
  });

  it('has the lines of its creation', async () => {
    await debug.begin({ chain: 'eth', hash: created });
    assert.deepEqual(await debug.stack(), [`creation of Till:${lineOf('isOpen = true')}`]);
  });

  it('has local variables and constants as soon as the workspace has a build of the same code', async () => {
    const folder = await makeTemporaryDirectory();
    try {
      await writeHardhatBuild(folder, FILE, TEXT);
      const folders = [path.join(folder, 'artifacts')];
      await service.request('PUT', '/v1/artifact-folders', { body: { folders } });
      // The recording exists: a request that finds the build late is followed by one that has it.
      await eventually(async () => {
        assert.equal((await recordingOf(paid)).contracts[0]?.hasLocals, true);
      });
      const { id: frame, source } = await stopAt('count++');
      assert.equal(source?.path, path.join(folder, FILE));
      assert.deepEqual(await scopeOf(frame, 'Locals and Arguments'), [
        'uint256 amount = 7',
        'uint256 net = 5',
      ]);
      assert.equal(await evaluate(frame, 'net + FEE + price', 'watch'), '12');
    } finally {
      await removeDirectory(folder);
    }
  });
});
