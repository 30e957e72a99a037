import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { assemble } from '../fidelity/assembler';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { DebugSession } from '../support/debug-session';
import { call } from '../support/json-rpc';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const STORES = '0x00000000000000000000000000000000000c0de1';
const LOOPS = '0x00000000000000000000000000000000000c0de2';
const STATE = /^(debug_|eth_(getStorageAt|getBalance|getCode|getTransactionCount|getProof))/;

const STORE = assemble('7 0 sstore stop');

/** What the last paragraph of the debugger's promise lists: each is a sentence that says what to do. */
describe('what cannot be debugged', function () {
  this.timeout(60_000);
  let nodes: BareAnvil[];
  let proxy: UpstreamProxy;
  let service: TestService;
  let debug: DebugSession;

  before(async () => {
    nodes = await Promise.all(
      ['31338', '42161'].map((id) =>
        startAnvil('--no-mining', '--hardfork', 'prague', '--chain-id', id),
      ),
    );
    const [local, arbitrum] = nodes.map(({ url }) => url);
    proxy = await UpstreamProxy.start(local!);
    const chain = { nativeSymbol: 'ETH', hardfork: 'prague' };
    const chains = [
      { ...chain, slug: 'local', name: 'Local', chainId: 31_338, rpcUrls: [local] },
      { ...chain, slug: 'stateless', name: 'Stateless', chainId: 31_338, rpcUrls: [proxy.url] },
      { ...chain, slug: 'arbitrum', name: 'Arbitrum', chainId: 42_161, rpcUrls: [arbitrum] },
    ];
    service = await startService({ config: { chains } });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await Promise.all(nodes.map((node) => node.stop()));
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
  });
  afterEach(() => debug.close());

  const send = async (url: string, to: string, program: string, gas: string): Promise<string> => {
    await call(url, 'anvil_setCode', to, program);
    return call(url, 'eth_sendTransaction', { from: SENDER, to, gas });
  };
  const mine = async (...sent: Parameters<typeof send>): Promise<string> => {
    const hash = await send(...sent);
    await call(sent[0], 'evm_mine');
    return hash;
  };
  const refusal = (launch: object): Promise<string> =>
    debug.begin(launch).then(
      () => 'begun',
      (error: unknown) => (error as Error).message,
    );

  it('code without source is stepped through by instruction, and says how to get its source', async () => {
    const hash = await mine(nodes[0]!.url, STORES, STORE, '0x20000');
    const texts: string[] = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => texts.push(body.output));
    await debug.begin({ chain: 'local', hash });
    assert.deepEqual(texts, [
      '4 steps: it succeeds, status, gas and events are those of the receipt.\n',
      `0x0000…0de1: No source with a source map is known for the code of ${STORES}: compile it in the workspace, or verify it on Sourcify.\n`,
    ]);
    await debug.move('stepIn', { granularity: 'instruction' });
    const [top] = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    // Four lines come first: which code it is, and why there is no source.
    assert.deepEqual([top!.name, top!.line, top!.column], ['0x0000…0de1', 6, 1]);
    assert.deepEqual(top!.source, {
      name: '0x0000…0de1 (disassembly)',
      path: '0x0000…0de1 (disassembly)',
      sourceReference: 1,
    });
    const { source = {} } = top!;
    const text = await debug.sourceRequest({ source, sourceReference: 1 });
    assert.deepEqual(text.body, {
      content: [
        '// 0x0000…0de1',
        `// No source with a source map is known for the code of ${STORES}:`,
        '// compile it in the workspace, or verify it on Sourcify.',
        '',
        '0x0  PUSH1 0x07',
        '0x2  PUSH1 0x00',
        '0x4  SSTORE',
        '0x5  STOP',
        '',
      ].join('\n'),
      mimeType: 'text/plain',
    });
    const { body } = await debug.setBreakpointsRequest({ source, breakpoints: [{ line: 6 }] });
    assert.equal(body.breakpoints[0]!.verified, false);
    const { instructions } = await debug.ask<DebugProtocol.DisassembleResponse>('disassemble', {
      memoryReference: top!.instructionPointerReference!,
      instructionCount: 2,
    });
    assert.deepEqual(
      instructions.map(({ instruction }) => instruction),
      ['PUSH1 0x00', 'SSTORE'],
    );
    const { scopes } = (await debug.scopesRequest({ frameId: top!.id })).body;
    const state = scopes.find(({ name }) => name === 'State')!;
    const { variablesReference } = state;
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    assert.deepEqual(
      variables.map(({ name, value }) => `${name} ${value}`),
      ['unavailable because its source is not known'],
    );
    // A line of what is shown is an instruction.
    for (const [command, line] of [
      ['next', 7],
      ['stepIn', 8],
      ['stepBack', 7],
      ['next', 8],
    ] as const) {
      assert.equal((await debug.move(command)).reason, 'step');
      assert.deepEqual(await debug.stack(), [`0x0000…0de1:${line}`], command);
    }
    assert.equal((await debug.move('continue')).reason, 'end');
  });

  it('too many steps name the limit and what to debug in their place', async () => {
    const hash = await mine(nodes[0]!.url, LOOPS, '0x5b600056', '0x895440'); // 9 million gas
    assert.match(
      await refusal({ chain: 'local', hash }),
      /2000000 .*: simulate one of its calls, and debug the simulation\.$/,
    );
  });

  it('a node without debug data names what it lacks', async () => {
    const hash = await mine(nodes[0]!.url, STORES, STORE, '0x20000');
    proxy.fault = (calls) =>
      calls.some(({ method }) => STATE.test(method))
        ? { error: { code: -32000, message: 'missing trie node' } }
        : undefined;
    const text = await refusal({ chain: 'stateless', hash });
    assert.match(
      text,
      /^The RPC endpoint of chain stateless lacks the state of block [0-9]+ \(eth_\w+\); an archive node is needed\.$/,
    );
  });

  it('a chain with rules of its own names them, and what to do', async () => {
    const hash = await mine(nodes[1]!.url, STORES, STORE, '0x20000');
    assert.match(
      await refusal({ chain: 'arbitrum', hash }),
      /^Transactions of arbitrum cannot be recorded: ArbOS and its precompiles are not executed, .*; simulate the call on a fork of the chain, and debug the simulation\.$/,
    );
  });

  it('a transaction that waits for a block, and one that is not known', async () => {
    const [{ url }] = nodes as [BareAnvil];
    const hash = await send(url, STORES, STORE, '0x20000');
    assert.equal(
      await refusal({ chain: 'local', hash }),
      `Transaction ${hash} is not in a block of local yet.`,
    );
    await debug.close();
    debug = await DebugSession.open(service);
    const unknown = `0x${'ab'.repeat(32)}`;
    assert.equal(
      await refusal({ chain: 'local', hash: unknown }),
      `Transaction ${unknown} is not known on local.`,
    );
  });
});
