import assert from 'node:assert/strict';
import type { FlowNode, InvocationFlow } from '../../server/api/explorer';
import type {
  Bytes,
  Disassembly,
  ExecutedLines,
  RecordedCalls,
  RecordedFile,
  Variable,
  Variables,
} from '../../server/api/recording';
import type { FailedConditions } from '../../server/api/recording-conditions';
import { RecordedSession } from '../support/recordings';
import { sandboxHash, sandboxTransactions } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const word = (value: bigint | number): string => `0x${value.toString(16).padStart(64, '0')}`;

describe('recordings of the sandbox', () => {
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const open = (id: string): Promise<RecordedSession> =>
    RecordedSession.open(service, 'sandbox', sandboxHash(id));

  it('equal the receipts, and have the calls and events of the traces', async () => {
    for (const id of Object.keys(sandboxTransactions)) {
      const session = await open(id);
      const { recording } = session;
      assert.deepEqual(recording.verification, { level: 'receipt' }, id);
      const path = session.base.replace('/recording', '/invocation-flow');
      const { data: flow } = await service.request<InvocationFlow>('GET', path);
      assert.deepEqual([recording.status, recording.isSimulation], [flow.status, false], id);
      const { calls, events, total } = await session.get<RecordedCalls>('/calls');
      if (total > calls.length) continue;
      const listed = new Set([...calls, ...events].flatMap(({ nodeId }) => nodeId ?? []));
      const missing = Object.entries(flow.dataMap).filter(
        ([id]) => id !== '-1' && !listed.has(Number(id)),
      );
      const kinds = missing.flatMap(([, node]) => (isUnpaid(node) ? [] : kindOf(node)));
      assert.deepEqual(
        kinds,
        kinds.filter((kind) => kind === 'SELFDESTRUCT'),
        id,
      );
    }
  });

  it('give the condition of the source that failed, with its values', async () => {
    const failing = await open('custom-error-three-deep');
    const { conditions } = await failing.get<FailedConditions>('/conditions');
    assert.deepEqual(
      conditions.map(({ kind, text, isTrue, place, parts }) => [
        kind,
        text,
        isTrue,
        place.startLine,
        ...parts.map(({ relation, operands }) => [relation, ...operands.map(({ value }) => value)]),
      ]),
      [['revert', 'stock[item] < quantity', true, 15, ['<', '2', '3']]],
    );
    assert.equal(typeof conditions[0]?.nodeId, 'number');
    const done = await open('approve');
    assert.deepEqual(await done.get('/conditions'), { conditions: [] });
  });

  it('stop at failures, events, writes and lines of any contract', async () => {
    const failing = await open('custom-error-three-deep');
    const failure = await failing.find(0, { mode: 'continue', failures: 'uncaught' });
    assert.deepEqual(
      [failure.reason, failure.text, await failing.stackAt(failure.step)],
      [
        'failure',
        'OutOfStock(item: 7, requested: 3, available: 2)',
        '15 Shelf.take < 30 Warehouse.pick < 50 Checkout.buy',
      ],
    );
    assert.equal((await failing.step(failure.step)).failure, failure.text);
    assert.equal(failing.recording.failure, failure.text);
    const last = failing.recording.steps - 1;
    const none = await failing.find(last, {
      mode: 'continue',
      failures: 'panic',
      direction: 'backwards',
    });
    assert.deepEqual([none.reason, none.step], ['entry', failing.recording.entry]);

    const thief = await open('exploit-reentrancy');
    const vault = thief.recording.contracts.find(({ name }) => name === 'EtherVault')!;
    const writes = await thief.walk(0, {
      mode: 'continue',
      lines: [{ id: 5, file: 'EtherVault.sol', line: 23 }],
    });
    assert.equal(writes.length, 1 + 6);
    const { variables } = await thief.get<Variables>(
      `/step/${writes.at(-1)}/variables?scope=storage`,
    );
    assert.equal(variables.length, 1);
    const { slot, address, value } = variables[0]!;
    assert.equal(address, vault.address);
    const data = { mode: 'continue', slots: [{ id: 9, address, slot }] };
    const stores = await thief.walk(0, data);
    // The deposit, and the first of six equal withdrawals: the others write 0 where 0 is.
    assert.equal(stores.length, 1 + 2);
    const first = await thief.find(0, data);
    assert.match(first.text, /^slot 0x[0-9a-f]{64}: 0x0{64} -> 0x/);
    assert.equal(first.text.slice(-66), await valueAfter(thief, stores[1]!, slot!));
    const back = await thief.walk(thief.recording.steps - 1, { ...data, direction: 'backwards' });
    assert.deepEqual(back.slice(1).reverse(), stores.slice(1));
    assert.equal(value, word(0));
  });

  it('answer a slot that the transaction does not touch', async () => {
    const session = await open('approve');
    const read = async (query: string): Promise<Variable[]> =>
      (await session.get<Variables>(`/step/0/variables?scope=${query}`)).variables;
    const supply = (await read('state')).find(({ name }) => name === 'totalSupply')!;
    assert.ok(BigInt(supply.value) > 0n);
    assert.ok((await read('storage')).every(({ slot }) => slot !== supply.slot));
    const [found] = await read(`storage&reference=${supply.slot!}`);
    assert.deepEqual(
      [BigInt(found!.value), found!.slot, found!.changed],
      [BigInt(supply.value), supply.slot, false],
    );
  });

  const valueAfter = async (
    session: RecordedSession,
    step: number,
    slot: string,
  ): Promise<string> => {
    const path = `/step/${step + 1}/variables?scope=storage`;
    const { variables } = await session.get<Variables>(path);
    return variables.find((one) => one.slot === slot)!.value;
  };

  it('answer stack, memory, call data and code of any step', async () => {
    const session = await open('transfer-18-decimals');
    const { entry } = session.recording;
    const at = await session.step(entry);
    assert.deepEqual(
      [at.op, at.callDataSize, at.returnDataSize, at.place?.file],
      ['PUSH0', 68, 0, 'TokenBase.sol'],
    );
    const next = await session.step(entry + 1);
    assert.deepEqual(next.stack, [...at.stack, '0x0']);
    const bytes = (of: string, rest = ''): Promise<Bytes> =>
      session.get<Bytes>(`/step/${entry}/bytes?of=${of}${rest}`);
    const calldata = await bytes('calldata');
    assert.equal(calldata.data.slice(0, 10), '0xa9059cbb');
    assert.deepEqual(await bytes('calldata', '&offset=4&length=2'), {
      offset: 4,
      data: '0x0000',
      size: 68,
    });
    const memory = await bytes('memory', '&offset=64&length=32');
    assert.deepEqual(memory, { offset: 64, data: word(0x80), size: at.memorySize });
    assert.equal((await bytes('memory', '&offset=1000000')).data, '0x');
    const code = await bytes('code', '&length=4');
    const { instructions, total, first } = await session.get<Disassembly>(
      `/contract/${at.contract}/instructions?pc=${at.pc}&before=1&count=3`,
    );
    assert.ok(code.size > total && code.data.startsWith('0x60'));
    assert.deepEqual(
      [instructions[1]!.pc, instructions[1]!.op, instructions.length],
      [at.pc, at.op, 3],
    );
    assert.ok(first > 0);
    const file = await session.get<RecordedFile>(
      `/contract/${at.contract}/file?file=TokenBase.sol`,
    );
    assert.match(file.content, /^\/\/ SPDX-License-Identifier: MIT\n/);
  });

  it('answer message, block, gas and transient storage', async () => {
    const session = await open('transfer-18-decimals');
    const scope = async (name: string): Promise<Record<string, string>> => {
      const path = `/step/${session.recording.entry}/variables?scope=${name}`;
      const { variables, total } = await session.get<Variables>(path);
      assert.equal(total, variables.length);
      return Object.fromEntries(variables.map(({ name: own, value }) => [own, value]));
    };
    const message = await scope('message');
    assert.equal(message['msg.sender'], message['tx.origin']);
    assert.deepEqual([message['msg.sig'], message['msg.value']], ['0xa9059cbb', '0']);
    const block = await scope('block');
    assert.equal(block['block.chainid'], '31337');
    const gas = await scope('gas');
    assert.equal(Number(gas['gasleft()']), (await session.step(session.recording.entry)).gas);
    assert.deepEqual(await scope('transient'), {});
  });

  it('answer state variables, local ones, expressions and arguments', async () => {
    const session = await open('transfer-18-decimals');
    const { step } = await session.find(0, {
      mode: 'continue',
      lines: [{ id: 1, file: 'TokenBase.sol', line: 38 }],
    });
    const state = await session.get<Variables>(`/step/${step}/variables?scope=state`);
    assert.deepEqual(
      state.variables.map(({ name, type }) => `${type} ${name}`),
      [
        'uint256 totalSupply',
        'mapping(address => uint256) balanceOf',
        'mapping(address => mapping(address => uint256)) allowance',
        'mapping(address => uint256) nonces',
        'string name',
        'string symbol',
        'uint8 decimals',
        'bytes32 PERMIT_TYPE',
      ],
    );
    const [, balances] = state.variables;
    const reference = encodeURIComponent(balances!.reference!);
    const members = await session.get<Variables>(
      `/step/${step}/variables?scope=state&reference=${reference}`,
    );
    const locals = await session.get<Variables>(`/step/${step}/variables?scope=locals`);
    const values = Object.fromEntries(locals.variables.map(({ name, value }) => [name, value]));
    assert.deepEqual(Object.keys(values), ['from', 'to', 'value']);
    const evaluate = async (expression: string): Promise<Variable> => {
      const path = `${session.base}/step/${step}/evaluate`;
      const answer = await service.request<Variable>('POST', path, { body: { expression } });
      assert.equal(answer.message, 'OK', expression);
      return answer.data;
    };
    const of = async (expression: string): Promise<string> => (await evaluate(expression)).value;
    assert.equal(await of('balanceOf[from] >= value'), 'true');
    assert.equal(await of('value + 1'), String(BigInt(values['value']!) + 1n));
    assert.equal(await of('msg.sender == from'), 'true');
    const sender = members.variables.find(({ name }) => name.includes(values['from']!.slice(2)))!;
    assert.deepEqual(
      [sender.changed, BigInt(sender.before!) - BigInt(sender.value)],
      [true, BigInt(values['value']!)],
    );
    const wrong = await service.request('POST', `${session.base}/step/${step}/evaluate`, {
      body: { expression: 'nothing + ' },
    });
    assert.equal(wrong.code, 40001);
    assert.match(wrong.message, /^expression "nothing \+ ": /);
    const { calls } = await session.get<RecordedCalls>('/calls');
    const shown = calls.map(({ function: name, arguments: list = [] }) => [
      name,
      ...list.map((one) => `${one.name} = ${one.value}`),
    ]);
    const { from, to, value } = values;
    assert.deepEqual(shown, [
      ['transfer', `to = ${to}`, `value = ${value}`],
      ['_transfer', `from = ${from}`, `to = ${to}`, `value = ${value}`],
    ]);
  });

  it('stop where a condition holds, and log messages', async () => {
    const session = await open('split-by-library');
    const line = { id: 4, file: 'RevenueSplitter.sol', line: 24 };
    const search = (more: object): Promise<number[]> =>
      session.walk(0, { mode: 'continue', lines: [{ ...line, ...more }] });
    assert.equal((await search({})).length, 1 + 3);
    assert.equal((await search({ condition: 'msg.value > 0' })).length, 1 + 3);
    assert.equal((await search({ condition: 'msg.value == 0' })).length, 1);
    assert.equal((await search({ condition: 'msg.value > 0', hits: 3 })).length, 1 + 1);
    const { reason, logged } = await session.find(0, {
      mode: 'continue',
      lines: [{ ...line, message: 'total {totalParts}' }],
    });
    assert.equal(reason, 'end');
    assert.deepEqual(new Set(logged.map(({ text }) => text)).size, 1);
    assert.match(logged[0]!.text, /^total [0-9]+$/);
    await assert.rejects(
      search({ condition: 'nobody > 0' }),
      /^Error: lines\[0\]\.condition "nobody > 0": nobody is not known here/,
    );
  });

  it('count lines and their gas', async () => {
    const session = await open('split-by-library');
    const { lines } = await session.get<ExecutedLines>('/lines?file=ShareMath.sol');
    assert.deepEqual(
      lines.map(({ line, count, steps }) => [line, count, steps.length]),
      [7, 8].map((line) => [line, 3, 3]),
    );
    const { lines: all } = await session.get<ExecutedLines>('/lines');
    const gas = all.reduce((sum, line) => sum + line.gas, 0);
    assert.ok(gas > 0 && gas < session.recording.gasUsed);
    assert.deepEqual(
      all.find(({ line, file }) => line === 24 && file === 'RevenueSplitter.sol')?.count,
      3,
    );
  });

  it('name calls, their declarations and outcomes', async () => {
    const { calls, total } = await (await open('caught-revert')).get<RecordedCalls>('/calls');
    assert.equal(total, calls.length);
    const shown = calls.map(({ depth, operation, function: name, outcome, declaration }) =>
      [depth, operation, name, outcome ?? '', declaration?.startLine].join(' '),
    );
    const paid = ['1 CALL pay returned 32', '2 CALL transfer returned 12', '3 JUMP _transfer  35'];
    assert.deepEqual(shown, [
      '0 CALL run returned 22',
      ...paid,
      '1 CALL pay reverted 32',
      ...paid.slice(1),
      ...paid,
    ]);
  });
});

/** A call whose caller has too little ether executes nothing. */
const isUnpaid = (node: FlowNode): boolean =>
  'invocation' in node && node.invocation.errorInfo === 'insufficient balance for transfer';

const kindOf = (node: FlowNode): string =>
  'invocation' in node ? node.invocation.operation : 'EVENT';
