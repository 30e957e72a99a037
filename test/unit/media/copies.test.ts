import assert from 'node:assert/strict';
import { buildCallTree, type CallTree } from '../../../media/inspector/model/tree-model';
import { castCall } from '../../../media/inspector/copy/cast-call';
import { branchAsText, rowCopies } from '../../../media/inspector/copy/row-copies';
import { namesOf } from '../../../server/presentation/segment';
import { callRow } from '../../ui-components/fixtures';

const SENDER = `0x${'a'.repeat(40)}`;
const PROXY = `0x${'1'.repeat(40)}`;
const CODE = `0x${'2'.repeat(40)}`;
const BLOCK = 100;
const NO_NAMES = namesOf({});

function commandOf(tree: CallTree, index: number): string {
  const cast = castCall(tree, index, BLOCK);
  assert.ok(cast.ok);
  return cast.command;
}
function whyNot(tree: CallTree, index: number, block = BLOCK): string {
  const cast = castCall(tree, index, block);
  assert.ok(!cast.ok);
  return cast.why;
}

describe('media: cast call', () => {
  it('contains caller, value and the state before the block', () => {
    const tree = buildCallTree([
      callRow(0, { address: PROXY, callData: '0x00ff', value: '0.000000000000000007' }),
    ]);
    assert.equal(
      commandOf(tree, 0),
      `cast call ${PROXY} --data 0x1234567800ff --from ${SENDER} --value 7 --block 99 --rpc-url "$ETH_RPC_URL"`,
    );
  });

  it('runs delegated code in the calling account, for its caller', () => {
    const delegate = { operation: 'DELEGATECALL', fromAddress: PROXY, address: CODE };
    const tree = buildCallTree([
      callRow(0, { address: PROXY, value: '1' }),
      callRow(1, delegate),
      callRow(2, delegate),
    ]);
    const expected = `cast call ${PROXY} --data 0x12345678 --from ${SENDER} --value 1000000000000000000 --block 99 --rpc-url "$ETH_RPC_URL" --override-code "${PROXY}:$(cast code ${CODE} --block 99 --rpc-url "$ETH_RPC_URL")"`;
    assert.equal(commandOf(tree, 1), expected);
    assert.equal(commandOf(tree, 2), expected);
  });

  it('funds an inner caller with the value that it sends', () => {
    const tree = buildCallTree([callRow(0), callRow(1, { fromAddress: PROXY, value: '1' })]);
    assert.match(
      commandOf(tree, 1),
      /--value 1000000000000000000 --override-balance 0x1{40}:1000000000000000000 --block 99 /,
    );
  });

  it('creates with the init code', () => {
    const creation = { operation: 'CREATE2', selector: '', callData: '0x6001', value: '1' };
    assert.equal(
      commandOf(buildCallTree([callRow(0, creation)]), 0),
      `cast call --from ${SENDER} --block 99 --rpc-url "$ETH_RPC_URL" --create 0x6001 --value 1000000000000000000`,
    );
  });

  it('reports why there is none', () => {
    const one = (overrides: Parameters<typeof callRow>[1]): CallTree =>
      buildCallTree([callRow(0, overrides)]);
    assert.equal(whyNot(one({ operation: 'SELFDESTRUCT' }), 0), 'a self-destruct is not a call');
    assert.equal(whyNot(one({ callData: '0x$(reboot)' }), 0), 'its call data is not known');
    assert.equal(whyNot(one({ address: '' }), 0), 'whom it calls is not known');
    assert.equal(whyNot(one({ fromAddress: '";x' }), 0), 'its caller or value is not known');
    assert.equal(whyNot(one({ value: '' }), 0, 0), 'there is no state before the block');
    assert.equal(
      whyNot(one({ callData: `0x${'00'.repeat(70_000)}` }), 0),
      'its call data is too long for a command line',
    );
    const created = buildCallTree([
      callRow(0),
      callRow(1, { operation: 'CREATE', address: CODE }),
      callRow(1, { address: CODE }),
    ]);
    assert.equal(whyNot(created, 2), 'the contract did not exist before this transaction');
  });
});

describe('media: copies of a row', () => {
  const tree = buildCallTree([
    callRow(0, { address: PROXY, callData: '0xff' }),
    callRow(1, { operation: 'SELFDESTRUCT', fromAddress: PROXY, address: CODE }),
    callRow(0),
  ]);

  it('are text, the branch, JSON, call data and a command', () => {
    const copies = rowCopies(tree, 0, NO_NAMES, BLOCK).map(({ title, text }) => [title, text()]);
    assert.deepEqual(copies.slice(0, 2), [
      ['Copy as Text', `CALL ${PROXY}.0x12345678(0xff)`],
      [
        'Copy with All Inside',
        `CALL ${PROXY}.0x12345678(0xff)\n  SELFDESTRUCT ${PROXY}.selfdestruct(beneficiary: ${CODE})`,
      ],
    ]);
    assert.equal((JSON.parse(copies[2]![1]!) as { address: string }).address, PROXY);
    assert.deepEqual(copies[3], ['Copy Call Data', '0x12345678ff']);
    assert.equal(copies[4]![0], 'Copy as cast call');
    assert.equal(branchAsText(tree, 2, NO_NAMES).split('\n').length, 1);
  });

  it('report which format is not available', () => {
    const cast = rowCopies(tree, 1, NO_NAMES, BLOCK).at(-1);
    assert.equal(cast?.missing, 'a self-destruct is not a call');
  });
});
