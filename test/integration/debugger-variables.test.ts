import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { InvocationFlow } from '../../server/api/explorer';
import { callOf, simulationAt } from '../../server/client/transaction-call';
import type { DebugSession } from '../support/debug-session';
import { writeHardhatBuild } from '../support/hardhat-build';
import { sandboxHash } from '../support/sandbox-hashes';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { EXPLOIT, THIEF, useDebugger, VAULT } from './debugger-suite';

const AMOUNT = '2000000000000000000';
const SOURCE = path.join(__dirname, '../../server/chains/sandbox/contracts/EtherVault.sol');

/** In the vault's first `withdraw`, after its first statement. */
describe('variables in the debugger', () => {
  const suite = useDebugger();
  let debug: DebugSession;
  let frame: number;
  let launch: object;
  let folder: string;

  /** The exploit, with a build of the vault by the workspace in place of the sandbox's. */
  before(async () => {
    folder = await makeTemporaryDirectory();
    const codes = await writeHardhatBuild(
      ...([folder, 'contracts/EtherVault.sol', await readFile(SOURCE, 'utf8')] as const),
    );
    const folders = [path.join(folder, 'artifacts')];
    await suite.service.request('PUT', '/v1/artifact-folders', { body: { folders } });
    const url = `/v1/explorer/sandbox/transaction/${EXPLOIT.hash}/invocation-flow`;
    const { data: flow } = await suite.service.request<InvocationFlow>('GET', url);
    const stateOverrides = { [VAULT]: { code: codes.get('EtherVault') } };
    const simulate = { ...simulationAt(flow, callOf(flow)), stateOverrides };
    launch = { chain: 'sandbox', simulate, stopAt: 3 };
  });
  after(() => removeDirectory(folder));
  beforeEach(async () => {
    debug = suite.debug;
    await debug.begin(launch);
    await debug.move('next');
    frame = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!.id;
  });

  const variablesOf = async (scope: string): Promise<DebugProtocol.Variable[]> => {
    const { scopes } = (await debug.scopesRequest({ frameId: frame })).body;
    const { variablesReference } = scopes.find(({ name }) => name === scope)!;
    return (await debug.variablesRequest({ variablesReference })).body.variables;
  };
  const evaluate = async (expression: string): Promise<DebugProtocol.EvaluateResponse['body']> =>
    (await debug.evaluateRequest({ expression, frameId: frame, context: 'watch' })).body;

  it('are locals with their values', async () => {
    const locals = await variablesOf('Locals and Arguments');
    const amount = locals.find(({ name }) => name === 'amount');
    assert.deepEqual([amount?.type, amount?.value], ['uint256', AMOUNT]);
  });

  it('are unavailable with a reason where the optimizer ran', async () => {
    debug = await suite.reopen();
    const hash = sandboxHash('split-by-library');
    const functions = { breakpoints: [{ name: 'ShareMath.portion' }] };
    await debug.begin({ chain: 'sandbox', hash }, () =>
      debug.setFunctionBreakpointsRequest(functions),
    );
    await debug.move('continue');
    frame = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[1]!.id;
    const locals = await variablesOf('Locals and Arguments');
    assert.match(
      locals.find(({ name }) => name === 'i')!.value,
      /^unavailable, because it was compiled with the optimizer/,
    );
  });

  it('are those of the state, down to the keys of mappings', async () => {
    const [balances] = await variablesOf('State');
    assert.equal(balances!.name, 'balanceOf');
    const { variablesReference } = balances!;
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    const own = variables.find(({ name }) => name.toLowerCase().includes(THIEF));
    assert.equal(own!.value, `${AMOUNT} (was 0)`);
    assert.deepEqual(own!.presentationHint?.attributes, []);
  });

  it('are evaluated in expressions', async () => {
    assert.equal((await evaluate('amount / 1e18 + 1')).result, '3');
    assert.equal((await evaluate('msg.sender')).result, "Mallory's thief (0xbded…6fb6)");
    assert.match((await evaluate('balanceOf[msg.sender]')).result, new RegExp(`^${AMOUNT}`));
    await assert.rejects(evaluate('nothing'), /nothing/);
  });

  it('are shown beside lines where they are known, and are more than a number of members', async () => {
    const names = ['amount', 'balanceOf', 'balanceOf[msg.sender]', 'nothing'];
    const answer = await debug.customRequest('forklens/values', { names, frameId: frame });
    assert.deepEqual(answer.body, {
      values: [
        { name: 'amount', value: AMOUNT },
        { name: 'balanceOf[msg.sender]', value: AMOUNT },
      ],
    });
  });

  it('are completed', async () => {
    const complete = async (text: string): Promise<string[]> => {
      const { body } = await debug.completionsRequest({
        text,
        column: text.length + 1,
        frameId: frame,
      });
      return body.targets.map(({ label }) => label);
    };
    assert.deepEqual(await complete('1 + am'), ['amount']);
    assert.deepEqual(await complete('msg.se'), ['sender']);
    assert.deepEqual(await complete('bal'), ['balanceOf']);
  });

  it('lead back to who wrote them', async () => {
    const info = await debug.dataBreakpointInfoRequest({
      name: 'balanceOf[msg.sender]',
      frameId: frame,
    });
    assert.deepEqual(info.body.accessTypes, ['write', 'read', 'readWrite']);
    await debug.setDataBreakpointsRequest({
      breakpoints: [{ dataId: info.body.dataId!, accessType: 'write' }],
    });
    const { reason, description } = await debug.move('reverseContinue');
    const write = `Write of balanceOf[msg.sender]: 0 → ${2n * 10n ** 18n}`;
    assert.deepEqual([reason, description], ['data breakpoint', write]);
    assert.deepEqual(await debug.stack(), ['EtherVault.deposit:14', 'VaultThief.attack:39']);
  });

  it('are conditions of breakpoints, and texts of logpoints', async () => {
    const { source } = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!;
    const texts: string[] = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => texts.push(body.output));
    await debug.setBreakpointsRequest({
      source: source!,
      breakpoints: [
        { line: 21, logMessage: 'pays {amount}' },
        { line: 24, condition: 'amount == 5' },
      ],
    });
    assert.equal((await debug.move('continue')).reason, 'end');
    assert.deepEqual(
      texts,
      Array.from({ length: 6 }, () => `pays ${AMOUNT}\n`),
    );
  });
});
