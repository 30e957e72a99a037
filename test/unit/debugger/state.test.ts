import assert from 'node:assert/strict';
import type { Variables } from '../../../server/api/recording';
import { debug, shown, type Debugged, type Run } from './debugged';
import { CALLER, SENDER } from './record';
import type { Settings } from './solidity';
import { STORE } from './store-contract';

const RUN: Run = {
  text: STORE,
  contract: 'Store',
  call: 'function run(uint256)',
  values: [4],
};

const all = ({ variables }: Variables): string[] => shown(variables);

const atEnd = (run: Partial<Run> = {}): Debugged =>
  debug({ ...RUN, otherStorage: () => 0n, ...run });

for (const [how, settings] of [
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer: { enabled: true } }],
  ['via IR', { viaIR: true }],
  ['via IR, with the optimizer', { viaIR: true, optimizer: { enabled: true } }],
] as [string, Settings][]) {
  describe(`the state of a contract compiled ${how}`, () => {
    const debugged = atEnd({ settings });
    const last = debugged.recording.steps - 1;
    const state = debugged.variables.at(last, 0);

    it('has all variables by their places', () => {
      const expected = [
        'Base.hidden = 3',
        'flag = true',
        'small = 200',
        'negative = -100',
        `owner = ${SENDER}`,
        'four = 0xaabbccdd',
        'level = Level.High',
        'price = 77',
        'Store.hidden = 1000',
        'fixedOnes = [0, 11, 0, 0, 44]',
        'list = [0, 10, 20, 30, 40, 50]',
        'pairs = 2 elements',
        'point = 4 members',
        'points = 2 elements',
        'book = 2 members',
        'balances = 2 known keys',
        'nested = 1 known key',
        'named = 2 known keys',
        'byLevel = 1 known key',
        'short = "short \\"quoted\\""',
        'long = "a text of more than thirty-one bytes: ä"',
        'data = hex"ff00fe"',
        `other = ${CALLER}`,
      ];
      assert.deepEqual(all(state.list('state', 1, expected.length - 1)), expected.slice(1));
      assert.equal(state.list('state').variables[0]!.value, '0'); // no constructor was run
    });

    it('has members, elements and entries of known keys', () => {
      const children = (reference: string): string[] => all(state.children(reference));
      assert.deepEqual(children('state:point'), [
        'x = 7',
        'y = -8',
        'label = "here"',
        'marks = [9]',
      ]);
      assert.deepEqual(children('state:points[1]'), [
        'x = 1',
        'y = 2',
        'label = "a label of more than thirty-two characters"',
        'marks = [0, 0]',
      ]);
      assert.deepEqual(children('state:pairs'), ['[0] = [1, 2]', '[1] = [3, 4]']);
      assert.deepEqual(children('state:pairs[1]'), ['[0] = 3', '[1] = 4']);
      assert.deepEqual(children('state:book'), ['pages = 300', 'read = 1 known key']);
      assert.deepEqual(children('state:book.read'), ['[12] = true']);
      assert.deepEqual(children('state:balances'), [`[${SENDER}] = 50`, `[${CALLER}] = 4`]);
      assert.deepEqual(children('state:named'), [
        '["key"] = 1',
        '["a key of more than thirty-two characters"] = 2',
      ]);
      assert.deepEqual(children('state:byLevel'), ['[Level.High] = -1']);
      const [role] = state.children('state:nested').variables;
      assert.deepEqual(all(state.children(role!.reference!)), [
        '[4] = 4 members',
        '[5] = 4 members',
      ]);
      const entry = state.children(role!.reference!).variables[1]!.reference!;
      assert.deepEqual(children(entry), ['x = 0', 'y = 0', 'label = "inner"', 'marks = []']);
    });

    it('has the values of transient variables, immutables and constants', () => {
      const named = (name: string): string => shown([state.evaluate(name)])[0]!;
      for (const expected of [
        'temporary = 99',
        `creator = 0x${'0'.repeat(40)}`,
        'mark = 0x00000000',
        'less = 0',
        'SCALE = 1000000000000000000',
        'LEAST = -5',
        'NAME = "a name"',
        'SUM = 35',
        'Limits.MOST = 20',
      ]) {
        assert.equal(named(expected.split(' = ')[0]!), expected);
      }
      // The hash of the word 1.
      assert.equal(
        named('CODED'),
        'CODED = 0xb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf6',
      );
    });
  });
}

