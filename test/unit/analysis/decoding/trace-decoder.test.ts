import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import { ContractInterface } from '../../../../server/analysis/contract-interface';
import type { Contract, Identification } from '../../../../server/analysis/ports';
import { TraceDecoder } from '../../../../server/analysis/decoding/trace-decoder';
import type { Hex } from '../../../../server/api/primitives';
import { abi, account, frame, identification, word } from '../../../support/analysis';
import { invocations } from '../../../support/invocations';

describe('TraceDecoder', () => {
  const PAY = 'function pay(uint256 x)';
  const input = new Interface([PAY]).encodeFunctionData('pay', [7]) as Hex;
  const [CALLEE, TOKEN] = [account(0xb0b), account(0x70)];
  const decode = (root: CallFrame, known: Identification) =>
    new TraceDecoder(known).decodeCall(root);

  it('decodes a call of a precompile only where no code replaces it', () => {
    const identity = account(4);
    const at = (code: Hex | undefined, facts: Partial<CallFrame> = {}) => {
      const to = facts.to === undefined ? identity : facts.to;
      const known = identification(to === null || code === undefined ? {} : { [to]: { code } });
      const called = frame({ to, input: word(7), output: word(7), ...facts });
      const decoder = new TraceDecoder(known);
      return [decoder.isBuiltIn(called), decoder.decodeCall(called)?.name];
    };
    assert.deepEqual(at('0x'), [true, 'identity']);
    assert.deepEqual(at('0x60'), [false, undefined]);
    assert.deepEqual(at(undefined), [false, undefined]);
    assert.deepEqual(at('0x', { to: CALLEE }), [false, undefined]);
    assert.deepEqual(at('0x', { type: 'CREATE' }), [false, undefined]);
    assert.deepEqual(at('0x', { to: null }), [false, undefined]);
    const called = frame({ to: identity, input: word(7), output: word(7) });
    const [invocation] = invocations(called, identification({ [identity]: { code: '0x' } }));
    assert.deepEqual(
      [invocation?.selector, invocation?.methodDecoded, invocation?.decodedMethod?.name],
      ['fallback', true, 'identity'],
    );
  });

  it('decodes no self-destruction, no creation and no short data as a call', () => {
    const known = identification({ [CALLEE]: { interface: abi(PAY) } });
    const shapes = ContractInterface.fromShapes([
      { selector: input.slice(0, 10) as Hex, types: 'uint256' },
    ]);
    const decoder = new TraceDecoder({ ...known, shapes });
    for (const type of ['SELFDESTRUCT', 'CREATE', 'CREATE2'] as const) {
      assert.equal(decoder.decodeCall(frame({ type, input })), null, type);
    }
    assert.equal(decoder.decodeCall(frame({ input: '0xa9' })), null);
    assert.equal(decoder.guessParams(frame({ type: 'CREATE', input })), undefined);
    assert.equal(decoder.guessParams(frame({ input: '0xa9' })), undefined);
    assert.equal(decoder.guessParams(frame({ input }))?.[0]?.value, '7');
  });

  it('prefers a verified interface, then the user’s, then a built-in one', () => {
    const item = (name: string) => [`function pay(uint256 ${name})`];
    const verified = ContractInterface.fromAbi(item('verified'), 'sourcify');
    const given = ContractInterface.fromAbi(item('given'), 'user');
    const builtIn = ContractInterface.fromAbi(item('builtIn'));
    const name = (contract: Contract) =>
      decode(frame({ input }), identification({ [CALLEE]: contract }))?.callParams[0]?.name;
    assert.equal(name({ interface: verified, given }), 'verified');
    assert.equal(name({ interface: builtIn, given }), 'given');
    assert.equal(name({ given }), 'given');
    assert.equal(name({ interface: builtIn }), 'builtIn');
  });

  it('looks a function up in the facets of its contract', () => {
    const known = identification({
      [CALLEE]: { facets: [account(1), account(2)] },
      [account(2)]: { interface: abi(PAY) },
    });
    assert.equal(decode(frame({ input }), known)?.name, 'pay');
  });

  it('distinguishes functions of the same signature by their outputs', () => {
    const two = abi('function pay(uint256 a)', 'function pay(uint256 b) returns (bool)');
    const known = identification({ [CALLEE]: { interface: two } });
    const param = (output: Hex) => decode(frame({ input, output }), known)?.callParams[0]?.name;
    assert.equal(param(word(1)), 'b');
    assert.equal(param('0x'), 'a');
  });

  it('looks functions and events of equal names up by contract', () => {
    const known = identification({
      [CALLEE]: { interface: abi('function pay(uint256 mine)') },
      [TOKEN]: { interface: abi('function pay(uint256 others)') },
    });
    const items = [frame({ to: TOKEN, input }), frame({ input })];
    assert.deepEqual(
      invocations(frame({ input, items }), known).map(
        (one) => one.decodedMethod?.callParams[0]?.name,
      ),
      ['mine', 'others', 'mine'],
    );
  });

  it('decodes calls in the arguments by the interface of their addressee', () => {
    const execute = 'function execute(address to, uint256 value, bytes data)';
    const known = identification({
      [CALLEE]: { interface: abi(execute) },
      [TOKEN]: { interface: abi(PAY) },
    });
    const outer = new Interface([execute]).encodeFunctionData('execute', [TOKEN, 0, input]) as Hex;
    const [, , data] = decode(frame({ input: outer }), known)?.callParams ?? [];
    assert.deepEqual(
      data?.nested?.map(({ to, name, callParams }) => [to, name, callParams[0]?.value]),
      [[TOKEN, 'pay', '7']],
    );
  });

  it('names a creation by verified sources only with an interface and the arguments', () => {
    const args = word(7).slice(2);
    const created = frame({ type: 'CREATE', to: TOKEN, input: `0x6080${args}` });
    const known = (contract: Contract) => decode(created, identification({ [TOKEN]: contract }));
    const constructed = abi('constructor(uint256 cap)');
    assert.equal(known({ interface: constructed }), null);
    assert.equal(known({ constructorArguments: args }), null);
    const found = known({ name: 'Vault', interface: constructed, constructorArguments: args });
    assert.equal(found?.signature, 'constructor(uint256)');
    assert.equal(decode(frame({ ...created, to: null }), identification()), null);
  });

  it('does not decode the value of a call whose value is unknown', () => {
    const [call] = invocations(frame({ isValueUnknown: true }));
    assert.equal(call?.value, '');
  });
});

describe('the arguments of an unknown function', () => {
  const PAY = 'function pay(uint256 x)';
  const input = new Interface([PAY]).encodeFunctionData('pay', [7]) as Hex;
  const shapes = ContractInterface.fromShapes([
    { selector: input.slice(0, 10) as Hex, types: 'uint256' },
  ]);

  it('are not guessed for a call that is decoded, or that reaches fallback', () => {
    const signed = { ...identification({}, [abi(PAY)]), shapes };
    const [decoded] = invocations(frame({ input }), signed);
    assert.deepEqual([decoded?.methodDecoded, decoded?.guessedParams], [true, undefined]);
    const other = identification({ [account(0xb0b)]: { code: '0x6001' } }, [abi(PAY)]);
    const [fallback] = invocations(frame({ input }), { ...other, shapes });
    assert.deepEqual(
      [fallback?.selector, fallback?.decodedMethod, fallback?.guessedParams],
      ['fallback', null, undefined],
    );
  });
});
