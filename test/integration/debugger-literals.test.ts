import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from '../support/debug-session';
import { useDebugger, useWorkspaceContract } from './debugger-suite';

const SHAPES = `pragma solidity ^0.8.0;
contract Shapes {
    struct Point { uint128 x; uint128 y; }
    struct Line { Point from; Point to; string name; }
    uint128 public factor = 3;
    bool done;
    function run() external { factor = 5; done = true; }
    function middle(Line memory line) public view returns (Point memory) {
        return Point((line.from.x + line.to.x) * factor, (line.from.y + line.to.y) * factor);
    }
    function sum(uint128[2] memory values) public view returns (uint128) {
        return (values[0] + values[1]) * factor;
    }
}
`;

describe('arrays and structs that are written in the debug console', () => {
  const suite = useDebugger();
  useWorkspaceContract(suite, 'Shapes', SHAPES);
  let debug: DebugSession;
  let frameId: number;
  beforeEach(async () => {
    debug = suite.debug;
    await debug.move('next'); // after the first statement
    frameId = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!.id;
  });

  const evaluate = async (
    expression: string,
    context = 'repl',
  ): Promise<DebugProtocol.EvaluateResponse['body']> =>
    (await debug.evaluateRequest({ expression, frameId, context })).body;

  for (const context of ['repl', 'watch', 'hover']) {
    it(`are evaluated and given to functions, which run on the state of the step (${context})`, async () => {
      for (const [expression, value] of [
        ['sum([uint128(1), 2])', '15'],
        ['middle(Line(Point(1, 2), Point({x: 3, y: 4}), "way"))', '{x: 20, y: 30}'],
        ['middle({line: Line({name: "", to: Point(1, 1), from: Point(0, 0)})}).y', '5'],
        ['[factor, 300][0] == Point(5, 6).x', 'true'],
        ['[[1, 2], [3, 4]][1]', '[3, 4]'],
      ] as const) {
        assert.equal((await evaluate(expression, context)).result, value, expression);
      }
    });
  }

  it('are expanded', async () => {
    const { type, variablesReference } = await evaluate('Line(Point(1, 2), Point(3, 4), "way")');
    assert.equal(type, 'Shapes.Line');
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    assert.deepEqual(
      variables.map(({ name, value }) => `${name} = ${value}`),
      ['from = {x: 1, y: 2}', 'to = {x: 3, y: 4}', 'name = "way"'],
    );
  });

  it('are refused with what is accepted', async () => {
    await assert.rejects(
      evaluate('sum([1, 2])'),
      /the literal \[1, 2\] of uint8\[2\] is not of type uint128\[2\]; accepted are elements of the type uint128/,
    );
    await assert.rejects(
      evaluate('Point(1)'),
      /Point\(1\) gives 1 of 2 members; accepted are values of x, y/,
    );
  });
});
