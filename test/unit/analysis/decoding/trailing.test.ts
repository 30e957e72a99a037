import assert from 'node:assert/strict';
import { concat, Interface, toUtf8Bytes, hexlify } from 'ethers';
import { decodingsOf } from '../../../../server/analysis/decoding/decodings';
import { ContractInterface } from '../../../../server/analysis/contract-interface';
import { TraceDecoder } from '../../../../server/analysis/decoding/trace-decoder';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { Contract } from '../../../../server/analysis/ports';
import type { Trailing } from '../../../../server/api/trailing';
import type { Hex } from '../../../../server/api/primitives';
import { abi, account, frame, identification } from '../../../support/analysis';
import { invocations } from '../../../support/invocations';

const TRANSFER = 'function transfer(address to, uint256 value) returns (bool)';
const encoded = new Interface([TRANSFER]).encodeFunctionData('transfer', [account(0xc), 5n]);
const [TOKEN, CALLER] = [account(0xb0b), account(0xa11)];
const SENDER = `0x5aa${'e'.repeat(37)}` as Hex;
/** The examples of ERC-8021. */
const BASE_APP = '0x62617365617070070080218021802180218021802180218021';
const REGISTRY = `0x${'cc'.repeat(20)}210502626173656170702c6d6f7270686f0e0180218021802180218021802180218021`;
const CBOR = '0xa161616762617365617070000b0280218021802180218021802180218021';

const followed = (...parts: string[]): Hex => concat([encoded, ...parts]) as Hex;
function trailing(
  data: Hex,
  contracts: Record<Hex, Contract> = {},
  facts: Partial<CallFrame> = {},
): Trailing[] | undefined {
  const known = identification({ [TOKEN]: { interface: abi(TRANSFER) }, ...contracts });
  const method = new TraceDecoder(known).decodeCall(frame({ input: data, ...facts }));
  assert.equal(method?.signature, 'transfer(address,uint256)');
  assert.deepEqual(
    method.callParams.map(({ value }) => value),
    [account(0xc), '5'],
  );
  return method.trailing;
}

