import assert from 'node:assert/strict';
import { Interface, type EventFragment, type FunctionFragment } from 'ethers';
import { ContractInterface, isReadable } from '../../../../server/analysis/contract-interface';
import type { Candidate } from '../../../../server/analysis/decoding/signature-candidates';
import { decodeCall, decodeCreation } from '../../../../server/analysis/decoding/call';
import type { AbiItem } from '../../../../server/api/abi';
import type { DecodeSource } from '../../../../server/api/decoding';
import type { Hash, Hex } from '../../../../server/api/primitives';
import { abi, account, frame, word } from '../../../support/analysis';

const fragments = (...items: string[]): Candidate<FunctionFragment>[] => from('artifact', ...items);
const from = (source: DecodeSource, ...items: string[]): Candidate<FunctionFragment>[] =>
  items.map((item) => ({
    fragment: new Interface([item]).fragments[0] as FunctionFragment,
    source,
  }));
const encode = (item: string, args: unknown[]): Hex => {
  const one = new Interface([item]);
  return one.encodeFunctionData(one.fragments[0] as FunctionFragment, args) as Hex;
};
const TRANSFER = 'function transfer(address to, uint256 value) returns (bool)';
const input = encode(TRANSFER, [account(0xc), 5n]);

describe('decodeCall', () => {
  it('decodes arguments and output', () => {
    assert.deepEqual(decodeCall(frame({ input, output: word(1) }), fragments(TRANSFER)), {
      name: 'transfer',
      signature: 'transfer(address,uint256)',
      callParams: [
        { name: 'to', type: 'address', value: account(0xc) },
        { name: 'value', type: 'uint256', value: '5' },
      ],
      returnParams: [{ name: '', type: 'bool', value: 'true' }],
      constructorArguments: '',
      source: 'artifact',
    });
  });

  it('leaves the return parameters empty if the output does not have their types', () => {
    for (const output of ['0x', word(2), `${word(1)}00`] as Hex[]) {
      const decoded = decodeCall(frame({ input, output }), fragments(TRANSFER));
      assert.equal(decoded?.name, 'transfer');
      assert.deepEqual(decoded.returnParams, []);
    }
  });

  it('does not read the error of a failed frame as an output', () => {
    const failed = frame({ input, output: word(1), error: 'execution reverted' });
    assert.deepEqual(decodeCall(failed, fragments(TRANSFER))?.returnParams, []);
  });

  it('rejects data that does not re-encode to the same bytes', () => {
    const selector = input.slice(0, 10);
    for (const [what, data] of [
      ['too short', `${selector}${word(1).slice(2)}`],
      ['dirty address', `${selector}${'ff'.repeat(32)}${word(5).slice(2)}`],
      ['nothing', selector],
    ]) {
      assert.equal(decodeCall(frame({ input: data as Hex }), fragments(TRANSFER)), null, what);
    }
  });

  it('rejects a bare selector that is followed by data, and text that is not UTF-8', () => {
    const start = fragments('function start()');
    const database = from('4byte', 'function start()');
    assert.equal(decodeCall(frame({ input: '0xbe9a655500' }), database), null);
    assert.equal(decodeCall(frame({ input: '0xbe9a6555' }), start)?.signature, 'start()');
    const say = 'function say(string text)';
    const broken = encode(say, ['ab']).replace('6162', 'ff62') as Hex;
    assert.equal(decodeCall(frame({ input: broken }), fragments(say)), null);
  });

  it('decodes quickly despite signatures of excessive sizes', () => {
    const zeros = word(0).slice(2);
    const pointer = word(32).slice(2);
    const one = word(1).slice(2);
    // Each of the 64 items of an array refers to the array itself.
    const itself = word(64).slice(2) + word(0).slice(2).repeat(64);
    for (const [type, data] of [
      ['uint256[1000000000]', zeros],
      ['uint256[1000000000][]', pointer + one + zeros],
      ['uint256[30000][30000][30000]', zeros],
      ['uint256[0][1000000000]', zeros],
      ['(uint256[1000000000],bytes)', pointer + zeros],
      ['string[1000000000]', pointer + zeros],
      [`string${'[]'.repeat(12)}`, pointer + itself],
    ] as const) {
      const item = `function f(${type} x)`;
      const selector = new Interface([item]).getFunction('f')?.selector;
      const decoded = decodeCall(frame({ input: `${selector}${data}` as Hex }), fragments(item));
      assert.equal(decoded, null, type);
    }
    const empty = 'function f(uint256[1000000000][] x)';
    assert.deepEqual(
      decodeCall(frame({ input: encode(empty, [[]]) }), fragments(empty))?.callParams,
      [{ name: 'x', type: 'uint256[1000000000][]', value: '[]' }],
    );
  });

  it('uses the first fragment that fits, and prefers one that also fits the output', () => {
    const bare = 'function transfer(address recipient, uint256 amount)';
    const both = fragments(TRANSFER, bare);
    const names = (output: Hex) =>
      decodeCall(frame({ input, output }), both)?.callParams.map(({ name }) => name);
    assert.deepEqual(names(word(1)), ['to', 'value']);
    assert.deepEqual(names('0x'), ['recipient', 'amount']);
    assert.deepEqual(names(word(9)), ['to', 'value']);
  });

  it('uses the best source that fits, whatever its output, and offers other signatures', () => {
    // Both have the selector 0x42966c68.
    const burn = 'function burn(uint256 amount) returns (bool)';
    const collision = 'function collate_propagate_storage(bytes16 data)';
    const data = encode(burn, [5n << 128n]);
    const decoded = decodeCall(frame({ input: data }), [
      ...from('sourcify', burn),
      ...from('4byte', collision, 'function burn(uint256)'),
    ]);
    assert.equal(decoded?.source, 'sourcify');
    assert.equal(decoded.signature, 'burn(uint256)');
    assert.deepEqual(decoded.returnParams, []);
    assert.deepEqual(decoded.alternatives, [
      { signature: 'collate_propagate_storage(bytes16)', source: '4byte' },
    ]);
    // The bytes16 is followed by nonzero bytes: no other signature fits.
    const dirty = decodeCall(frame({ input: encode(burn, [5n]) }), [
      ...from('4byte', collision),
      ...from('packages', burn),
    ]);
    assert.equal(dirty?.source, 'packages');
    assert.equal('alternatives' in dirty, false);
  });

  it('formats tuples and arrays with canonical types', () => {
    const item = 'function f((address to, uint256[2] amounts)[] calls, uint data)';
    const decoded = decodeCall(
      frame({ input: encode(item, [[[account(1), [1n, 2n]]], 3n]) }),
      fragments(item),
    );
    assert.equal(decoded?.signature, 'f((address,uint256[2])[],uint256)');
    assert.deepEqual(decoded.callParams, [
      {
        name: 'calls',
        type: '(address,uint256[2])[]',
        value: `[{"to":"${account(1)}","amounts":["1","2"]}]`,
      },
      { name: 'data', type: 'uint256', value: '3' },
    ]);
  });
});

