import assert from 'node:assert/strict';
import { AddressDirectory } from '../../../../server/chains/address-facts';
import { differenceOfTraces } from '../../../../server/analysis/traces/compare';
import { identifyRequestWork } from '../../../../server/analysis/decoding/identify-request';
import { labelsOf } from '../../../../server/analysis/views/labels';
import type { LocatedExecution } from '../../../../server/analysis/executed-transaction';
import {
  fetchIncludedTransaction,
  loadMined,
  type IncludedTransaction,
} from '../../../../server/analysis/transactions/load';
import { readMined } from '../../../../server/analysis/transactions/read-mined';
import { rulesOf } from '../../../../server/rules/block-hardfork';
import { transactionFacts } from '../../../../server/analysis/transactions/facts';
import { succeeded } from '../../../../server/analysis/executed-transaction';
import type { Contract, TokenFacts } from '../../../../server/analysis/ports';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { Address, Hex } from '../../../../server/api/primitives';
import { RpcError } from '../../../../server/ethereum/json-rpc';
import { atOnce } from '../../../../server/async/slices';
import {
  account,
  BLOCK_HASH,
  frame,
  HASH,
  identification,
  log,
  mined,
  network,
  word,
} from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

describe('readMined', () => {
  const on = network();

  it('refuses answers about different executions', () => {
    const may = '; it may be replacing its newest blocks';
    for (const [facts, text] of [
      [
        { receipt: { transactionHash: word(8) } },
        `hash of transaction ${HASH} is ${HASH} and ${word(8)}`,
      ],
      [
        { receipt: { blockHash: word(8) } },
        `block hash of transaction ${HASH} is ${BLOCK_HASH} and ${word(8)}`,
      ],
      [
        { block: { hash: word(8) } },
        `block hash of transaction ${HASH} is ${BLOCK_HASH} and ${word(8)}`,
      ],
      [
        { receipt: { blockNumber: '0x65' } },
        `block number of transaction ${HASH} is 0x64 and 0x65`,
      ],
      [{ block: { number: '0x65' } }, `block number of transaction ${HASH} is 0x64 and 0x65`],
      [{ receipt: { transactionIndex: '0x1' } }, `index of transaction ${HASH} is 0x0 and 0x1`],
    ] as const) {
      assert.throws(() => readMined(on, mined(facts)), {
        kind: 'upstreamLacksData',
        message: `the node of test contradicts itself: the ${text}${may}`,
      });
    }
  });

  it('refuses malformed answers with the field and the value', () => {
    for (const [facts, text] of [
      [{ transaction: { gas: 'much' } }, 'transaction.gas is "much"'],
      [{ receipt: { gasUsed: 'much' } }, 'receipt.gasUsed is "much"'],
      [{ block: { timestamp: 'late' } }, 'block.timestamp is "late"'],
    ] as const) {
      assert.throws(() => readMined(on, mined(facts as unknown as Parameters<typeof mined>[0])), {
        kind: 'upstreamLacksData',
        message: `the node of test returned an invalid value: ${text}`,
      });
    }
  });

  it('returns the hash in lower case, and the price of blob gas by the rules', () => {
    const upper = HASH.toUpperCase().replace('0X', '0x') as typeof HASH;
    const blobs = { blobGasUsed: '0x20000' } as const;
    const answers = mined({
      transaction: { hash: upper, type: '0x3', blobVersionedHashes: [word(1)] },
      receipt: blobs,
      block: { excessBlobGas: '0x0', blobGasUsed: '0x20000' },
    });
    const read = readMined(network(undefined, { hardfork: 'cancun' }), answers);
    assert.equal(read.transaction.hash, HASH);
    assert.equal(read.receipt.blobGasPrice, '0x1');
    assert.equal(readMined(on, mined()).receipt.blobGasPrice, undefined);
  });
});