describe('bytes after the arguments of a call', () => {
  it('are left out where there are none', () => {
    assert.equal(trailing(followed()), undefined);
  });

  it('are an attribution with its codes (ERC-8021)', () => {
    assert.deepEqual(trailing(followed(BASE_APP)), [
      { data: BASE_APP, kind: 'attribution', codes: ['baseapp'] },
    ]);
    assert.deepEqual(trailing(followed(REGISTRY)), [
      {
        data: REGISTRY,
        kind: 'attribution',
        codes: ['baseapp', 'morpho'],
        registry: { chainId: '8453', address: `0x${'cc'.repeat(20)}` },
      },
    ]);
    assert.deepEqual(trailing(followed(CBOR)), [
      { data: CBOR, kind: 'attribution', codes: ['baseapp'] },
    ]);
  });

  it('are unknown where an attribution is damaged', () => {
    for (const broken of [
      '0x80218021802180218021802180218021', // nothing before the mark
      '0xff0080218021802180218021802180218021', // longer codes than data
      `0x09${'80218021'.repeat(4)}`, // no such schema
      '0xa1616167626173650000ff0280218021802180218021802180218021', // longer CBOR than data
      '0xbb00000000ffffffff00090280218021802180218021802180218021', // more entries than data
    ]) {
      assert.deepEqual(trailing(followed(broken)), [{ data: broken, kind: 'unknown' }], broken);
    }
  });

  it('have codes without control and bidirectional characters', () => {
    const code = '0x61ff0a1b62'.replace('ff', '85');
    const suffix = concat([code, '0x0500', '0x80218021802180218021802180218021']);
    assert.deepEqual(trailing(followed(suffix))?.[0]?.codes, ['ab']);
  });

  it('are the sender of a forwarder (ERC-2771)', () => {
    const execute =
      'function execute((address from, address to, uint256 value, uint256 gas, uint48 deadline, bytes data, bytes signature) request) payable';
    const trusted = 'function isTrustedForwarder(address forwarder) view returns (bool)';
    const part = { data: SENDER, kind: 'sender', sender: SENDER } as const;
    assert.deepEqual(trailing(followed(SENDER)), [{ ...part, isGuess: true }]);
    const contracts = {
      [CALLER]: { interface: abi(execute) },
      [TOKEN]: { interface: abi(TRANSFER, trusted) },
    };
    assert.deepEqual(trailing(followed(SENDER), contracts), [part]);
    // By the code alone; the implementation of a proxy trusts the forwarder.
    assert.deepEqual(
      trailing(followed(SENDER), {
        [CALLER]: { code: '0x60df905caf14' },
        [TOKEN]: { interface: abi(TRANSFER), implementation: account(7) },
        [account(7)]: { code: '0x63572b6c0514' },
      }),
      [part],
    );
    assert.deepEqual(trailing(followed(BASE_APP, SENDER), contracts), [
      { data: BASE_APP, kind: 'attribution', codes: ['baseapp'] },
      part,
    ]);
    assert.deepEqual(trailing(followed(SENDER, BASE_APP), contracts), [
      part,
      { data: BASE_APP, kind: 'attribution', codes: ['baseapp'] },
    ]);
  });

  it('are the immutable arguments of a clone, with the interface of its implementation', () => {
    const args = `0x${'ab'.repeat(20)}0000000000000064`;
    const tail = concat([args, '0x001e']); // with the two bytes of the length
    const implementation = account(0x1399);
    const input = followed(tail);
    const delegated = frame({ type: 'DELEGATECALL', from: TOKEN, to: implementation, input });
    const code = `0x3d3d3d3d363d3d3761003e60373661003e${args.slice(2)}` as Hex;
    const root = frame({ input: followed(), items: [delegated] });
    const contracts = { [TOKEN]: { code }, [implementation]: { interface: abi(TRANSFER) } };
    const [outer, inner] = invocations(root, identification(contracts));
    assert.deepEqual(
      [outer?.selector, outer?.decodedMethod?.name, outer?.decodedMethod?.trailing],
      ['0xa9059cbb', 'transfer', undefined],
    );
    const part = { data: tail, kind: 'clone-arguments' };
    assert.deepEqual(inner?.decodedMethod?.trailing, [part]);
    const unknownClone = identification({ [implementation]: { interface: abi(TRANSFER) } });
    assert.deepEqual(invocations(root, unknownClone)[1]?.decodedMethod?.trailing, [
      { ...part, isGuess: true },
    ]);
    // Others write the length of the arguments alone.
    const other = concat([args, '0x001c']) as Hex;
    assert.deepEqual(trailing(followed(other)), [
      { data: other, kind: 'clone-arguments', isGuess: true },
    ]);
  });

  it('are text, or any other bytes', () => {
    const text = hexlify(toUtf8Bytes('paid by a friend\u202e'));
    assert.deepEqual(trailing(followed(text)), [
      { data: text, kind: 'text', text: 'paid by a friend' },
    ]);
    assert.deepEqual(trailing(followed('0x00ff01')), [{ data: '0x00ff01', kind: 'unknown' }]);
    assert.deepEqual(trailing(followed(`0x${'00'.repeat(20)}`)), [
      { data: `0x${'00'.repeat(20)}`, kind: 'unknown' },
    ]);
  });

  it('do not make a signature fit that its selector alone supports', () => {
    const decodes = (data: Hex, item: string) => {
      const database = ContractInterface.fromAbi([item], '4byte');
      return new TraceDecoder(identification({}, [database])).decodeCall(frame({ input: data }));
    };
    const junk = `0x${'7f'.repeat(64)}`;
    assert.equal(decodes(followed(junk), TRANSFER), null);
    assert.equal(decodes(concat(['0xbe9a6555', junk]) as Hex, 'function start()'), null);
    assert.equal(decodes(followed('0x01ff'), TRANSFER)?.name, 'transfer');
    assert.equal(
      decodes(concat(['0xbe9a6555', BASE_APP]) as Hex, 'function start()')?.name,
      'start',
    );
  });

  it('are those of data without a transaction, after the decodings that fit wholly', () => {
    const known = {
      ...identification({}),
      signatures: [ContractInterface.fromAbi([TRANSFER], 'built-in')],
    };
    const [decoding] = decodingsOf(followed(BASE_APP), known, null);
    assert.equal(decoding?.params?.[1]?.value, '5');
    assert.deepEqual(decoding.trailing, [
      { data: BASE_APP, kind: 'attribution', codes: ['baseapp'] },
    ]);
    const [bare] = decodingsOf('0xa9059cbb', known, null);
    assert.deepEqual([bare?.params, bare?.trailing], [null, undefined]);
  });
});

describe('messages in call data', () => {
  const received = (text: string, contract: Contract) =>
    invocations(
      frame({ input: hexlify(toUtf8Bytes(text)) as Hex }),
      identification({ [TOKEN]: contract }),
    )[0]?.message;

  it('are text in UTF-8, in one line, without control and bidirectional characters', () => {
    const account = { code: '0x' } as const;
    assert.equal(received('gm', account), 'gm');
    assert.equal(received('Grüße aus 東京 🗼', account), 'Grüße aus 東京 🗼');
    assert.equal(received('two\nlines\u202e!', account), 'two lines!');
    assert.equal(received('bell\u0007', account), undefined);
    assert.equal(received('c1\u009b31m', account), undefined);
    assert.equal(received('\0\0\0\0', account), undefined);
    assert.equal(received('', account), undefined);
  });

  it('are longer where a contract receives them, and no decoded call', () => {
    const code = '0x6001' as const;
    assert.equal(received('a message for the contract', { code }), 'a message for the contract');
    assert.equal(received('short', { code }), undefined);
    const known = identification({ [TOKEN]: { interface: abi(TRANSFER) } });
    assert.equal(invocations(frame({ input: followed() }), known)[0]?.message, undefined);
  });

  it('are no other bytes', () => {
    const [call] = invocations(
      frame({ input: '0xfffe61626364' }),
      identification({ [TOKEN]: { code: '0x' } }),
    );
    assert.equal(call?.message, undefined);
  });
});
