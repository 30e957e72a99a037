import assert from 'node:assert/strict';
import type {
  RecordedTransaction,
  VariableQuery,
} from '../../../../../extension/debugger/adapter/recorded-transaction';
import {
  dataBreakpointInfo,
  VariablesAt,
} from '../../../../../extension/debugger/adapter/variables';
import type { RecordedStep, Variable, Variables } from '../../../../../server/api/recording';

const VAULT = `0x${'c3'.repeat(20)}`;
const SLOT = `0x${'0'.repeat(63)}1`;

const entry = (call: number, kind: 'external' | 'internal', step: number) => ({
  call,
  step,
  pc: 0,
  contract: 0,
  kind,
  operation: 'CALL',
  address: VAULT,
  function: '',
});

/** A step in an internal function of a call that another contract makes. */
const STEP: RecordedStep = {
  step: 9,
  revision: '',
  call: 2,
  contract: 0,
  pc: 0,
  op: 'ADD',
  gas: 1,
  stack: ['0x1', '0x2'],
  callStack: [entry(2, 'internal', 9), entry(1, 'external', 7), entry(0, 'external', 4)],
  memorySize: 64,
  returnDataSize: 0,
  callDataSize: 4,
};

const amount: Variable = {
  name: 'amount',
  type: 'uint256',
  value: '5',
  changed: true,
  before: '7',
};
const balances: Variable = {
  name: 'balances',
  type: 'uint256[]',
  value: '',
  children: 3_000,
  reference: 'r1',
  expression: 'balances',
  location: 'storage',
  address: VAULT,
  slot: SLOT,
};
const supply: Variable = {
  name: 'supply',
  type: 'uint256',
  value: '9',
  assumption: 'the same before and after the block',
};
const lost: Variable = {
  name: 'lost',
  type: 'uint256',
  value: '',
  unavailable: 'the optimizer removed it',
};

describe('variables of a debug session', () => {
  const asked: VariableQuery[] = [];
  const recorded = {
    variables: (_step: number, query: VariableQuery): Promise<Variables> => {
      asked.push(query);
      return Promise.resolve(
        query.reference === undefined
          ? { variables: [amount, balances, supply, lost], total: 4 }
          : { variables: [{ name: '200', type: 'uint256', value: '1' }], total: 3_000 },
      );
    },
    step: (step: number) => Promise.resolve({ ...STEP, step, stack: [`0x${step}`] }),
  } as unknown as RecordedTransaction;
  let at: VariablesAt;

  beforeEach(() => {
    asked.length = 0;
    at = new VariablesAt(recorded, STEP);
  });

  const scope = (frame: number, name: string): number =>
    at.scopes(frame - 1).find((one) => one.name === name)!.variablesReference;

  it('say what was changed, what is not proved, and what cannot be known', async () => {
    const shown = await at.children(scope(3, 'State'), {});
    assert.deepEqual(
      shown.map(({ name, value }) => [name, value]),
      [
        ['amount', '5 (was 7)'],
        ['balances', '3,000 members'],
        ['supply', '9 (assumed: the same before and after the block)'],
        ['lost', 'unavailable, because the optimizer removed it'],
      ],
    );
    assert.equal(asked[0]!.call, 2);
  });

  it('are read in pages where there are many', async () => {
    const [, list] = await at.children(scope(3, 'State'), {});
    assert.equal(list!.indexedVariables, 3_000);
    const page = await at.children(list!.variablesReference, { start: 200, count: 1 }, 'indexed');
    assert.deepEqual(
      page.map(({ name, value }) => [name, value]),
      [['200', '1']],
    );
    assert.deepEqual(asked.at(-1), {
      kind: 'members',
      scope: 'state',
      call: 2,
      reference: 'r1',
      start: 200,
      count: 1,
    });
  });

  it('have the stack of their own code', async () => {
    const stack = async (frame: number) =>
      (await at.children(scope(frame, 'Stack'), {})).map(({ value }) => value);
    assert.deepEqual(await stack(3), ['0x2', '0x1']);
    assert.deepEqual(await stack(2), ['0x2', '0x1']);
    // The caller's stack is that of the step that made the call.
    assert.deepEqual(await stack(1), ['0x4']);
  });

  it('take data breakpoints where they are in storage', async () => {
    const state = scope(3, 'State');
    await at.children(state, {});
    assert.deepEqual(dataBreakpointInfo(at.named(state, 'balances')!, 'balances'), {
      dataId: `${VAULT}:${SLOT}`,
      description: 'balances.length',
      canPersist: true,
      accessTypes: ['write', 'read', 'readWrite'],
    });
    for (const [variable, description] of [
      [amount, 'amount is not in the storage of a contract.'],
      [lost, 'lost cannot be watched: the optimizer removed it.'],
      [
        { ...balances, name: 'owed', type: 'mapping(address => uint256)' },
        'owed is a mapping: choose an entry, such as owed[…].',
      ],
      [
        { ...balances, name: 'board', type: 'uint256[300]', slots: 300 },
        'board has 300 slots; accepted are up to 256: choose an element.',
      ],
    ] as const) {
      const info = dataBreakpointInfo(variable, variable.name);
      assert.deepEqual(info, { dataId: null, description });
    }
  });
});
