import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';

const THIEF = '0xbded0d2bf404bdcba897a74e6657f1f12e5c6fb6';
const AMOUNT = '2000000000000000000';

/** In the vault's first `withdraw`, after its first statement. */
describe('variables in the debugger', function () {
  this.timeout(60_000);
  let service: TestService;
  let debug: DebugSession;
  let frame: number;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
  });
  after(async () => {
    await service.stop();
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
    await debug.begin({ chain: 'sandbox', hash: sandboxHash('exploit-reentrancy'), stopAt: 3 });
    await debug.move('next');
    frame = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!.id;
  });
  afterEach(async () => {
    await debug.close();
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

  it('are those of the state, down to the keys of mappings', async () => {
    const [balances] = await variablesOf('State');
    assert.equal(balances!.name, 'balanceOf');
    const { variablesReference } = balances!;
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    const own = variables.find(({ name }) => name.toLowerCase().includes(THIEF));
    assert.match(own!.value, new RegExp(`^${AMOUNT}( |$)`));
  });

  it('are evaluated in expressions', async () => {
    assert.equal((await evaluate('amount / 1e18 + 1')).result, '3');
    assert.equal((await evaluate('msg.sender')).result.toLowerCase(), THIEF);
    assert.match((await evaluate('balanceOf[msg.sender]')).result, new RegExp(`^${AMOUNT}`));
    await assert.rejects(evaluate('nothing'), /nothing/);
  });

  it('are completed', async () => {
    const complete = async (text: string): Promise<string[]> => {
      const { body } = await debug.completionsRequest({
        ...{ text, column: text.length + 1, frameId: frame },
      });
      return body.targets.map(({ label }) => label);
    };
    assert.deepEqual(await complete('1 + am'), ['amount']);
    assert.deepEqual(await complete('msg.se'), ['sender']);
    assert.deepEqual(await complete('bal'), ['balanceOf']);
  });

  it('lead back to who wrote them', async () => {
    const info = await debug.dataBreakpointInfoRequest({
      ...{ name: 'balanceOf[msg.sender]', frameId: frame },
    });
    assert.deepEqual(info.body.accessTypes, ['write', 'read', 'readWrite']);
    await debug.setDataBreakpointsRequest({
      breakpoints: [{ dataId: info.body.dataId!, accessType: 'write' }],
    });
    assert.equal((await debug.move('reverseContinue')).reason, 'data breakpoint');
    assert.deepEqual(
      (await debug.stack()).map((one) => one.replace(/\(.*\)/, '')),
      ['EtherVault.deposit:14', 'VaultThief.attack:39'],
    );
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
