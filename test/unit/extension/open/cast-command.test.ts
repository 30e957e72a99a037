import assert from 'node:assert/strict';
import { readCastCommand } from '../../../../extension/open/cast-command';
import { jsonOf } from '../../../../extension/open/command-values';

const CHAINS = [
  { slug: 'eth', chainId: 1 },
  { slug: 'base', chainId: 8453 },
];
const HASH = `0x${'ab'.repeat(32)}`;
const TO = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const FROM = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const read = (text: string) => readCastCommand(text, CHAINS);
const call = (more: object) => ({
  ...{ kind: 'call', to: TO, signature: undefined, arguments: [], data: undefined },
  ...{ value: '0', from: undefined, block: undefined },
  ...more,
});

describe('a cast command', () => {
  it('may be about a transaction', () => {
    const transaction = { kind: 'transaction', hash: HASH };
    assert.deepEqual(read(`cast run ${HASH} --rpc-url http://127.0.0.1:8545`), transaction);
    assert.deepEqual(read(`$ cast run --quick -r mainnet ${HASH}`), transaction);
    assert.deepEqual(read(`cast run --debug ${HASH}`), { ...transaction, debug: true });
    assert.deepEqual(
      read(`cast tx ${HASH.toUpperCase().replace('0X', '0x')} gasPrice`),
      transaction,
    );
    assert.deepEqual(read(`cast receipt ${HASH} --chain=8453`), { ...transaction, chain: 'base' });
    assert.deepEqual(read(`ETH_RPC_URL=http://x ~/.foundry/bin/cast run ${HASH}`), transaction);
  });

  it('may be a call with its arguments', () => {
    assert.deepEqual(
      read(
        `cast call ${TO} "transfer(address,uint256)(bool)" ${FROM} 1000 --from ${FROM} -b 19000123`,
      ),
      call({
        signature: 'transfer(address,uint256)(bool)',
        arguments: [FROM, '1000'],
        from: FROM,
        block: '19000123',
      }),
    );
    assert.deepEqual(
      read(
        `cast send --private-key 0x12 --value 0.1ether ${TO} 'f(int256,string)' -- -5 'a "b" c'`,
      ),
      call({ signature: 'f(int256,string)', arguments: ['-5', 'a "b" c'], value: '0.1ether' }),
    );
    assert.deepEqual(
      read(`cast send ${TO} \\\n  --value 5gwei \\\n  --chain mainnet`),
      call({ value: '5gwei', chain: 'eth' }),
    );
    assert.deepEqual(read(`cast call ${TO} 0xA9059CBB00`), call({ data: '0xa9059cbb00' }));
    assert.deepEqual(read(`cast call ${TO} --data 0xa9059cbb`), call({ data: '0xa9059cbb' }));
  });

  it('may be about an address, a block, a selector, an event or data', () => {
    assert.deepEqual(read(`cast balance ${TO} -e`), { kind: 'address', address: TO });
    assert.deepEqual(read(`cast storage ${TO} 3 -c base`), {
      ...{ kind: 'address', address: TO, chain: 'base' },
    });
    assert.deepEqual(read('cast block 19000123 --json'), { kind: 'block', block: '19000123' });
    assert.deepEqual(read('cast 4byte 0xa9059cbb'), { kind: 'selector', selector: '0xa9059cbb' });
    assert.deepEqual(read(`cast 4byte-event ${HASH}`), { kind: 'topic', topic: HASH });
    assert.deepEqual(read('cast 4d 0xa9059cbb00'), { kind: 'data', data: '0xa9059cbb00' });
    assert.deepEqual(read('cast calldata-decode "f(uint8)" 0xa9059cbb00'), {
      ...{ kind: 'data', data: '0xa9059cbb00' },
    });
    assert.deepEqual(read('cast sig "transfer(address,uint256)"'), {
      ...{ kind: 'signature', signature: 'transfer(address,uint256)' },
    });
  });

  it('is nothing without a subject', () => {
    for (const text of [
      ...['cast', 'cast run', 'cast run 0x12', `cast run ${HASH}0`, 'cast call vitalik.eth "f()"'],
      ...[`forge test ${HASH}`, `broadcast run ${HASH}`, `castrun ${HASH}`, 'cast chain-id'],
      ...['cast send --create 0x6080', 'cast block yesterday', 'cast 4byte 0xa9059c', 'cast "'],
    ]) {
      assert.equal(read(text), undefined, text);
    }
  });

  it('has arrays and tuples in a notation of its own', () => {
    assert.equal(jsonOf('[1,2]'), '[1,2]');
    assert.equal(jsonOf(`(${TO},5)`), `["${TO}","5"]`);
    assert.equal(jsonOf('[(0xab,true),(0xcd, false)]'), '[["0xab","true"],["0xcd", "false"]]');
    assert.equal(jsonOf('["a, b"]'), '["a, b"]');
    assert.equal(jsonOf('[100000000000000000000]'), '["100000000000000000000"]');
    assert.equal(jsonOf('[]'), '[]');
  });
});
