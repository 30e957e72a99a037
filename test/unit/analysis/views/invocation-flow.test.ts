import assert from 'node:assert/strict';
import { Interface, id } from 'ethers';
import { ContractInterface } from '../../../../server/analysis/contract-interface';
import type { Identification } from '../../../../server/analysis/ports';
import type { Hash, Hex } from '../../../../server/api/primitives';
import { abi, account, frame, identification, log, word } from '../../../support/analysis';
import { events, flowOf, invocations } from '../../../support/invocations';

describe('buildInvocationFlow', () => {
  it('numbers calls and events in execution order below an empty root', () => {
    const items = [
      log(account(1), [word(1)]),
      frame({ items: [log(account(2), [word(2)]), frame({})] }),
      log(account(1), [word(3)]),
    ];
    const { trace, dataMap } = flowOf(frame({ items }));
    const leaf = (nodeId: number, depth: number) => ({ id: nodeId, depth, children: [] });
    assert.deepEqual(trace, [
      {
        id: -1,
        depth: -1,
        children: [
          {
            id: 0,
            depth: 0,
            children: [
              leaf(1, 1),
              { id: 2, depth: 1, children: [leaf(3, 2), leaf(4, 2)] },
              leaf(5, 1),
            ],
          },
        ],
      },
    ]);
    assert.deepEqual(
      Object.keys(dataMap)
        .map(Number)
        .sort((a, b) => a - b),
      [-1, 0, 1, 2, 3, 4, 5],
    );
    assert.deepEqual(
      Object.values(dataMap).map(({ nodeType }) => nodeType),
      [0, 1, 0, 1, 0, 1, 0],
    );
    assert.deepEqual(dataMap['-1'], {
      nodeType: 0,
      invocation: {
        fromAddress: '',
        address: '',
        operation: '',
        value: '',
        callData: '',
        decodedMethod: null,
        methodDecoded: false,
        selector: '',
        gasUsed: 0,
        id: -1,
        output: '',
        status: false,
        revert: false,
        revertMessage: '',
        errorInfo: '',
      },
    });
  });

  it('contains a call that cannot be decoded', () => {
    assert.deepEqual(invocations(frame({ input: '0xdeadbeef01', value: 910n, output: '0x01' })), [
      {
        fromAddress: account(0xa11),
        address: account(0xb0b),
        operation: 'CALL',
        value: '0.00000000000000091',
        callData: '0x01',
        decodedMethod: null,
        methodDecoded: false,
        selector: '0xdeadbeef',
        gasUsed: 21_000,
        id: 0,
        output: '0x01',
        status: true,
        revert: false,
        revertMessage: '',
        errorInfo: '',
      },
    ]);
  });

  it('contains the whole data of a call that reaches fallback', () => {
    const [call] = invocations(
      frame({ input: '0xdeadbeef01' }),
      identification({ [account(0xb0b)]: { code: '0x' } }),
    );
    assert.equal(call?.selector, 'fallback');
    assert.equal(call.callData, '0xdeadbeef01');
    assert.equal(call.decodedMethod, null);
  });

  it('contains creations and self-destructions without a selector', () => {
    const items = [frame({ type: 'SELFDESTRUCT', from: account(1), to: account(2), value: 5n })];
    const root = frame({ type: 'CREATE', to: account(1), input: '0x6001', output: '0x00', items });
    const facts = invocations(root).map((one) => [
      one.operation,
      one.selector,
      one.callData,
      one.output,
      one.address,
    ]);
    assert.deepEqual(facts, [
      ['CREATE', '', '0x6001', '0x00', account(1)],
      ['SELFDESTRUCT', '', '0x', '', account(2)],
    ]);
  });

  it('leaves the address of a failed creation empty if it is unknown', () => {
    const root = frame({ items: [frame({ type: 'CREATE2', to: null, error: 'out of gas' })] });
    assert.equal(invocations(root)[1]?.address, '');
  });

  it('marks frames that were rolled back by themselves or by a caller', () => {
    const items = [
      frame({
        error: 'execution reverted',
        items: [frame({ items: [log(account(1), [word(1)])] }), frame({ error: 'out of gas' })],
      }),
      frame({}),
    ];
    const root = frame({ items });
    assert.deepEqual(
      invocations(root).map(({ status, revert, errorInfo }) => [status, revert, errorInfo]),
      [
        [true, false, ''],
        [false, true, 'execution reverted'],
        [true, true, ''],
        [false, true, 'out of gas'],
        [true, false, ''],
      ],
    );
    assert.deepEqual(
      events(root).map(({ status, revert }) => [status, revert]),
      [[false, true]],
    );
  });

  it('decodes by the callee, then its implementation, then signatures without an address', () => {
    const item = (name: string) => `function pay(uint256 ${name})`;
    const input = new Interface([item('x')]).encodeFunctionData('pay', [7]) as Hex;
    const nameBy = (known: Identification) =>
      invocations(frame({ input }), known)[0]?.decodedMethod?.callParams[0]?.name;
    const own = { [account(0xb0b)]: { interface: abi(item('own')), implementation: account(0xc) } };
    const rest = { [account(0xc)]: { interface: abi(item('behind')) } };
    const anyone = [abi(item('anyone')), abi(item('later'))];
    assert.equal(nameBy(identification({ ...own, ...rest }, anyone)), 'own');
    const bare = { [account(0xb0b)]: { implementation: account(0xc) } };
    assert.equal(nameBy(identification({ ...bare, ...rest }, anyone)), 'behind');
    assert.equal(nameBy(identification({}, anyone)), 'anyone');
    assert.equal(nameBy(identification()), undefined);
  });

  it('decodes a call of a proxy by the code that it was forwarded to', () => {
    const input = new Interface(['function pay(uint256 x)']).encodeFunctionData('pay', [7]) as Hex;
    const items = [frame({ type: 'DELEGATECALL', from: account(0xb0b), to: account(0xc), input })];
    const known = identification({ [account(0xc)]: { interface: abi('function pay(uint256 x)') } });
    const decoded = invocations(frame({ input, items }), known).map(
      (one) => one.decodedMethod?.name,
    );
    assert.deepEqual(decoded, ['pay', 'pay']);
  });

  it('shows arguments by types inferred from code if the function has no signature', () => {
    const shapes = ContractInterface.fromShapes([{ selector: '0x12345678', types: 'address' }]);
    const known = { ...identification(), shapes };
    const [fitting] = invocations(frame({ input: `0x12345678${word(7).slice(2)}` }), known);
    assert.equal(fitting?.methodDecoded, false);
    assert.deepEqual(fitting.guessedParams, [{ name: '', type: 'address', value: account(7) }]);
    const [other] = invocations(frame({ input: '0x12345678ff' }), known);
    assert.equal('guessedParams' in other!, false);
  });

  it('decodes a creation by the constructor arguments of its verified source', () => {
    const args = word(7).slice(2);
    const created = frame({ type: 'CREATE', to: account(0xc), input: `0x6080${args}` });
    const known = (constructorArguments: string) =>
      identification({
        [account(0xc)]: { interface: abi('constructor(uint256 cap)'), constructorArguments },
      });
    const [decoded] = invocations(created, known(args)).map((one) => one.decodedMethod);
    assert.deepEqual(decoded?.callParams, [{ name: 'cap', type: 'uint256', value: '7' }]);
    assert.equal(decoded.constructorArguments, word(7));
    assert.equal(invocations(created, known(word(8).slice(2)))[0]?.decodedMethod, null);
  });

  it('decodes an event under a proxy by the code that emitted it', () => {
    const topic = id('Paid(uint256)') as Hash;
    const items = [
      frame({
        type: 'DELEGATECALL',
        from: account(0xb0b),
        to: account(0xc),
        items: [log(account(0xb0b), [topic], word(7))],
      }),
    ];
    const known = identification({
      [account(0xc)]: { interface: abi('event Paid(uint256 amount)') },
    });
    assert.deepEqual(events(frame({ items }), known), [
      {
        contract: account(0xb0b),
        operation: 'EVENT',
        decodedLog: {
          name: 'Paid',
          signature: 'Paid(uint256)',
          params: [{ name: 'amount', type: 'uint256', value: '7' }],
          source: 'built-in',
        },
        logDecoded: true,
        logData: word(7),
        topics: [topic],
        id: 2,
        status: true,
        revert: false,
      },
    ]);
  });

  it('contains an empty decoding for an unknown event, and reads an event without topics', () => {
    const empty = { name: '', signature: '', params: [] };
    const items = [log(account(1), [word(1)]), log(account(1), [])];
    for (const event of events(frame({ items }))) {
      assert.deepEqual(event.decodedLog, empty);
      assert.equal(event.logDecoded, false);
    }
  });

  it('decodes a forwarded custom error by the interface of the contract below', () => {
    const output = new Interface(['error Sold(uint256 item)']).encodeErrorResult(
      'Sold',
      [7],
    ) as Hex;
    const failed = { output, error: 'execution reverted' };
    const root = frame({ ...failed, items: [frame({ ...failed, to: account(0xc) })] });
    const known = identification({
      [account(0xc)]: { interface: abi('error Sold(uint256 item)') },
    });
    assert.deepEqual(
      invocations(root, known).map(({ revertMessage }) => revertMessage),
      ['Sold(item: 7)', 'Sold(item: 7)'],
    );
  });

  it('uses the tracer’s revert reason if the data does not contain one', () => {
    const root = frame({ error: 'execution reverted', revertReason: 'no data kept' });
    assert.equal(invocations(root)[0]?.revertMessage, 'no data kept');
  });

  it('builds 100,000 frames in a few seconds', () => {
    const input = new Interface(['function pay(uint256 x)']).encodeFunctionData('pay', [7]) as Hex;
    let chain = frame({ input });
    for (let depth = 0; depth < 1000; depth++) chain = frame({ input, items: [chain] });
    const wide = Array.from({ length: 99_000 }, () => frame({ input }));
    const root = frame({ items: [chain, ...wide] });
    const { dataMap } = flowOf(root, identification({}, [abi('function pay(uint256 x)')]));
    assert.equal(Object.keys(dataMap).length, 100_003);
  });
});