describe('decodeCreation', () => {
  const creation = {
    name: 'Vault',
    interface: abi('constructor(address owner, uint256 limit)'),
    argumentsOffset: 4,
  };

  it('decodes the arguments after the creation code', () => {
    const args = `${word(account(0xc)).slice(2)}${word(9).slice(2)}`;
    assert.deepEqual(
      decodeCreation(frame({ type: 'CREATE', input: `0x60806040${args}` }), creation),
      {
        name: 'constructor',
        signature: 'constructor(address,uint256)',
        callParams: [
          { name: 'owner', type: 'address', value: account(0xc) },
          { name: 'limit', type: 'uint256', value: '9' },
        ],
        returnParams: [],
        constructorArguments: `0x${args}`,
        source: 'built-in',
      },
    );
  });

  it('rejects arguments of other types, and accepts an empty list', () => {
    assert.equal(decodeCreation(frame({ type: 'CREATE', input: '0x6080604000' }), creation), null);
    const plain = { ...creation, interface: abi('function f()') };
    const decoded = decodeCreation(frame({ type: 'CREATE', input: '0x60806040' }), plain);
    assert.equal(decoded?.signature, 'constructor()');
    assert.equal(decoded.constructorArguments, '0x');
  });
});

describe('decodeCall with many candidates', () => {
  it('keeps the best source although a worse one fits the output as well', () => {
    const bare = 'function transfer(address recipient, uint256 amount)';
    const decoded = decodeCall(frame({ input }), [
      ...from('artifact', TRANSFER),
      ...from('packages', bare),
    ]);
    assert.equal(decoded?.source, 'artifact');
    assert.deepEqual(
      decoded.callParams.map(({ name }) => name),
      ['to', 'value'],
    );
  });

  it('offers up to five other signatures, each once', () => {
    const items = ['f', 'a', 'a', 'b', 'c', 'd', 'e', 'g'].map(
      (name) => `function ${name}(address to, uint256 value)`,
    );
    const decoded = decodeCall(frame({ input }), fragments(...items));
    assert.equal(decoded?.name, 'f');
    assert.deepEqual(
      decoded.alternatives,
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({
        signature: `${name}(address,uint256)`,
        source: 'artifact',
      })),
    );
  });
});