describe('fetchIncludedTransaction', () => {
  const find = (answer: unknown) =>
    fetchIncludedTransaction(
      network(new ScriptedRpc({ eth_getTransactionByHash: () => answer })),
      HASH,
    );
  const { transaction } = mined();

  it('accepts a transaction in a block, whatever the case of its hash', async () => {
    const upper = { ...transaction, hash: HASH.toUpperCase().replace('0X', '0x') };
    assert.equal(await find(upper), upper);
  });

  it('refuses another transaction, and one that is in no block yet', async () => {
    for (const [hash, shown] of [
      [word(8), `"${word(8)}"`],
      [5, '5'],
    ] as const) {
      await assert.rejects(find({ ...transaction, hash }), {
        kind: 'upstreamLacksData',
        message: `the node of test returned transaction ${shown} for ${HASH}`,
      });
    }
    for (const facts of [{ blockHash: null }, { blockNumber: null }, { blockHash: undefined }]) {
      await assert.rejects(find({ ...transaction, ...facts }), {
        kind: 'transactionPending',
        message: `transaction ${HASH} is not in a block of test yet`,
      });
    }
  });

  it('passes on that the node cannot be reached', async () => {
    const rpc = new ScriptedRpc({
      eth_getTransactionByHash: () => {
        throw new Error('unreachable');
      },
    });
    await assert.rejects(fetchIncludedTransaction(network(rpc), HASH), { message: 'unreachable' });
  });
});

describe('transactionFacts', () => {
  it('have no fee if the node names no price, and no receiver for a creation', () => {
    const { receipt, transaction, ...rest } = mined({ transaction: { to: null } });
    const { effectiveGasPrice: _price, ...bare } = receipt;
    const { gasPrice: _gas, ...unpriced } = transaction;
    const facts = transactionFacts(network(), { ...rest, transaction: unpriced, receipt: bare });
    assert.deepEqual([facts.fee, facts.to], ['', null]);
    const old = transactionFacts(network(), { ...rest, transaction, receipt: bare });
    assert.equal(old.fee, '0.000021');
  });

  it('are those of a success by the receipt, or else by the trace', () => {
    const outcome = (status: Hex | undefined, error?: string) => {
      const { receipt, ...rest } = mined();
      const { status: _status, ...older } = receipt;
      const root = frame(error === undefined ? {} : { error });
      return succeeded({
        mined: { ...rest, receipt: status === undefined ? older : { ...receipt, status } },
        trace: { root, method: 'debug', reportedGas: 0 },
      });
    };
    assert.deepEqual(
      [
        outcome('0x1'),
        outcome('0x0'),
        outcome('0x1', 'x'),
        outcome(undefined),
        outcome(undefined, 'x'),
      ],
      [true, false, true, true, false],
    );
  });
});

describe('labelsOf', () => {
  const [SHOP, TOKEN, IDENTITY] = [account(0xb0b), account(0x70), account(4)] as const;
  function labels(
    network_: Record<Address, string> | undefined,
    userLabels: Record<Address, string>,
    contracts: Record<Address, Contract> = { [SHOP]: { name: 'Shop' }, [TOKEN]: { name: 'Token' } },
    tokens: [Address, TokenFacts][] = [[TOKEN, { symbol: 'TKN' }]],
  ) {
    const root = frame({ items: [frame({ to: IDENTITY }), frame({ type: 'CREATE', to: null })] });
    const located = {
      network: network(undefined, network_ ? { labels: network_ } : {}),
      executed: { trace: { root } },
      known: identification(contracts),
      userLabels,
    } as unknown as LocatedExecution;
    return labelsOf(located, new Map(tokens));
  }
  const found = { [SHOP]: 'Shop', [TOKEN]: 'TKN', [IDENTITY]: 'Identity' };

  it('are names, symbols and precompiles, below those of the configuration and the user', () => {
    assert.deepEqual(labels(undefined, {}), { labels: found });
    assert.deepEqual(labels({ [SHOP]: 'ours', [TOKEN]: 'ours' }, { [SHOP]: 'mine' }), {
      labels: { ...found, [SHOP]: 'mine', [TOKEN]: 'ours' },
      userLabels: [SHOP],
    });
  });

  it('omit contracts and tokens without names', () => {
    const none = labels(undefined, {}, { [SHOP]: { name: '' } }, [[TOKEN, { decimals: 2 }]]);
    assert.deepEqual(none, { labels: { [IDENTITY]: 'Identity' } });
  });
});

