import assert from 'node:assert/strict';
import {
  dataOfDocument,
  documentText,
  encodableOf,
  readDocument,
} from '../../../../extension/decoded-data/data-document';
import { isDataDocument } from '../../../../extension/decoded-data/data-mark';
import { emptyValue, encode, itemOf } from '../../../../extension/decoded-data/encode';
import { ApiError } from '../../../../server/api/errors';
import type { Decoding } from '../../../../server/api/decode';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TRANSFER = 'transfer(address to, uint256 amount)';
const DATA =
  '0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c800000000000000000000000000000000000000000000000000000000000003e8';
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.kind === 'invalidField' && message.test(error.message);

describe('a document of decoded data', () => {
  const reading: Pick<Decoding, 'kind' | 'signature' | 'declaration' | 'params'> = {
    kind: 'call',
    signature: 'transfer(address,uint256)',
    declaration: 'function transfer(address to, uint256 amount) returns (bool)',
    params: [
      { name: 'to', type: 'address', value: ALICE },
      { name: 'amount', type: 'uint256', value: '1000' },
    ],
  };

  it('shows the signature and each argument with its name and type', () => {
    const text = documentText(encodableOf(reading, DATA)!, ['call data of transfer']);
    assert.equal(
      text,
      `// Forklens: decoded data
// call data of transfer
{
  "signature": "transfer(address to, uint256 amount) returns (bool)",
  "arguments": [
    // to: address
    "${ALICE}",
    // amount: uint256
    "1000"
  ]
}
`,
    );
    assert.ok(isDataDocument(text.split('\n', 1)[0]!));
    assert.equal(dataOfDocument(text), DATA);
  });

  it('keeps the bytes after the arguments, also of a changed document', () => {
    const trailing = [{ kind: 'unknown' as const, data: '0x0102ff' as const }];
    const found = encodableOf({ ...reading, trailing }, `${DATA}0102ff`)!;
    const text = documentText(found, []);
    assert.equal(dataOfDocument(text), `${DATA}0102ff`);
    assert.equal(dataOfDocument(text.replace('"1000"', '"2000"')), `${DATA.slice(0, -3)}7d00102ff`);
    assert.equal(dataOfDocument(text.replace('0x0102ff', '0x')), DATA);
    assert.throws(() => readDocument(text.replace('0x0102ff', '0x1')), refused(/^trailing/));
    const plain = documentText({ signature: 'f()', values: [], trailing: '0x01' }, []);
    assert.equal(dataOfDocument(plain), '0x26121ff001');
  });

  it('encodes what the user changed', () => {
    const text = documentText({ signature: TRANSFER, values: [ALICE, '1000'] }, []);
    assert.equal(
      dataOfDocument(text.replace('"1000"', '2000, // more')),
      `${DATA.slice(0, -3)}7d0`,
    );
    assert.equal(dataOfDocument(text.replace('"1000"', '"0x3e8"')), DATA);
    assert.equal(
      dataOfDocument(text.replace('"1000"', '1000000000000000000')),
      `${DATA.slice(0, -16)}0de0b6b3a7640000`,
    );
  });

  it('keeps slashes and braces inside texts', () => {
    const text = documentText({ signature: 'name(string)', values: ['http://a.b/ {,} "q"'] }, []);
    assert.deepEqual(readDocument(text).values, ['http://a.b/ {,} "q"']);
  });

  it('shows structures as JSON, with their names', () => {
    const declaration =
      'function swap((address tokenIn, uint256[] amounts) params, bool exact) payable';
    const signature = 'swap((address,uint256[]),bool)';
    const values = [{ tokenIn: ALICE, amounts: ['1', '2'] }, 'true'];
    const data = encode(itemOf(declaration.replace('function ', '')), values);
    const params = [
      { name: 'params', type: '(address,uint256[])', value: JSON.stringify(values[0]) },
      { name: 'exact', type: 'bool', value: 'true' },
    ];
    const encodable = encodableOf({ kind: 'call', signature, declaration, params }, data)!;
    assert.deepEqual(encodable.values, values);
    const text = documentText(encodable, []);
    assert.match(text, /"tokenIn": "0x7099/);
    assert.equal(dataOfDocument(text), data);
  });

  it('leaves out names that Solidity does not allow', () => {
    const declaration = 'function transfer(address address, uint256 amount)';
    const { signature } = encodableOf({ ...reading, declaration }, DATA)!;
    assert.equal(signature, 'transfer(address,uint256)');
  });

  it('is not made of a reading that does not encode to the data', () => {
    assert.equal(encodableOf({ ...reading, params: null }, DATA), undefined);
    assert.equal(encodableOf(reading, `${DATA}00`), undefined);
    assert.equal(encodableOf({ ...reading, kind: 'event' }, DATA), undefined);
  });

  it('encodes errors as revert data', () => {
    const text = documentText({ signature: 'error Error(string message)', values: ['no'] }, []);
    assert.equal(
      dataOfDocument(text),
      `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`,
    );
  });

  it('shows the calls inside the arguments', () => {
    const nested = [
      {
        path: '[0]',
        to: ALICE,
        value: '',
        name: 'pay',
        signature: 'pay(uint256)',
        callParams: [{ name: 'x', type: 'uint256', value: '7' }],
      },
    ];
    const text = documentText({ signature: 'run(bytes[])', values: [['0x12']] }, [], [nested]);
    assert.match(text, /\/\/ {3}\[0\] → 0x7099\w+\.pay\(x: 7\)\n/);
    assert.deepEqual(readDocument(text).values, [['0x12']]);
  });

  it('says what is wrong with it', () => {
    const text = documentText({ signature: TRANSFER, values: [ALICE, '1000'] }, []);
    const fails = (changed: string, message: RegExp) => {
      assert.throws(() => dataOfDocument(changed), refused(message));
    };
    fails(text.replace('1000', 'ten'), /arguments\.amount is "ten"; accepted: .*whole number/);
    fails(text.replace(ALICE, '0x12'), /arguments\.to is "0x12"; accepted: .*address/);
    fails(text.replace('"1000"', ''), /arguments is 1; accepted: 2 values/);
    fails(text.replace('transfer(', 'transfer'), /signature is .*accepted: a signature/);
    fails(text.replace('{', ''), /JSON with comments/);
    fails('[]', /an object with "signature"/);
    fails('{"signature": "f()"}', /arguments .*a list/);
    fails('{"signature": "event E()", "arguments": []}', /signature is/);
  });

  it('starts with empty values', () => {
    const { inputs } = itemOf('f(address,bool,string,bytes4,uint8[2],(int8,bytes)[],int256)');
    const values = inputs.map(emptyValue);
    assert.deepEqual(values, [
      `0x${'0'.repeat(40)}`,
      'false',
      '',
      '0x00000000',
      ['0', '0'],
      [],
      '0',
    ]);
    assert.doesNotThrow(() =>
      encode(itemOf('f(address,bool,string,bytes4,uint8[2],(int8,bytes)[],int256)'), values),
    );
  });
});
