import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { assemble } from '../fidelity/assembler';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { DebugSession } from '../support/debug-session';
import { call } from '../support/json-rpc';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Mapping keys, of which a recording keeps up to 64 MB, then writes without an end. */
const KEYS = 61_000;
const UNROLLED = 100;
const LARGE = [
  `0 1024 mstore ${KEYS / UNROLLED} :keys`,
  ...Array<string>(UNROLLED).fill('gas 0 mstore 1056 0 keccak256 pop'),
  '1 swap1 sub dup1 @keys jumpi :writes',
  ...Array<string>(UNROLLED).fill('0 0 tstore'),
  '@writes jump',
].join(' ');
const STORES = '0x00000000000000000000000000000000000c0de1';

describe('debug sessions of recordings that are too long, or that differ from the receipt', function () {
  this.timeout(60_000);
  let node: BareAnvil;
  let proxy: UpstreamProxy;
  let service: TestService;
  let debug: DebugSession;
  let hash: string;

  before(async () => {
    node = await startAnvil(
      '--no-mining',
      '--hardfork',
      'prague',
      '--chain-id',
      '31338',
      '--gas-limit',
      '100000000',
    );
    await call(node.url, 'anvil_setCode', STORES, assemble('7 0 sstore 0 0 log0 stop'));
    hash = await call(node.url, 'eth_sendTransaction', {
      from: SENDER,
      to: STORES,
      gas: '0x20000',
    });
    await call(node.url, 'evm_mine');
    proxy = await UpstreamProxy.start(node.url);
    const chain = { nativeSymbol: 'ETH', hardfork: 'prague', slug: 'local', name: 'Local' };
    service = await startService({
      config: { chains: [{ ...chain, chainId: 31_338, rpcUrls: [proxy.url] }] },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await node.stop();
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
  });
  afterEach(() => debug.close());

  const simulate = (program: string): Promise<unknown> =>
    debug.begin({
      chain: 'local',
      simulate: {
        from: SENDER,
        to: STORES,
        gas: '0x3938700',
        stateOverrides: { [STORES]: { code: assemble(program) } },
      },
    });

  it('name the most steps, and what to debug in their place', async () => {
    await assert.rejects(simulate(':loop @loop jump'), {
      message:
        'The transaction executes more than 2000000 steps: simulate one of its calls, and debug the simulation.',
    });
  });

  it('name the most memory, and what to debug in their place', async () => {
    await assert.rejects(simulate(LARGE), {
      message:
        'The recording takes more than 256 MiB of memory: simulate one of its calls, and debug the simulation.',
    });
  });

  it('say how the recording differs from the receipt', async () => {
    proxy.rewrite = (answer, calls) =>
      calls.some(({ method }) => method === 'eth_getTransactionReceipt')
        ? JSON.parse(
            JSON.stringify(answer).replace(/"gasUsed":"0x[0-9a-f]+"/g, '"gasUsed":"0x5300"'),
          )
        : answer;
    const texts: string[] = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => texts.push(body.output));
    await debug.begin({ chain: 'local', hash });
    assert.deepEqual(texts.slice(0, 2), [
      '7 steps: it succeeds, it is not what was executed.\n',
      'The recording differs from the receipt: gas used: 43487 in the recording, 21248 in the receipt\n',
    ]);
    // What was executed can be looked at all the same.
    await debug.move('stepIn', { granularity: 'instruction' });
    const { result } = await debug.ask<DebugProtocol.EvaluateResponse>('evaluate', {
      expression: 'msg.sender',
    });
    assert.equal(result.toLowerCase(), SENDER);
  });
});