describe('identifyRequestWork', () => {
  it('collects what needs an interface', () => {
    const block = { number: 5n, hash: HASH };
    const [A, B, C, D] = [1, 2, 3, 4].map((number) => account(number));
    const root = frame({
      to: A!,
      input: '0x11111111',
      error: 'execution reverted',
      output: '0x22222222ff',
      items: [
        log(B!, [word(7), word(8)]),
        log(B!, []),
        frame({ type: 'CREATE', to: C!, input: '0x6001', output: '0x60' }),
        frame({ type: 'CREATE2', to: D!, input: '0x6002', output: '0x33333333', error: 'x' }),
        frame({ type: 'CREATE2', to: null, input: '0x6003' }),
        frame({ type: 'SELFDESTRUCT', to: account(9), input: '0x44444444' }),
        frame({ to: A!, input: '0x55', output: '0x66666666' }),
        frame({ type: 'STATICCALL', to: A!, input: '0x77777777' }),
      ],
    });
    assert.deepEqual(atOnce(identifyRequestWork(root, block)), {
      addresses: new Set([A, B, C, D]),
      deployed: new Map([[C, '0x60']]),
      initCodes: new Set(['0x6001', '0x6002', '0x6003']),
      selectors: new Set(['0x22222222', '0x11111111', '0x33333333', '0x77777777']),
      topics: new Set([word(7)]),
      block,
    });
  });
});

describe('differenceOfTraces', () => {
  const trace = (facts: Partial<CallFrame>) => ({
    root: frame(facts),
    method: 'replay' as const,
    reportedGas: 0,
  });
  const difference = (one: Partial<CallFrame>, other: Partial<CallFrame>) =>
    differenceOfTraces(trace(one), trace(other));
  const inner = frame({ to: account(5) });
  const emitted = log(account(6), [], '0x01');

  it('is undefined for equal traces, and names the first call or event that differs', () => {
    const items = [inner, emitted];
    assert.equal(difference({ items }, { items: [...items] }), undefined);
    const callee = account(0xb0b);
    for (const [one, other, text] of [
      [{ value: 5n }, { value: 6n }, `call 0 of ${callee} had the value 5 wei instead of 6 wei`],
      [{ output: '0x01' }, {}, `call 0 of ${callee} had a different input, output or outcome`],
      [
        { items },
        { items: [inner, log(account(6), [], '0x02')] },
        `event 2 of ${callee} had different data`,
      ],
      [{ items }, { items: [inner] }, `event 2 of ${callee} was not executed`],
      [{ items }, { items: [inner, inner] }, `event 2 of ${callee} was not executed`],
      [{ items: [inner] }, {}, `call 1 of ${account(5)} was not executed`],
      [{ items: [inner] }, { items: [emitted] }, `call 1 of ${account(5)} was not executed`],
      [{}, { items }, 'it has 1 calls and events instead of 3'],
      [
        { items: [frame({ type: 'CREATE', to: null })] },
        {},
        `call 1 of ${account(0xa11)} was not executed`,
      ],
    ] as [Partial<CallFrame>, Partial<CallFrame>, string][]) {
      assert.equal(difference(one, other), text);
    }
    const nested = [frame({ items: [inner] })];
    const beside = [frame(), inner];
    assert.match(difference({ items: nested }, { items: beside }) ?? '', /^call 2 of/);
  });
});

describe('AddressDirectory', () => {
  const [SHOP, CODE] = [account(0xb0b), '0x60'] as const;
  function directory({
    code = CODE as Hex,
    token = {} as TokenFacts | undefined,
    userLabel = '',
    label = '',
    name = '',
  } = {}) {
    const asked: unknown[] = [];
    const rpc = new ScriptedRpc({
      eth_getCode: () => code,
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_getTransactionCount: () => '0x7',
    });
    const on = network(rpc, { chain: 'eth', ...(label ? { labels: { [SHOP]: label } } : {}) });
    const { block } = mined();
    const found = new AddressDirectory({
      networks: {
        at: (chain, place) => {
          asked.push([chain, place]);
          return Promise.resolve({ network: on, block: { ...block, transactions: [] }, tag: '' });
        },
      },
      abis: {
        identify: ({ user }, { addresses, block: at }) => {
          asked.push(['identify', user, [...addresses], at]);
          return Promise.resolve(identification(name ? { [SHOP]: { name } } : {}));
        },
      },
      tokens: {
        factsOf: (_on, addresses, at) => {
          asked.push(['token', addresses, at]);
          return Promise.resolve(new Map(token ? [[SHOP, token]] : []));
        },
      },
      userLabels: {
        labelsOf: (user, chains) => {
          asked.push(['labels', user, chains]);
          return Promise.resolve(userLabel ? { [SHOP]: userLabel } : {});
        },
      },
    });
    const { signal } = new AbortController();
    return { asked, rpc, facts: found.factsOf('eth', SHOP, 'ann', signal) };
  }
  const base = {
    ...{ address: SHOP, chain: 'eth', blockNumber: 100, kind: 'contract', name: '' },
    ...{ balance: '1', nativeSymbol: 'ETH', nonce: 7 },
  };

  it('describes a contract at the newest block', async () => {
    const { asked, rpc, facts } = directory({ name: 'Shop', token: { symbol: 'TKN' } });
    assert.deepEqual(await facts, { ...base, name: 'Shop', token: { symbol: 'TKN' } });
    assert.deepEqual(asked, [
      ['eth', { height: 'latest' }],
      ['labels', 'ann', ['eth', 'test']],
      ['token', [SHOP], 100n],
      ['identify', 'ann', [SHOP], { number: 100n, hash: BLOCK_HASH }],
    ]);
    assert.deepEqual(rpc.calls[0], { method: 'eth_getCode', params: [SHOP, '0x64'] });
  });

  it('names it by the user, the configuration, its source or its symbol', async () => {
    const names = { userLabel: 'mine', label: 'ours', name: 'Shop', token: { symbol: 'TKN' } };
    const nameBy = async (facts: Parameters<typeof directory>[0]) =>
      (await directory(facts).facts).name;
    assert.equal(await nameBy(names), 'mine');
    assert.equal(await nameBy({ ...names, userLabel: '' }), 'ours');
    assert.equal(await nameBy({ ...names, userLabel: '', label: '' }), 'Shop');
    assert.equal(await nameBy({ token: { symbol: 'TKN' } }), 'TKN');
    assert.equal(await nameBy({ token: undefined }), '');
  });

  it('tells accounts and delegations from contracts, which alone are tokens', async () => {
    const token = { symbol: 'TKN' };
    assert.deepEqual(await directory({ code: '0x', token }).facts, { ...base, kind: 'account' });
    const code = `0xef0100${'11'.repeat(20)}` as const;
    assert.deepEqual(await directory({ code, token }).facts, { ...base, kind: 'delegated' });
    assert.deepEqual(await directory({ token: {} }).facts, base);
  });
});

