import assert from 'node:assert/strict';
import { parseAbi } from 'viem';
import {
  abiOf,
  functionNodes,
  functionsOf,
} from '../../../../extension/contracts/contract-functions';
import { contractDisplay, functionDisplay } from '../../../../extension/contracts/contract-display';
import type { FunctionAnswer } from '../../../../extension/model/fork-contract';
import type { ContractNode } from '../../../../extension/model/tree-node';
import type { AbiItem } from '../../../../server/api/abi';
import { fork } from '../projects/tree-fixtures';

const ABI = parseAbi([
  'constructor(uint256 limit)',
  'function pay(uint256 amount, (address who, bool isLast)[] bids) payable',
  'function paidBy(address who) view returns (uint256)',
  'function limit() view returns (uint256)',
  'event Paid(uint256 amount)',
  'function double(uint256) pure returns (uint256)',
]) as unknown as AbiItem[];

const contractNode = (state: 'running' | 'sleeping'): ContractNode =>
  ({
    kind: 'contract',
    contract: { address: `0x${'a'.repeat(40)}`, name: 'Till', origin: 'deployed', abi: ABI },
    parent: { kind: 'contracts', parent: { kind: 'fork', fork: { ...fork, state } } },
  }) as unknown as ContractNode;

describe('the functions of a contract in the tree', () => {
  it('are values first, then other views, then those that send', () => {
    assert.deepEqual(
      functionsOf(ABI).map(({ name }) => name),
      ['limit', 'paidBy', 'double', 'pay'],
    );
  });

  it('show their last answers while the fork sleeps, without a request to it', async () => {
    const answers = new Map<string, FunctionAnswer>([
      ['limit()', { text: '1,000', isFailure: false }],
      ['paidBy(address)', { text: `reverts: No(0x${'b'.repeat(40)})`, isFailure: true }],
    ]);
    const nodes = await functionNodes(contractNode('sleeping'), {
      get: (signature) => answers.get(signature),
      set: () => assert.fail('a request was made'),
    });
    const shown = nodes.map((node) => {
      const { label, description, icon } = functionDisplay(node);
      return [label, description, icon?.id];
    });
    assert.deepEqual(shown, [
      ['limit', '1,000', 'symbol-field'],
      ['paidBy(address who)', 'reverts: No(0xbbbb…bbbb)', 'warning'],
      ['double(uint256)', undefined, 'symbol-method'],
      ['pay(uint256 amount, tuple[] bids)', undefined, 'play'],
    ]);
    assert.equal(nodes[3]?.function.signature, 'pay(uint256,(address,bool)[])');
    assert.equal(abiOf(nodes[3]).name, 'pay');
    assert.equal(contractDisplay(nodes[0]!.parent).description, '0xaaaa…aaaa');
  });

  it('say why a value is not known where the fork does not answer', async () => {
    const parent = contractNode('running');
    parent.parent.parent.fork.rpc = 'http://127.0.0.1:1/rpc/secret';
    const answers = new Map<string, FunctionAnswer>();
    const [limit] = await functionNodes(parent, {
      get: (signature) => answers.get(signature),
      set: (signature, answer) => answers.set(signature, answer),
    });
    assert.deepEqual(limit?.function.answer, {
      text: 'fork "before-exploit" does not answer',
      isFailure: true,
    });
    assert.deepEqual([...answers.keys()], ['limit()']);
  });
});
