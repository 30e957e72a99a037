import assert from 'node:assert/strict';
import { concat, encodeRlp, sha256, type RlpStructuredData } from 'ethers';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { withoutCellProofs } from '../../../../server/forks/methods/blob-sidecar';

const COMMITMENT = `0x${'c1'.repeat(48)}`;
const HASH = `0x01${sha256(COMMITMENT).slice(4)}`;
const signed = (hashes: string[]): RlpStructuredData[] => [
  '0x01',
  '0x',
  '0x01',
  '0x02',
  '0x5208',
  `0x${'aa'.repeat(20)}`,
  '0x',
  '0x',
  [],
  '0x01',
  hashes,
  '0x',
  '0x11',
  '0x22',
];
const typed = (items: RlpStructuredData[]): string => concat(['0x03', encodeRlp(items)]);
const BLOB = `0x${'b0'.repeat(64)}`;

describe('the sidecar of a blob transaction', () => {
  it('is removed if it has cell proofs, which the engine cannot decode', () => {
    const wrapped = typed([signed([HASH]), '0x01', [BLOB], [COMMITMENT], ['0x0a']]);
    assert.equal(withoutCellProofs(wrapped), typed(signed([HASH])));
  });

  it('is refused if its commitments belong to other blobs', () => {
    for (const [hashes, commitments] of [
      [[`0x01${'00'.repeat(31)}`], [COMMITMENT]],
      [[HASH, HASH], [COMMITMENT]],
      [[HASH], []],
    ] as [string[], string[]][]) {
      const wrapped = typed([signed(hashes), '0x01', [BLOB], commitments, ['0x0a']]);
      assert.throws(
        () => withoutCellProofs(wrapped),
        (error: unknown) => error instanceof RpcError && error.code === -32602,
      );
    }
  });

  it('is not changed in its older form, nor is any other value', () => {
    for (const raw of [
      typed([signed([HASH]), [BLOB], [COMMITMENT], ['0x0a']]),
      typed(signed([HASH])),
      '0x02c0',
      '0xc0',
      undefined,
      { from: HASH },
    ]) {
      assert.equal(withoutCellProofs(raw), raw);
    }
  });
});
