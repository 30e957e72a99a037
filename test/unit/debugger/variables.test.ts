import assert from 'node:assert/strict';
import { debug, shown, type Debugged, type Run } from './debugged';
import { CALLER, SENDER } from './record';
import { VERSIONS, type Settings } from './solidity';

const HELPER = `0x${'d2'.repeat(20)}`;

const TEXT = `
pragma solidity ^0.8.0;
contract Helper {
    uint256 public kept;
    function help(uint256 h) external returns (uint256 r) {
        kept = h;
        r = h + 1;
        require(r != 100, "hundred");
    }
}
contract Caller {
    struct Pair { uint256 x; uint256 y; }
    uint256 public count;
    Pair[] pairs;
    mapping(address => uint256) public balances;
    function run(uint256 a, Helper helper) public returns (uint256) {
        uint256 local = a + 1;
        uint256 back = middle(local, "text", helper);
        balances[msg.sender] += back;
        uint8 dirty = uint8(a + 0x100);
        count = back + dirty;
        { uint256 a = 77; count += a; }
        this.count();
        this.balances(msg.sender);
        return back;
    }
    function middle(uint256 m, string memory word, Helper helper) internal returns (uint256 out) {
        uint256 doubled = m * 2;
        pairs.push(Pair(m, doubled));
        out = helper.help(doubled) + bytes(word).length;
        out = changing(out) + constants(out, m);
    }
    function changing(uint256 c) internal returns (uint256) {
        c += 1;
        count = c;
        return c;
    }
    function constants(uint256 k, uint256 other) internal returns (uint256) {
        uint256 sum = k + other;
        count = sum;
        return sum;
    }
}`;

const RUN: Run = {
  text: TEXT,
  contract: 'Caller',
  call: 'function run(uint256, address)',
  values: [5, HELPER],
  others: { [HELPER]: 'Helper' },
  otherStorage: () => 0n,
};

const localsAt = (debugged: Debugged, line: string): string[] =>
  shown(debugged.at(line).list('locals').variables);

/** Names of the calls at a step, the innermost first. */
function callStack({ calls, variables }: Debugged, step: number): string[] {
  const names: string[] = [];
  for (
    let at: number | undefined = calls.callOf[step];
    at !== undefined;
    at = calls.calls[at]!.parent
  ) {
    names.push(variables.nameOf(at));
  }
  return names;
}

describe('the variables of a step', function () {
  const debugged = debug(RUN);

  it('are those of every call on the stack', () => {
    const [step] = debugged.stepsAt('r = h + 1;');
    const names = callStack(debugged, step!);
    assert.deepEqual(names, ['Helper.help', 'Caller.middle', 'Caller.run']);
    const { calls, callOf } = debugged.calls;
    const locals: string[][] = [];
    for (let at: number | undefined = callOf[step!]; at !== undefined; at = calls[at]!.parent) {
      locals.push(shown(debugged.variables.at(step!, at).list('locals').variables));
    }
    assert.deepEqual(locals, [
      ['h = 12', 'r = 0'],
      ['m = 6', 'word = "text"', `helper = ${HELPER}`, 'out = 0', 'doubled = 12'],
      ['a = 5', `helper = ${HELPER}`, 'local = 6'],
    ]);
  });

  it('are read in the frame of their call', () => {
    const [step] = debugged.stepsAt('r = h + 1;');
    const { callOf, calls } = debugged.calls;
    const middle = calls[callOf[step!]!]!.parent!;
    const at = debugged.variables.at(step!, middle);
    assert.equal(at.evaluate('pairs[0].y').value, '12');
    assert.equal(at.evaluate('msg.sender').value, SENDER);
    assert.equal(debugged.variables.at(step!).evaluate('msg.sender').value, CALLER);
    assert.equal(debugged.variables.at(step!).evaluate('kept').value, '12');
  });

  it('have arguments as they were at the entry', () => {
    const [step] = debugged.stepsAt('return c;');
    const at = debugged.variables.at(step!);
    assert.deepEqual(shown(at.list('locals').variables), ['c = 18']);
    assert.deepEqual(shown(at.arguments()!), ['c = 17']);
  });

  it('hide outer variables of the same name', () => {
    const at = debugged.at('{ uint256 a = 77;');
    assert.equal(at.evaluate('a').value, '5');
    const [, second] = debugged.stepsAt('{ uint256 a = 77;');
    assert.equal(second, undefined);
    const inner = debugged.recording.stores.findLast(({ after }) => after > 77n)!.step;
    assert.equal(debugged.variables.at(inner).evaluate('a').value, '77');
    assert.equal(
      debugged.variables
        .at(inner)
        .list('locals')
        .variables.filter(({ name }) => name === 'a').length,
      1,
    );
  });

  it('are without the bits that their type lacks', () => {
    const at = debugged.at('count = back + dirty;');
    assert.equal(at.evaluate('dirty').value, '5');
    assert.equal(at.evaluate('dirty + 1').value, '6');
  });

  it('have no locals while a function returns', () => {
    const { recording, calls, variables } = debugged;
    const middle = calls.calls.findIndex((_, index) => variables.nameOf(index) === 'Caller.middle');
    const { endStep } = calls.calls[middle]!;
    assert.equal(recording.at(endStep - 1).frame, 0);
    assert.deepEqual(variables.at(endStep - 1, middle).list('locals'), {
      variables: [],
      total: 0,
      unavailable: 'the function is returning and clears its variables',
    });
  });

  it('are refused for a call that is not on the stack, and for a step that does not exist', () => {
    const last = debugged.calls.calls.length - 1;
    assert.throws(() => debugged.variables.at(0, last), {
      name: 'RangeError',
      message: `the call is ${last}, which is not on the call stack of step 0`,
    });
    assert.throws(() => debugged.variables.at(-1), RangeError);
  });

  it('can be read at every step', () => {
    for (let step = 0; step < debugged.recording.steps; step += 7) {
      const at = debugged.variables.at(step);
      for (const scope of ['locals', 'state', 'message', 'block'] as const) {
        const { variables, total } = at.list(scope);
        assert.equal(variables.length, total);
      }
    }
  });

  it('name the functions of calls, with getters', () => {
    const names = debugged.calls.calls.map((_, index) => debugged.variables.nameOf(index));
    for (const name of [
      'Caller.run',
      'Caller.middle',
      'Caller.changing',
      'Caller.count',
      'Caller.balances',
    ]) {
      assert.ok(names.includes(name), name);
    }
  });
});