describe('the state of a contract', () => {
  it('is the same without the storage layout of the compiler, computed from the syntax tree', () => {
    const withLayout = atEnd();
    const computed = atEnd({
      facts: (facts) => ({ ...facts, layout: undefined, transientLayout: undefined }),
    });
    const last = withLayout.recording.steps - 1;
    assert.deepEqual(
      computed.variables.at(last, 0).list('state'),
      withLayout.variables.at(last, 0).list('state'),
    );
  });

  it('is known by the storage layout alone, without a syntax tree', () => {
    const { variables, recording } = atEnd({ facts: (facts) => ({ ...facts, trees: new Map() }) });
    const state = variables.at(recording.steps - 1, 0);
    const listed = all(state.list('state'));
    for (const expected of [
      'level = Level(1)',
      'price = 0x000000000000004d',
      'list = [0, 10, 20, 30, 40, 50]',
      'balances = 2 known keys',
      'temporary = 99',
    ]) {
      assert.ok(listed.includes(expected), expected);
    }
    assert.deepEqual(all(state.children('state:byLevel')), ['[1] = -1']);
    assert.deepEqual(all(state.children('state:point')).slice(0, 2), ['x = 7', 'y = -8']);
  });

  it('names functions that variables hold', () => {
    const { variables, recording } = atEnd();
    const state = variables.at(recording.steps - 1, 0);
    assert.equal(state.evaluate('chosen').value, 'Store.double');
    assert.equal(state.evaluate('far').value, `${CALLER}.0x448f30a3 (Store.nothing)`);
  });

  it('says what changed since before the transaction', () => {
    const { at } = atEnd({
      storage: new Map([
        [0n, BigInt(`0x05${'00'.repeat(1)}`) << 8n],
        [2n, 1000n],
      ]),
    });
    const state = at('return (creator');
    const { variables } = state.list('state');
    const of = (name: string): unknown[] => {
      const { changed, before } = variables.findLast((one) => one.name === name)!;
      return [changed, before];
    };
    assert.deepEqual(of('small'), [true, '5']);
    assert.deepEqual(of('owner'), [true, `0x${'0'.repeat(40)}`]);
    assert.deepEqual(of('Base.hidden'), [false, undefined]);
    assert.deepEqual(of('short'), [true, '""']);
    assert.deepEqual(of('list'), [true, undefined]);
    assert.deepEqual(of('balances'), [true, undefined]);
    assert.deepEqual(of('fixedOnes'), [true, undefined]);
  });

  it('is that of the step', () => {
    const { stepsAt, variables } = atEnd();
    const flags = ['flag = true', 'small = 200', 'flag = false'].map((line) => {
      const [step] = stepsAt(`        ${line};`);
      return variables.at(step!).evaluate('flag').value;
    });
    assert.deepEqual(flags, ['false', 'true', 'true']);
  });

  it('has the variables of two contracts of one name apart', () => {
    const { variables, recording } = atEnd();
    const state = variables.at(recording.steps - 1, 0);
    const hidden = state.list('state').variables.filter(({ name }) => name.endsWith('.hidden'));
    assert.deepEqual(
      hidden.map(({ expression, value }) => [expression, value, state.evaluate(expression!).value]),
      [
        ['Base.hidden', '0', '0'],
        ['Store.hidden', '1000', '1000'],
      ],
    );
  });

  it('reads long lists by pages', () => {
    const { variables, recording } = atEnd();
    const state = variables.at(recording.steps - 1, 0);
    const { variables: page, total } = state.children('state:list', 2, 3);
    assert.deepEqual([shown(page), total], [['[2] = 20', '[3] = 30', '[4] = 40'], 6]);
    assert.deepEqual(state.children('state:list', 6, 3).variables, []);
  });

  it('does not invent slots that the transaction did not touch, and names them', () => {
    const debugged = debug(RUN);
    const state = debugged.variables.at(debugged.recording.steps - 1, 0);
    const { unavailable } = state.evaluate('fixedOnes[0]');
    assert.equal(unavailable, undefined);
    assert.match(
      state.evaluate('balances[0x00000000000000000000000000000000000000dd]').unavailable!,
      /^the transaction does not touch the slot 0x[0-9a-f]{64} of 0x(c1){20}: its value is not read$/,
    );
  });

  it('says so where the encoding of a text is invalid', () => {
    for (const [word, message] of [
      [
        0x40n,
        'the slot holds 0x0000000000000000000000000000000000000000000000000000000000000040, which is not an encoding of bytes',
      ],
      [
        0x21n,
        'the slot holds 0x0000000000000000000000000000000000000000000000000000000000000021, which is not an encoding of bytes',
      ],
    ] as const) {
      const { variables, contracts } = debug({ ...RUN, storage: new Map() });
      const { storage } = contracts['Store']!.deployed.program.layout!;
      const { slot } = storage.find(({ label }) => label === 'short')!;
      const broken = debug({ ...RUN, storage: new Map([[BigInt(slot), word]]) });
      assert.equal(broken.variables.at(0, 0).evaluate('short').unavailable, message);
      assert.match(variables.at(0, 0).evaluate('short').unavailable!, /does not touch/);
    }
  });

  it('has immutables of a contract that was created', () => {
    const created = debug({ ...RUN, call: undefined!, creation: { types: '', values: [] } });
    const state = created.at('constructor()');
    assert.equal(state.evaluate('creator').unavailable, 'it is set as the contract is created');
  });

  it('is unknown without a layout and a syntax tree', () => {
    const { variables } = atEnd({
      facts: (facts) => ({ ...facts, trees: new Map(), layout: undefined }),
    });
    assert.deepEqual(variables.at(0, 0).list('state'), {
      variables: [],
      total: 0,
      unavailable: 'neither its storage layout nor its syntax tree is known',
    });
  });
});
