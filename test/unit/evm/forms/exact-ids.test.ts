import assert from 'node:assert/strict';
import {
  answerText,
  idOf,
  parseJson,
  resultAnswer,
} from '../../../../server/evm/forms/rpc-message';

/** Ids of the answers to a message's requests, as JSON. */
const idsOf = (text: string): string[] => {
  const message = parseJson(text);
  return (Array.isArray(message) ? message : [message]).map((one) => {
    const answer = answerText(resultAnswer(idOf(one), { id: 1 }));
    return /^\{"jsonrpc":"2\.0","id":(.*),"result":\{"id":1\}\}$/.exec(answer)![1]!;
  });
};

describe('JSON-RPC ids', () => {
  for (const id of [
    '0',
    '1',
    '-7',
    '9007199254740991',
    '9007199254740993',
    '18446744073709551616',
    '-9007199254740993',
    '1.0',
    '1.5',
    '1e3',
    '1E+2',
    '-0',
    `1${'0'.repeat(400)}`,
    'null',
    '"1"',
    '"a\\"b"',
    '"9007199254740993"',
    '""',
  ]) {
    it(`are returned as they were sent: ${id.slice(0, 40)}`, () => {
      assert.deepEqual(idsOf(`{"jsonrpc":"2.0","id":${id},"method":"m"}`), [id]);
      assert.deepEqual(idsOf(`{ "method" : "m" , "id" \n:\t ${id}\n}`), [id]);
    });
  }

  it('are returned in a batch, each with its request', () => {
    const big = '9007199254740993';
    const text = `[{"id":${big},"params":[{"id":1.0},"}",{"a":[1,2]}]},5,[1,{"id":7.0}],{"params":["\\"id\\":2.0,"]},{"id":"x"},{"id":2.50}]`;
    assert.deepEqual(idsOf(text), [big, 'null', 'null', 'null', '"x"', '2.50']);
  });

  it("are the request's own, and the last one if there are several", () => {
    assert.deepEqual(idsOf('{"params":[{"id":1.0}],"id":1}'), ['1']);
    assert.deepEqual(idsOf('{"id":1.0,"id":2}'), ['2']);
    assert.deepEqual(idsOf('{"id":1.0,"id":"x"}'), ['"x"']);
    assert.deepEqual(idsOf('{"id":{"id":1.0},"x":"id"}'), ['null']);
    assert.deepEqual(idsOf('{"x":"id","y":1.0}'), ['null']);
  });
});