describe('names of external calls', function () {
  for (const version of VERSIONS) {
    it(`are known in Solidity ${version}`, () => {
      const text = `pragma solidity ^${version};
contract One {
    struct S { uint256 a; }
    enum E { A, B }
    function first(uint8 a, address b, bytes32[2] memory c, E e, One one) public returns (uint256) {
        return a + uint256(b) + c.length + uint256(e);
    }
}`.replace('uint256(b)', version.startsWith('0.8') ? 'uint256(uint160(b))' : 'uint256(b)');
      const { variables } = debug({
        text,
        version,
        contract: 'One',
        call: 'function first(uint8,address,bytes32[2],uint8,address)',
        values: [1, CALLER, [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`], 1, CALLER],
      });
      assert.equal(variables.nameOf(0), 'One.first');
    });
  }
});

describe('variables of optimised code', function () {
  const optimized =
    'it was compiled with the optimizer, which moves and merges variables on the stack';

  it('are arguments that their function never assigns; others are unavailable', () => {
    const debugged = debug({ ...RUN, settings: { optimizer: { enabled: true, runs: 1 } } });
    assert.deepEqual(localsAt(debugged, 'count = sum;'), [
      'k = 17',
      'other = 6',
      `sum: ${optimized}`,
    ]);
    assert.deepEqual(localsAt(debugged, 'count = c;'), [`c: ${optimized}`]);
    assert.deepEqual(localsAt(debugged, 'pairs.push'), [
      'm = 6',
      'word = "text"',
      `helper = ${HELPER}`,
      `out: ${optimized}`,
      `doubled: ${optimized}`,
    ]);
  });

  for (const [how, settings, reason] of [
    [
      'via IR',
      { viaIR: true },
      'it was compiled via IR, which keeps no record of where variables are',
    ],
  ] as [string, Settings, string][]) {
    it(`are unavailable when compiled ${how}, with the reason`, () => {
      const debugged = debug({ ...RUN, settings });
      const { variables, unavailable } = debugged.at('doubled = m * 2').list('locals');
      assert.equal(unavailable, reason);
      assert.deepEqual(
        shown(variables),
        ['m', 'word', 'helper', 'out'].map((name) => `${name}: ${reason}`),
      );
      assert.equal(debugged.at('doubled = m * 2').evaluate('m + 1').unavailable, reason);
    });
  }

  it('are unavailable without a syntax tree, and without the settings of the compiler', () => {
    const without = (facts: Run['facts']): unknown =>
      debug({ ...RUN, facts: facts! })
        .at('doubled = m * 2')
        .list('locals').unavailable;
    assert.equal(
      without((facts) => ({ ...facts, trees: new Map() })),
      'the syntax tree of its source is not known: build the same code with solc 0.8.30 in a project of the workspace, by Hardhat, or by Foundry with ast = true',
    );
    assert.equal(
      without((facts) => ({ ...facts, compiler: undefined })),
      'the settings of its compiler are not known',
    );
  });
});

describe('what is known of a program', function () {
  it('may be damaged without an error', () => {
    const damaged: unknown[] = [
      null,
      'text',
      {},
      { nodeType: 'SourceUnit', src: '0:1:0' },
      { nodeType: 'SourceUnit', src: 'x', nodes: [] },
      {
        nodeType: 'SourceUnit',
        src: '0:5000:0',
        nodes: [
          null,
          {
            nodeType: 'ContractDefinition',
            src: '0:5000:0',
            id: 1,
            name: 'Caller',
            linearizedBaseContracts: [1, 2, 'x'],
            nodes: [
              { nodeType: 'VariableDeclaration', src: '1:2:0', stateVariable: true, name: 'x' },
              { nodeType: 'FunctionDefinition', src: '3:4000:0', parameters: 7 },
            ],
          },
        ],
      },
    ];
    for (const tree of damaged) {
      const { recording, variables } = debug({
        ...RUN,
        facts: (facts) => ({ ...facts, trees: new Map([[0, tree]]) }),
      });
      for (let step = 0; step < recording.steps; step += 50) {
        variables.at(step).list('locals');
        variables.at(step).list('state');
      }
    }
  });
});
