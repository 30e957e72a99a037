import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { id } from 'ethers';
import type { AddressSource } from '../../server/api/contract-source';
import type {
  RecordedCalls,
  RecordedFile,
  Recording,
  Variable,
  Variables,
} from '../../server/api/recording';
import type { SourceLocations } from '../../server/api/source-locations';
import { assemble } from '../fidelity/assembler';
import { call } from '../support/json-rpc';
import { writeHardhatProject, type CompiledContract } from '../support/hardhat-project';
import { RecordedSession } from '../support/recordings';
import { sandboxHash } from '../support/sandbox-hashes';
import { type Answer, createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const FILE = 'contracts/EtherVault.sol';
const VAULT_SOURCE = join(__dirname, '../../server/chains/sandbox/contracts/EtherVault.sol');
const ETHER = 10n ** 18n;
const RICH = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';

interface SentTransaction {
  from: string;
  to: string;
  value: string;
  input: string;
  blockNumber: string;
  transactionIndex: string;
}

describe('recordings of the same transaction with other code', function () {
  let folder: string;
  let service: TestService;
  let contracts: Record<string, CompiledContract>;
  let thief: RecordedSession;
  let body: Record<string, unknown>;

  before(async () => {
    folder = await makeTemporaryDirectory();
    const original = await readFile(VAULT_SOURCE, 'utf8');
    const payment = '        (bool sent,) = msg.sender.call{value: amount}("");\n';
    const reset = '        balanceOf[msg.sender] = 0;\n';
    const text = original
      .replace(reset, '')
      .replace(payment, reset + payment)
      .replace(/receive\(\) external payable \{[^}]*\}/, 'receive() external payable {}');
    assert.notEqual(text, original);
    await mkdir(dirname(join(folder, FILE)), { recursive: true });
    await writeFile(join(folder, FILE), text);
    contracts = await writeHardhatProject(folder, { [FILE]: text });
    service = await startService({
      counted: true,
      args: ['--sandbox'],
      config: {
        abi: {
          artifacts: [join(folder, 'artifacts')],
          sourcify: { enabled: false },
          signatures: { enabled: false },
        },
      },
    });
    const hash = sandboxHash('exploit-reentrancy');
    thief = await RecordedSession.open(service, 'sandbox', hash);
    const fork = await createFork(service, { chainId: 31337 });
    const sent = await call<SentTransaction>(fork.rpc, 'eth_getTransactionByHash', hash);
    const { from, to, value, input: data, blockNumber: height, transactionIndex } = sent;
    const position = Number(transactionIndex);
    body = { from, to, value, data, height, position };
  });
  after(async () => {
    await service.stop();
    await removeDirectory(folder);
  });

  const addressOf = (name: string): string =>
    thief.recording.contracts.find((one) => one.name === name)!.address;

  const simulate = async (stateOverrides: object): Promise<RecordedSession> => {
    const path = '/v1/explorer/sandbox/simulate/recording';
    const answer = await service.request<Recording>('POST', path, {
      body: { ...body, stateOverrides },
    });
    assert.equal(answer.message, 'OK');
    assert.deepEqual(answer.data.verification, { level: 'call-trace' });
    return RecordedSession.open(service, 'sandbox', answer.data.transaction);
  };

  const evaluate = (session: RecordedSession, step: number, expression: string) =>
    service.request<Variable>('POST', `${session.base}/step/${step}/evaluate`, {
      body: { expression },
    });

  const codeOf = (name: string): string => contracts[name]!.evm.deployedBytecode.object;

  it('are the same without a change', async () => {
    const same = await simulate({});
    assert.deepEqual(
      [same.recording.status, same.recording.steps, same.recording.gasUsed],
      [true, thief.recording.steps, thief.recording.gasUsed],
    );
  });

  it('see the exploit fail with a vault that pays last', async () => {
    const fixed = await simulate({
      [addressOf('EtherVault')]: { code: `0x${codeOf('EtherVault')}` },
    });
    const { status, failure, contracts: codes } = fixed.recording;
    assert.deepEqual([status, failure], [false, 'Vault: ether not accepted']);
    const vault = codes.findIndex(({ name }) => name === 'EtherVault');
    assert.deepEqual([codes[vault]!.origin, codes[vault]!.files], ['workspace', [FILE]]);
    const again = { mode: 'continue', failures: 'all' };
    const { reason, text, step } = await fixed.find(0, again);
    assert.equal(reason, 'failure');
    assert.match(text, /^NothingToWithdraw\(/);
    const file = await fixed.get<RecordedFile>(`/contract/${vault}/file?file=${FILE}`);
    assert.equal(file.path, join(folder, FILE));
    const balance = await evaluate(fixed, step, 'balanceOf[msg.sender]');
    assert.equal(balance.data.value, '0');
    await appendFile(join(folder, FILE), '// changed\n');
    const changed = await fixed.get<RecordedFile>(`/contract/${vault}/file?file=${FILE}`);
    assert.deepEqual([changed.path, changed.content], [undefined, file.content]);
  });

  it('keep the immutables that the client fills in', async () => {
    const path = `/v1/explorer/sandbox/address/${addressOf('VaultThief')}/source`;
    const { data } = await service.request<AddressSource>('GET', path);
    const values = new Map(data.source!.immutables!.map(({ name, value }) => [name, value]));
    assert.deepEqual([...values.keys()].sort(), ['owner', 'vault']);
    const { object, immutableReferences = {} } = contracts['VaultThief']!.evm.deployedBytecode;
    const code = Buffer.from(object, 'hex');
    const declared = ['vault', 'owner'];
    const byId = Object.entries(immutableReferences).sort(([a], [b]) => Number(a) - Number(b));
    for (const [index, [, ranges]] of byId.entries()) {
      const word = Buffer.from(values.get(declared[index]!)!.slice(2), 'hex');
      for (const { start } of ranges) word.copy(code, start);
    }
    const honest = await simulate({
      [addressOf('VaultThief')]: { code: `0x${code.toString('hex')}` },
    });
    assert.deepEqual([honest.recording.status, honest.recording.failure], [true, '']);
    const vault = await evaluate(honest, honest.recording.entry, 'vault');
    assert.equal(vault.data.value, addressOf('EtherVault'));
    const withdrawn = await honest.walk(0, {
      mode: 'continue',
      functions: [{ id: 1, name: 'withdraw' }],
    });
    assert.equal(withdrawn.length, 1 + 1);
  });

  it('have another value of a storage slot', async () => {
    const vault = addressOf('EtherVault');
    const line = { mode: 'continue', lines: [{ id: 1, file: 'EtherVault.sol', line: 22 }] };
    const amountIn = async (session: RecordedSession): Promise<string> => {
      const { step } = await session.find(0, line);
      return (await evaluate(session, step, 'balanceOf[msg.sender]')).data.value;
    };
    assert.equal(await amountIn(thief), String(2n * ETHER));
    const { step } = await thief.find(0, line);
    const expression = 'balanceOf[msg.sender]';
    const { slot } = (await evaluate(thief, step, expression)).data;
    const richer = await simulate({
      [vault]: { stateDiff: { [slot!]: `0x${ETHER.toString(16)}` } },
    });
    assert.equal(await amountIn(richer), String(3n * ETHER));
  });
});

describe('recordings of the sandbox show', function () {
  let service: TestService;
  before(async () => {
    service = await startService({ counted: true, args: ['--sandbox'] });
  });
  after(() => service.stop());

  it('variables that the transaction does not touch, and functions of the contract', async () => {
    const session = await RecordedSession.open(
      service,
      'sandbox',
      sandboxHash('transfer-18-decimals'),
    );
    const { step } = await session.find(0, {
      mode: 'continue',
      lines: [{ id: 1, file: 'TokenBase.sol', line: 38 }],
    });
    const { variables } = await session.get<Variables>(`/step/${step}/variables?scope=state`);
    const supply = variables.find(({ name }) => name === 'totalSupply')!;
    assert.deepEqual(
      [supply.location, supply.unavailable, supply.changed],
      ['storage', undefined, false],
    );
    const fork = await createFork(service, { chainId: 31337, height: '0x5' });
    const slot = await call(fork.rpc, 'eth_getStorageAt', HBR, supply.slot!, 'latest');
    assert.equal(BigInt(supply.value), BigInt(slot));
    assert.ok(BigInt(slot) > 0n);
    for (const [expression, value] of [
      ['this.symbol()', '"HBR"'],
      ['this.balanceOf(to) == balanceOf[to]', 'true'],
      ['this.allowance(from, from)', '0'],
      ['address(0x00000000000000000000000000000000000000dd).balance', '0'],
    ]) {
      const body = { expression };
      const path = `${session.base}/step/${step}/evaluate`;
      const { data } = await service.request<Variable>('POST', path, { body });
      assert.deepEqual([data.value, data.unavailable], [value, undefined], expression);
    }
  });

  it('untouched variables of a fork, where its block did not change them', async () => {
    const fork = await createFork(service, { chainId: 31337 });
    const data = `0xa9059cbb${BOB.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`;
    const hash = await call(fork.rpc, 'eth_sendTransaction', { from: RICH, to: HBR, data });
    const session = await RecordedSession.open(service, fork.forkId, hash);
    const path = `/step/${session.recording.entry}/variables?scope=state`;
    const { variables } = await session.get<Variables>(path);
    const supply = variables.find(({ name }) => name === 'totalSupply')!;
    const slot = await call(fork.rpc, 'eth_getStorageAt', HBR, supply.slot!, 'latest');
    assert.deepEqual([BigInt(supply.value), supply.changed], [BigInt(slot), false]);
    const set = (value: number): Promise<unknown> =>
      call(
        fork.rpc,
        'anvil_setStorageAt',
        HBR,
        supply.slot!,
        `0x${String(value).padStart(64, '0')}`,
      );
    const supplyIn = async (other: string): Promise<Variable> => {
      const { base, recording } = await RecordedSession.open(service, fork.forkId, other);
      const answer = await service.request<Variable>(
        'POST',
        `${base}/step/${recording.entry}/evaluate`,
        { body: { expression: 'totalSupply' } },
      );
      return answer.data;
    };
    await set(7);
    const transfer = { from: RICH, to: HBR, data };
    const second = await call(fork.rpc, 'eth_sendTransaction', transfer);
    assert.equal((await supplyIn(second)).value, '7');
    const third = await call(fork.rpc, 'eth_sendTransaction', transfer);
    await set(8);
    assert.match(
      (await supplyIn(third)).unavailable!,
      /: the block changes the slot outside of this transaction, and its value between is not known$/,
    );
  });

  it('the line of a failure whose revert code other statements share', async () => {
    const hash = sandboxHash('error-string');
    const session = await RecordedSession.open(service, 'sandbox', hash);
    const { reason, step } = await session.find(0, { mode: 'continue', failures: 'all' });
    assert.deepEqual(
      [reason, await session.stackAt(step)],
      ['failure', '36 _transfer < 13 HarborToken.transfer'],
    );
    const path = `/v1/explorer/sandbox/transaction/${hash}/source-locations`;
    const { data } = await service.request<SourceLocations>('GET', path);
    assert.equal(data.locations[0]!.failure!.startLine, 36);
  });

  it('calls by the interface that the user gave', async () => {
    const target = `0x${'ab'.repeat(20)}`;
    const code = assemble('1 0 sstore stop');
    const data = `${id('poke(uint256)').slice(0, 10)}${'5'.padStart(64, '0')}`;
    const body = { from: BOB, to: target, data, stateOverrides: { [target]: { code } } };
    const path = '/v1/explorer/sandbox/simulate/recording';
    const { data: made } = await service.request<Recording>('POST', path, { body });
    const calls = async (): Promise<unknown[]> => {
      const base = `/v1/explorer/sandbox/transaction/${made.transaction}/recording/calls`;
      const answer: Answer<RecordedCalls> = await service.request('GET', base);
      const [first] = answer.data.calls;
      return [first!.function, ...(first!.arguments ?? []).map(({ name, value }) => [name, value])];
    };
    assert.notEqual((await calls())[0], 'poke');
    const abi = ['uint256'].map((type) => ({
      type: 'function',
      name: 'poke',
      stateMutability: 'nonpayable',
      outputs: [],
      inputs: [{ name: 'depth', type }],
    }));
    const given = await service.request('PUT', `/v1/abi/sandbox/${target}`, {
      body: { contractName: 'Poked', abi },
    });
    assert.equal(given.message, 'OK');
    assert.deepEqual(await calls(), ['poke', ['depth', '5']]);
  });
});
