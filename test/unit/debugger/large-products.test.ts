import assert from 'node:assert/strict';
import type { CallFrame, Log } from '../../../server/analysis/call-frame';
import { SourceText } from '../../../server/contracts/sources/source-text';
import type {
  RecordedFrame,
  RecordedLog,
  Recording,
} from '../../../server/debugger/recording/recording';
import {
  contractAround,
  isFunctionType,
  isSilent,
} from '../../../server/debugger/recording/source-items';
import { Ast } from '../../../server/debugger/languages/solidity/variables/ast';
import { TreePlaces } from '../../../server/debugger/languages/solidity/variables/places-in-tree';
import { flowNodes } from '../../../server/debugger/session/flow-nodes';
import { frame } from '../../support/analysis';

/** Processor time of work that a stranger sized, which is not a second. */
function inTime<T>(work: () => T): T {
  const start = process.cpuUsage();
  const result = work();
  const { user } = process.cpuUsage(start);
  assert.ok(user < 1_500_000, `${user} µs`);
  return result;
}

describe('products of two sizes in the debugger', () => {
  it('are none of the places in a source and its declarations', () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `uint constant C${n} = ${n};\n`);
    const functions = Array.from({ length: 30_000 }, (_, n) => `function f${n}() internal {}\n`);
    const text = new SourceText('A.sol', `contract A {\n${[...lines, ...functions].join('')}}`);
    const found = inTime(() => {
      let silent = 0;
      let types = 0;
      let inside = 0;
      for (let at = 0; at < text.byteLength; at += 16) {
        if (isSilent(text, at)) silent++;
        if (isFunctionType(text, at)) types++;
        if (contractAround(text, at) === 'A') inside++;
      }
      return { silent: silent > 30_000, types, inside: inside > 60_000 };
    });
    assert.deepEqual(found, { silent: true, types: 0, inside: true });
  });

  it('are none of the places in code and the items of a syntax tree', () => {
    const count = 50_000;
    const nodes = Array.from({ length: count }, (_, n) => ({
      nodeType: 'FunctionDefinition',
      name: `f${n}`,
      id: n + 1,
      src: `${n * 10}:8:0`,
    }));
    const unit = { nodeType: 'SourceUnit', id: 0, src: `0:${count * 10}:0`, nodes };
    const map = { at: (offset: number) => ({ start: offset * 10 + 2, length: 3, file: 0 }) };
    const places = new TreePlaces(Ast.of(new Map([[0, unit]])), map as never);
    const names = inTime(() =>
      Array.from({ length: count }, (_, at) => places.at(at)?.node.json['name']),
    );
    assert.deepEqual([names[0], names[count - 1]], ['f0', `f${count - 1}`]);
    assert.equal(new Set(names).size, count);
    assert.equal(
      new TreePlaces(Ast.of(new Map([[0, unit]])), {
        at: () => ({ start: 8, length: 4, file: 0 }),
      } as never).at(0)?.node.nodeType,
      'SourceUnit',
      'between two items',
    );
  });

  it('are none of the contracts of a compilation and its syntax trees', () => {
    const trees = new Map([[0, { nodeType: 'SourceUnit', id: 0, src: '0:1:0', nodes: [] }]]);
    assert.equal(Ast.of(trees), Ast.of(trees));
    assert.notEqual(Ast.of(trees), Ast.of(new Map(trees)));
  });

  it('are none of the logs of a recording and those of a trace', () => {
    const address = `0x${'aa'.repeat(20)}`;
    const log = (byte: string): Log => ({ address, topics: [], data: `0x${byte}` }) as Log;
    const count = 130_000;
    const recorded = Array.from({ length: count }, (): RecordedLog => {
      return { frame: 0, step: 0, address, topics: [], data: Buffer.from([7]) };
    });
    const context = {
      kind: 'CALL',
      codeAddress: address,
      code: Buffer.alloc(0),
      input: Buffer.alloc(0),
    };
    const recording = {
      frames: [{ parent: undefined, context } as unknown as RecordedFrame],
      logs: recorded,
    } as unknown as Recording;
    const root = (items: readonly Log[]): CallFrame => frame({ to: address as never, items });
    const equal = Array.from({ length: count }, () => log('07'));
    const found = inTime(() => flowNodes(recording, root(equal)));
    assert.equal(found.ofLog.size, count);
    assert.equal(found.ofLog.get(count - 1), count);
    const others = Array.from({ length: count }, () => log('0707'));
    assert.equal(inTime(() => flowNodes(recording, root(others))).ofLog.size, 0);
  });
});