describe('ContractInterface', () => {
  const EVENT = 'event Moved(address indexed to)';
  const all = abi(
    'function f(uint256 x)',
    'error Refused(uint256 x)',
    EVENT,
    'event Hidden(address to) anonymous',
    'constructor(address owner)',
    'fallback()',
    'function g(Library.Type x)',
    'function g(',
  );
  const one = (item: string) => new Interface([item]);
  const topicOf = (item: string) => one(item).fragments[0] as EventFragment;

  it('keeps its items under another source', () => {
    for (const [from, source] of [
      [all, 'built-in'],
      [all.as('user'), 'user'],
    ] as const) {
      assert.equal(from.source, source);
      assert.equal(from.functions('0xb3de648b')[0]?.format(), 'f(uint256)');
      const refused = one('error Refused(uint256 x)').getError('Refused')!.selector as Hex;
      assert.equal(from.errors(refused)[0]?.name, 'Refused');
      assert.equal(from.events(topicOf(EVENT).topicHash as Hash)[0]?.name, 'Moved');
      assert.deepEqual(
        from.constructorInputs.map(({ name }) => name),
        ['owner'],
      );
    }
  });

  it('omits anonymous events and items that cannot be read', () => {
    const hidden = topicOf('event Hidden(address to)').topicHash as Hash;
    assert.deepEqual(all.events(hidden), []);
    assert.deepEqual(all.functions('0xe420264a'), []);
    assert.deepEqual(abi('function f()').constructorInputs, []);
    const item = (type: string) => ({ type: 'function', name: 'f', inputs: [{ type, name: 'x' }] });
    assert.deepEqual(
      ['uint256', 'Library.Type'].map((type) => isReadable(item(type) as AbiItem)),
      [true, false],
    );
  });

  it('keeps functions of the same selector in order', () => {
    const two = abi('function f(uint256 x)', 'function f(uint256 y) returns (bool)');
    assert.deepEqual(
      two.functions('0xb3de648b').map(({ inputs }) => inputs[0]?.name),
      ['x', 'y'],
    );
  });

  it('reads shapes of functions under their selectors', () => {
    const shapes = ContractInterface.fromShapes([
      { selector: '0x12345678', types: 'address,(uint256,bytes)[]' },
      { selector: '0x87654321', types: 'what' },
    ]);
    assert.equal(shapes.source, '4byte');
    assert.equal(shapes.functions('0x12345678')[0]?.format(), 'shape(address,(uint256,bytes)[])');
    assert.deepEqual(shapes.functions('0x87654321'), []);
  });
});
