import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { decodingsOf } from '../../../../server/analysis/decoding/decodings';
import { ContractInterface } from '../../../../server/analysis/contract-interface';
import type { Hex } from '../../../../server/api/primitives';
import { account, identification, word } from '../../../support/analysis';

const TRANSFER = 'function transfer(address to, uint256 amount) returns (bool)';
const known = (abi: string[], database: string[] = []) => ({
  ...identification({}),
  signatures: [ContractInterface.fromAbi(abi), ContractInterface.fromAbi(database, '4byte')],
});
const data = new Interface([TRANSFER]).encodeFunctionData('transfer', [account(7), 5n]) as Hex;

describe('decodings of data', () => {
  it('are the signatures that fit, with their arguments', () => {
    const [decoding, ...others] = decodingsOf(data, known([TRANSFER]), null);
    assert.deepEqual(others, []);
    assert.deepEqual(decoding, {
      kind: 'call',
      name: 'transfer',
      signature: 'transfer(address,uint256)',
      declaration: TRANSFER,
      source: 'built-in',
      text: '',
      params: [
        { name: 'to', type: 'address', value: account(7) },
        { name: 'amount', type: 'uint256', value: '5' },
      ],
    });
  });

  it('end with the signatures whose arguments do not fit', () => {
    // Has the selector of transfer(address,uint256).
    const other = 'function many_msg_babbage(bytes1)';
    const decodings = decodingsOf(data, known([], [other, TRANSFER]), null);
    assert.deepEqual(
      decodings.map(({ signature, params }) => [signature, params === null]),
      [
        ['transfer(address,uint256)', false],
        ['many_msg_babbage(bytes1)', true],
      ],
    );
  });

  it('are those of a bare selector', () => {
    const [decoding] = decodingsOf('0xa9059cbb', known([TRANSFER]), null);
    assert.deepEqual([decoding?.signature, decoding?.params], ['transfer(address,uint256)', null]);
    const [pause] = decodingsOf('0x8456cb59', known(['function pause()']), null);
    assert.deepEqual([pause?.signature, pause?.params], ['pause()', []]);
  });

  it('are errors with their reason in words', () => {
    const error = new Interface(['error Error(string)', 'error Low(uint256 left)']);
    const plain = error.encodeErrorResult('Error', ['no funds']) as Hex;
    const [first] = decodingsOf(plain, known([]), null);
    assert.deepEqual(
      [first?.kind, first?.signature, first?.text, first?.params?.[0]?.value],
      ['error', 'Error(string)', 'no funds', 'no funds'],
    );
    const panic: Hex = `0x4e487b71${word(17).slice(2)}`;
    assert.equal(
      decodingsOf(panic, known([]), null)[0]?.text,
      'Panic: arithmetic overflow or underflow (0x11)',
    );
    const low = error.encodeErrorResult('Low', [3]) as Hex;
    const [custom] = decodingsOf(low, known(['error Low(uint256 left)']), null);
    assert.deepEqual([custom?.kind, custom?.text], ['error', 'Low(left: 3)']);
  });

  it('are the events of a topic', () => {
    const event = 'event Transfer(address indexed from, address indexed to, uint256 value)';
    const topic = new Interface([event]).getEvent('Transfer')!.topicHash as Hex;
    const [decoding, ...others] = decodingsOf(topic, known([event]), null);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [decoding?.kind, decoding?.declaration, decoding?.params],
      ['event', event, null],
    );
  });

  it('are none of an unknown selector', () => {
    assert.deepEqual(decodingsOf('0x12345678', known([TRANSFER]), null), []);
  });
});
