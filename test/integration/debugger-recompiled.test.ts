import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { AbiCoder, getCreateAddress, id } from 'ethers';
import type { Recording, Variable, Variables } from '../../server/api/recording';
import type { SourceLocations } from '../../server/api/source-locations';
import { compileSource, sourcifyAnswer, type CompiledSource } from '../support/compiled-source';
import { DebugSession } from '../support/debug-session';
import { eventually } from '../support/eventually';
import { JsonService, type JsonAnswer } from '../support/json-service';
import { startService, type TestService } from '../support/service';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';
import { FILE, lineOf, TEXT } from './till-source';

/** A deadline for a compilation. */
const COMPILE_MS = 60_000;
const BUILD = 'in a project of the workspace, by Hardhat, or by Foundry with ast = true';

type Answer = Record<string, unknown> & { compilation: Record<string, unknown> };

describe('verified contracts whose sources an installed solc compiles again', function () {
  this.timeout(120_000);
  let engines: TestEngines;
  let chain: TestChain;
  let sourcify: JsonService;
  let etherscan: JsonService;
  let service: TestService;
  let till: CompiledSource;
  const verified = new Map<string, JsonAnswer>();
  const listed = new Map<string, unknown>();
  let nonce = 0;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    till = compileSource('Till', { [FILE]: TEXT });
    sourcify = await JsonService.start(({ pathname }) => {
      const address = pathname.split('/').at(-1) ?? '';
      return verified.get(address) ?? { status: 404, body: { match: null } };
    });
    etherscan = await JsonService.start(({ searchParams }) => {
      const found = listed.get(searchParams.get('address') ?? '');
      const result = [found ?? { ABI: 'Contract source code not verified' }];
      return { body: { status: '1', message: 'OK', result } };
    });
    service = await startService({
      config: {
        chains: [ethChain(chain.engine.url)],
        abi: {
          artifacts: [],
          signatures: { enabled: false },
          sourcify: { url: sourcify.url },
          etherscan: { apiKey: 'key', url: etherscan.url },
        },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await sourcify.close();
    await etherscan.close();
    await engines.close();
  });

  const answer = (changes: Partial<Answer> = {}): Answer => ({
    ...(sourcifyAnswer(till) as Answer),
    ...changes,
  });
  const withText = (text: string): Partial<Answer> => ({ sources: { [FILE]: { content: text } } });

  /** Deploys a till, and pays 7 to it. @returns address and hash of the payment */
  async function pay(): Promise<{ address: string; hash: string }> {
    const price = AbiCoder.defaultAbiCoder().encode(['uint256'], [5]).slice(2);
    const address = getCreateAddress({ from: ALICE.address, nonce }).toLowerCase();
    const gasLimit = 3_000_000;
    await chain.send(ALICE, { data: `0x${till.evm.bytecode.object}${price}`, gasLimit });
    const input = AbiCoder.defaultAbiCoder().encode(['uint256', 'string'], [7, 'thanks']);
    const data = id('pay(uint256,string)').slice(0, 10) + input.slice(2);
    const hash = await chain.send(ALICE, { to: address, gasLimit, data });
    await chain.mine();
    nonce += 2;
    return { address, hash };
  }

  const recordingOf = async (hash: string): Promise<Recording> => {
    const path = `/v1/explorer/eth/transaction/${hash}/recording`;
    const { code, message, data } = await service.request<Recording>('GET', path);
    assert.equal(code, 0, message);
    return data;
  };

  /** The recording as soon as no compiler works on it. */
  const compiled = (hash: string): Promise<Recording> =>
    eventually(async () => {
      const recording = await recordingOf(hash);
      assert.doesNotMatch(recording.contracts[0]!.unavailable ?? '', /is compiling/);
      return recording;
    }, COMPILE_MS);

  /** Local variables at the first step of a line. */
  async function localsAt(hash: string, text: string): Promise<Variables> {
    const base = `/v1/explorer/eth/transaction/${hash}/recording`;
    const lines = [{ id: 1, file: FILE, line: lineOf(text) }];
    const body = { from: 0, direction: 'forwards', mode: 'continue', lines };
    const found = await service.request<{ step: number }>('POST', `${base}/find`, { body });
    assert.equal(found.code, 0, found.message);
    const path = `${base}/step/${found.data.step}/variables?scope=locals`;
    return (await service.request<Variables>('GET', path)).data;
  }
  const shown = ({ variables }: Variables): string[] =>
    variables.map(({ type, name, value }: Variable) => `${type} ${name} = ${value}`);

  it('have exact local variables, arguments and constants', async () => {
    const { address, hash } = await pay();
    verified.set(address, { body: answer() });
    const [contract] = (await compiled(hash)).contracts;
    assert.deepEqual(
      [contract?.name, contract?.origin, contract?.hasLocals, contract?.unavailable],
      ['Till', 'sourcify', true, undefined],
    );
    assert.deepEqual(shown(await localsAt(hash, 'paid[msg.sender]')), [
      'uint256 amount = 7',
      'uint256 length = 6',
      'uint256 net = 5',
      'string text = "long"',
    ]);
  });

  it('say that the sources compile to other code', async () => {
    const { address, hash } = await pay();
    verified.set(address, { body: answer(withText(TEXT.replace('FEE = 2', 'FEE = 3'))) });
    const [contract] = (await compiled(hash)).contracts;
    assert.deepEqual([contract?.hasLines, contract?.hasLocals], [true, false]);
    assert.equal(
      contract?.unavailable,
      `the compilation of Till has no syntax tree, so that local variables are not known: its verified sources compile to other code; or build the same code with solc 0.8.30 ${BUILD}`,
    );
    const { unavailable } = await localsAt(hash, 'paid[msg.sender]');
    assert.match(unavailable ?? '', /^the syntax tree of its source is not known: its verified/);
  });

  const reasonOf = async (changes: Partial<Answer>): Promise<string> => {
    const { address, hash } = await pay();
    verified.set(address, { body: answer(changes) });
    const { unavailable = '' } = (await compiled(hash)).contracts[0]!;
    return unavailable.replace(/^.* are not known: /, '').replace(/; or build the same .*$/, '');
  };

  it('say what to install where no compiler of the version is', async () => {
    const compilation = { ...answer().compilation, compilerVersion: '0.8.29+commit.ab55807c' };
    assert.equal(
      await reasonOf({ compilation }),
      `solc 0.8.29 is not installed: run npm install --prefix ${service.dataDir}/solc solc-0.8.29@npm:solc@0.8.29`,
    );
  });

  it('say that the installed compiler is another build', async () => {
    const compilation = { ...answer().compilation, compilerVersion: '0.8.30+commit.00000000' };
    assert.equal(
      await reasonOf({ compilation }),
      'solc 0.8.30 is 0.8.30+commit.73712a01, and the contract was compiled by 0.8.30+commit.00000000',
    );
  });

  for (const [what, change, expected] of [
    [
      'an import of a file of the machine',
      (text: string) => text.replace('contract Till', 'import "../../../../etc/passwd";\n$&'),
      /^solc 0\.8\.30 does not compile them: ParserError: Source "etc\/passwd" not found: File not supplied initially\./,
    ],
    [
      'an import by an absolute path',
      (text: string) => text.replace('contract Till', 'import "file:///etc/passwd";\n$&'),
      /^solc 0\.8\.30 does not compile them: ParserError: Source "file:\/\/\/etc\/passwd" not found/,
    ],
    [
      'a pragma of another compiler',
      (text: string) => text.replace('^0.8.20', '=0.7.6'),
      /^solc 0\.8\.30 does not compile them: ParserError: Source file requires different compiler version/,
    ],
    [
      'an expression that is nested 100,000 times',
      (text: string) => text.replace('= 2', `= ${'('.repeat(100_000)}2${')'.repeat(100_000)}`),
      /^solc 0\.8\.30 does not compile them: ParserError: Maximum recursion depth reached during parsing\./,
    ],
    [
      'more text than is compiled',
      (text: string) => `${text}// ${'x'.repeat(4 * 1024 * 1024)}`,
      /^its verified sources are longer than 4 MiB, and are not compiled$/,
    ],
  ] as const) {
    it(`say why ${what} is not compiled`, async () => {
      assert.match(await reasonOf(withText(change(TEXT))), expected);
    });
  }

  it('are compiled with the settings that the service lists, and with no others', async () => {
    const compilerSettings = {
      optimizer: { enabled: false, runs: 999 },
      stopAfter: 'parsing',
      modelChecker: { engine: 'all', targets: 'all' },
    };
    const { address, hash } = await pay();
    verified.set(address, {
      body: answer({ compilation: { ...answer().compilation, compilerSettings } }),
    });
    assert.equal((await compiled(hash)).contracts[0]?.hasLocals, true);
  });

  it('have lines and local variables also where the service publishes no source map', async () => {
    const { address, hash } = await pay();
    listed.set(address, {
      ABI: JSON.stringify(till.abi),
      ContractName: 'Till',
      Runs: '200',
      CompilerVersion: 'v0.8.30+commit.73712a01',
      OptimizationUsed: '0',
      EVMVersion: 'Default',
      ConstructorArguments: '',
      SourceCode: `{${JSON.stringify({
        language: 'Solidity',
        sources: { [FILE]: { content: TEXT } },
        settings: { optimizer: { enabled: false, runs: 200 } },
      })}}`,
    });
    const [contract] = (await compiled(hash)).contracts;
    assert.deepEqual(
      [contract?.origin, contract?.hasLines, contract?.hasLocals],
      ['etherscan', true, true],
    );
    assert.deepEqual(shown(await localsAt(hash, 'paid[msg.sender]')).slice(0, 3), [
      'uint256 amount = 7',
      'uint256 length = 6',
      'uint256 net = 5',
    ]);
    const path = `/v1/explorer/eth/transaction/${hash}/source-locations`;
    const { data } = await service.request<SourceLocations>('GET', path);
    const [source] = data.sources ?? [];
    assert.deepEqual(
      [source?.from, source?.hasMap, source?.reason],
      ['etherscan', true, undefined],
    );
  });

  it('appear in a recording that was made while the service gave no answer', async () => {
    const { address, hash } = await pay();
    verified.set(address, { status: 503, headers: { 'retry-after': '1' } });
    const [before] = (await recordingOf(hash)).contracts;
    assert.deepEqual([before?.origin, before?.hasLines], [null, false]);
    verified.set(address, { body: answer() });
    await eventually(async () => {
      assert.equal((await compiled(hash)).contracts[0]?.hasLocals, true);
    }, COMPILE_MS);
    assert.deepEqual(shown(await localsAt(hash, 'paid[msg.sender]')).slice(0, 1), [
      'uint256 amount = 7',
    ]);
  });

  it('appear in an open debug session at its next stop', async () => {
    const { address, hash } = await pay();
    verified.set(address, { status: 503, headers: { 'retry-after': '1' } });
    const locate = (_: unknown, { file }: { file: string }) => Promise.resolve(`/project/${file}`);
    const debug = await DebugSession.open(service, { locate });
    try {
      await debug.begin({ chain: 'eth', hash });
      const sourceOf = async (): Promise<string | undefined> => {
        const { body } = await debug.stackTraceRequest({ threadId: 1 });
        return body.stackFrames[0]?.source?.path;
      };
      assert.match((await sourceOf())!, /^0x\w{4}…\w{4} \(disassembly\)$/);
      const { body: functions } = await debug.setFunctionBreakpointsRequest({
        breakpoints: [{ name: 'record' }, { name: 'absent' }],
      });
      const { body: lines } = await debug.setBreakpointsRequest({
        source: { path: `/project/${FILE}` },
        breakpoints: [{ line: lineOf('emit Paid') }],
      });
      const set = [...functions.breakpoints, ...lines.breakpoints];
      const refusals = ['calls no function record', 'calls no function absent', 'executes no code'];
      for (const [index, { verified: isSet, message = '' }] of set.entries()) {
        assert.equal(isSet, false);
        assert.ok(message.startsWith(`This transaction ${refusals[index]!}`), message);
      }
      const changed: unknown[] = [];
      debug.on('breakpoint', ({ body }: DebugProtocol.BreakpointEvent) => {
        const { id: changedId, verified: isSet, line } = body.breakpoint;
        changed.push([body.reason, changedId, isSet, line]);
      });
      verified.set(address, { body: answer() });
      const last = await eventually(async () => {
        const recording = await compiled(hash);
        assert.equal(recording.contracts[0]?.hasLocals, true);
        return recording;
      }, COMPILE_MS);
      await debug.move('forklens/goTo', { step: last.entry });
      assert.equal(await sourceOf(), `/project/${FILE}`);
      assert.deepEqual(await debug.stack(), [`Till.pay:${lineOf('require(amount')}`]);
      assert.deepEqual(changed, [
        ['changed', set[0]?.id, true, undefined],
        ['changed', set[2]?.id, true, lineOf('emit Paid')],
      ]);
      assert.equal((await debug.move('continue')).reason, 'function breakpoint');
      assert.equal((await debug.move('continue')).reason, 'breakpoint');
      assert.equal((await debug.stack())[0], `Till.record:${lineOf('emit Paid')}`);
    } finally {
      await debug.close();
    }
  });
});
