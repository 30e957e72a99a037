import assert from 'node:assert/strict';
import type { Bytes, RecordedCalls, Recording } from '../../server/api/recording';
import { assemble, deploying, inMemory, sizeOf } from '../fidelity/assembler';
import { RecordedSession } from '../support/recordings';
import { type Answer } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const FROM = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const CODE = `0x${'c0'.repeat(20)}`;
const GAS = '0x1c9c380'; // 30,000,000: a whole block

/** A precompiled contract with so many bytes of input and output. */
const precompile = (address: number, input: number, output: number): string =>
  `${output} 0 ${input} 0 ${address} gas staticcall pop`;

const child = assemble('caller selfdestruct');
const init = deploying(child);
const create2 = `7 ${sizeOf(init)} 0 0 create2`;

/** Programs whose execution is as an enemy wants it. None has a source. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'calls itself as deep as its gas allows': '0 0 0 0 0 address gas call stop',
  'uses 3 MB of memory': '1 3000000 mstore 3000000 mload 0 sstore 3000032 0 return',
  'wants more memory than there is': `1 0x${'ff'.repeat(8)} mstore stop`,
  'wants memory at the last word': `1 0x${'ff'.repeat(32)} mstore stop`,
  'creates again at an address that destroyed itself': `${inMemory(init)} ${create2} 0 sstore
    0 0 0 0 0 0 sload gas call pop ${create2} 1 sstore 0 0 0 0 0 0 sload gas call stop`,
  'destroys itself, and goes on in its caller': '0 0 0 0 0 caller gas call pop caller selfdestruct',
  'calls every precompiled contract with wrong input': `0x${'ff'.repeat(32)} 0 mstore 0x${'ff'.repeat(32)} 32 mstore
    ${Array.from({ length: 17 }, (_, index) => precompile(index + 1, 192, 64)).join(' ')} stop`,
  'calls precompiled contracts without input': `${Array.from({ length: 17 }, (_, index) => precompile(index + 1, 0, 0)).join(' ')} stop`,
  'hashes 100 kB again and again': `100 :loop 100000 0 keccak256 pop 1 swap1 sub dup1 @loop jumpi stop`,
  'jumps into the data of an instruction': '4 jump 0x5b5b5b5b5b stop',
  'has an empty stack': 'pop',
  'has a full stack': ':loop 1 @loop jump',
  'copies data that were not returned': '1 0 0 returndatacopy stop',
  'creates a contract with code that is too long': '30000 0 0 create 0 sstore stop',
  'emits 1,000 events': '1000 :loop 0 0 log0 1 swap1 sub dup1 @loop jumpi stop',
  'has an instruction that does not exist': 'gas invalid',
  'reverts with 100 kB': '100000 0 revert',
};

describe('recordings of hostile code', function () {
  this.timeout(120_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const simulate = (code: string, more: object = {}): Promise<Answer<Recording>> =>
    service.request<Recording>('POST', '/v1/explorer/sandbox/simulate/recording', {
      body: {
        from: FROM,
        to: CODE,
        gas: GAS,
        data: '0x',
        stateOverrides: { [CODE]: { code } },
        ...more,
      },
    });

  for (const [what, program] of Object.entries(PROGRAMS)) {
    it(`equal the engine's execution: code that ${what}`, async () => {
      const { message, data } = await simulate(assemble(program));
      assert.equal(message, 'OK');
      assert.deepEqual(data.verification, { level: 'call-trace' });
      const session = await RecordedSession.open(service, 'sandbox', data.transaction);
      const last = await session.step(data.steps - 1);
      assert.equal(last.callStack.at(-1)?.address, CODE);
      const { size } = await session.get<Bytes>(`/step/${data.steps - 1}/bytes?of=memory`);
      assert.equal(size, last.memorySize);
      const { calls } = await session.get<RecordedCalls>('/calls');
      assert.equal(calls[0]?.address, CODE);
      const found = await session.find(data.steps - 1, { direction: 'backwards', failures: 'all' });
      assert.ok(['entry', 'failure', 'step'].includes(found.reason), found.reason);
      const query = `/v1/explorer/sandbox/transaction/${data.transaction}/recording/step/0/evaluate`;
      const answer = await service.request('POST', query, { body: { expression: 'msg.sender' } });
      assert.equal(answer.message, 'OK');
    });
  }

  it('end where an execution has too many steps', async () => {
    const { code, message } = await simulate(assemble(':loop @loop jump'));
    assert.equal(code, 42201);
    assert.match(
      message,
      /executes more than 2000000 steps: simulate one of its calls, and debug the simulation$/,
    );
  });

  it('end with their client', async () => {
    const controller = new AbortController();
    const loop = assemble('gas :loop 1 swap1 sub dup1 @loop jumpi stop');
    const body = { from: FROM, to: CODE, gas: GAS, stateOverrides: { [CODE]: { code: loop } } };
    const asked = fetch(`${service.url}/v1/explorer/sandbox/simulate/recording`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'access-key': service.key },
      signal: controller.signal,
    });
    controller.abort();
    await assert.rejects(asked, { name: 'AbortError' });
    const { message } = await simulate(assemble('stop'));
    assert.equal(message, 'OK');
  });
});