describe('loadMined', () => {
  const { transaction, receipt, block } = mined();
  const included = transaction as IncludedTransaction;
  const { signal } = new AbortController();

  it('asks for the receipt and the header of the block', async () => {
    const rpc = new ScriptedRpc({
      eth_getTransactionReceipt: () => receipt,
      eth_getBlockByHash: () => block,
    });
    assert.deepEqual(await loadMined(network(rpc), included, signal), mined());
    assert.deepEqual(rpc.calls, [
      { method: 'eth_getTransactionReceipt', params: [HASH] },
      { method: 'eth_getBlockByHash', params: [BLOCK_HASH, false] },
    ]);
  });

  it('says which of them the node does not have, or why it does not answer', async () => {
    const handlers = { eth_getTransactionReceipt: () => receipt, eth_getBlockByHash: () => block };
    const load = (other: Handlers) =>
      loadMined(network(new ScriptedRpc({ ...handlers, ...other })), included, signal);
    for (const nothing of [null, undefined]) {
      await assert.rejects(load({ eth_getBlockByHash: () => nothing }), {
        kind: 'upstreamLacksData',
        message: `the node of test does not have block ${BLOCK_HASH}`,
      });
    }
    const refusing = () => {
      throw new RpcError(-32000, 'pruned');
    };
    await assert.rejects(load({ eth_getTransactionReceipt: refusing }), {
      kind: 'upstreamLacksData',
      message: 'the node of test answered with an error: pruned',
    });
  });
});

describe('rulesOf', () => {
  const { block } = mined();
  const { excessBlobGas: _none, ...header } = { ...block, excessBlobGas: undefined };
  const cancun = { ...header, excessBlobGas: '0x0' } as const;
  const private_ = { key: 'mine', chainId: 987_654_321 };

  it('are the chain’s, or newer ones that the header proves', () => {
    assert.equal(rulesOf({ ...private_, hardfork: 'berlin' }, header), 'berlin');
    assert.equal(rulesOf({ ...private_, hardfork: 'berlin' }, cancun), 'cancun');
    assert.equal(rulesOf({ ...private_, hardfork: 'osaka' }, cancun), 'osaka');
    assert.equal(rulesOf({ key: 'eth', chainId: 1 }, { ...header, timestamp: '0x1' }), 'frontier');
    const merged = { ...header, number: '0x1000000', timestamp: '0x65000000' } as const;
    assert.equal(rulesOf({ key: 'eth', chainId: 1 }, merged), 'shanghai');
  });

  it('are those of the header, or unknown, on an unknown chain', () => {
    assert.equal(rulesOf(private_, header), undefined);
    assert.equal(rulesOf(private_, cancun), 'cancun');
  });
});
