import assert from 'node:assert/strict';
import {
  HDNodeWallet,
  Signature,
  Transaction,
  TypedDataEncoder,
  verifyMessage,
  verifyTypedData,
} from 'ethers';
import { TEST_MNEMONIC } from '../../server/evm/forms/mnemonic-accounts';
import { call, refusal } from '../support/json-rpc';
import { useForkAddress } from './fork-suite';
import { COUNTER } from './fork-upstream';

/** The first two accounts of the usual test mnemonic. */
const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const STRANGER = `0x${'99'.repeat(20)}`;
const HALF_N = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

describe('signatures of a fork', () => {
  const on = useForkAddress();

  it('sign messages', async () => {
    const bytes = '0x68656c6c6f';
    const signed = [
      await call(on.rpc, 'personal_sign', bytes, SECOND),
      await call(on.rpc, 'eth_sign', SECOND.toUpperCase().replace('X', 'x'), bytes),
      await call(on.rpc, 'personal_sign', 'hello', SECOND),
    ];
    assert.deepEqual(signed, Array(3).fill(signed[0]));
    assert.equal(verifyMessage('hello', signed[0]!).toLowerCase(), SECOND);
    assert.ok(BigInt(Signature.from(signed[0]).s) <= HALF_N);
    // anvil's signature
    assert.equal(
      await call(on.rpc, 'eth_sign', FIRST, '0x1234'),
      '0x87b638f4675a39ef49eb0379a7f5d248affd109cc6cb5b69457d7e8394d7d85274c8b407ca2b2b37ba4cc9c3bcfde488f7f59748175764b928324bd31c0f93851c',
    );
    for (const [message, pattern] of [
      ['0x123', /^the message is "0x123"; accepted: bytes as hex, or text$/],
      [5, /^the message is 5; accepted/],
      ['0x' + '00'.repeat(70_000), /^the length of the message is 140002; accepted: up to 131072$/],
    ] as const) {
      const error = await refusal(on.rpc, 'personal_sign', message, FIRST);
      assert.equal(error.code, -32602);
      assert.match(error.message, pattern);
    }
  });

  it('are made for no other account, impersonated or not', async () => {
    await call(on.rpc, 'anvil_impersonateAccount', STRANGER);
    for (const [method, ...params] of [
      ['personal_sign', '0x12', STRANGER],
      ['eth_sign', STRANGER, '0x12'],
      ['eth_signTypedData_v4', STRANGER, {}],
      ['eth_signTransaction', { from: STRANGER, to: COUNTER }],
    ] as [string, ...unknown[]][]) {
      const error = await refusal(on.rpc, method, ...params);
      assert.equal(error.code, -32602, method);
      assert.match(error.message, /^no signer available: the fork holds no key of 0x9{40}, /);
    }
  });

  describe('sign typed data', () => {
    const types = {
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallets', type: 'address[]' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person[2]' },
        { name: 'contents', type: 'bytes' },
        { name: 'tag', type: 'bytes4' },
        { name: 'amount', type: 'int128' },
        { name: 'urgent', type: 'bool' },
      ],
    };
    const domain = { name: 'Mail', version: '1', chainId: 1, verifyingContract: COUNTER };
    const person = { name: 'Ada', wallets: [COUNTER, STRANGER] };
    const message = {
      from: person,
      to: [person, person],
      contents: '0x1234',
      tag: '0xdeadbeef',
      amount: '-5',
      urgent: true,
    };
    const whole = TypedDataEncoder.getPayload(domain, types, message) as object;

    for (const method of ['eth_signTypedData_v4', 'eth_signTypedData_v3']) {
      for (const data of [whole, JSON.stringify(whole)]) {
        it(`by ${method}, as ${typeof data}`, async () => {
          const signature = await call(on.rpc, method, SECOND, data);
          const signer = verifyTypedData(domain, types, message, signature);
          assert.equal(signer.toLowerCase(), SECOND);
        });
      }
    }

    it('by the named type, if there are several types', async () => {
      const data = {
        types: { ...types, Unused: [] },
        primaryType: 'Person',
        domain,
        message: person,
      };
      const signature = await call(on.rpc, 'eth_signTypedData_v4', FIRST, data);
      const signer = verifyTypedData(domain, { Person: types.Person }, person, signature);
      assert.equal(signer.toLowerCase(), FIRST);
    });

    it('like anvil', async () => {
      const data = {
        types: {
          EIP712Domain: [{ name: 'name', type: 'string' }],
          M: [{ name: 'a', type: 'uint256' }],
        },
        primaryType: 'M',
        domain: { name: 'x' },
        message: { a: 1 },
      };
      assert.equal(
        await call(on.rpc, 'eth_signTypedData_v4', FIRST, data),
        '0x4ccf73a79ad4974ca9d98c5e9da64cab635c5ceebf47e0ff72304c75dc05f83e126fd96d7bbfa6c122f5a522f07b13e266e8056f469e86a820c4f54d32a310271c',
      );
    });

    const layers = Object.fromEntries(
      Array.from({ length: 49 }, (_, i) => [
        `T${i}`,
        i === 48
          ? []
          : ['a', 'b', 'c'].map((name, j) => ({ name, type: `T${Math.min(48, i + 1 + j)}` })),
      ]),
    );
    for (const [what, data, pattern] of [
      ['no object', 5, /^the typed data is 5; accepted: an object$/],
      ['no JSON', '{', /^the typed data is not JSON/],
      ['deep JSON', '['.repeat(9_000), /^the typed data is nested deeper than 64 levels$/],
      ['no types', {}, /^types is missing; accepted: an object$/],
      ['a type that is no list', { types: { A: 5 } }, /^types\.A is 5; accepted: a list of/],
      [
        'an unknown primary type',
        { types, primaryType: 'X' },
        /^primaryType is "X"; accepted: Person, Mail, EIP712Domain$/,
      ],
      [
        'a missing value',
        { types, primaryType: 'Person', message: { name: 'x' } },
        /^message\.wallets is missing; accepted: address\[\]: a list$/,
      ],
      [
        'an inherited value',
        { types: { A: [{ name: 'toString', type: 'string' }] }, primaryType: 'A', message: {} },
        /^message\.toString is missing/,
      ],
      [
        'a value out of bounds',
        { types: { A: [{ name: 'a', type: 'uint8' }] }, primaryType: 'A', message: { a: 256 } },
        /^message\.a is 256; accepted: a value of type uint8$/,
      ],
      [
        'an unknown type',
        { types: { A: [{ name: 'a', type: 'B' }] }, primaryType: 'A', message: { a: {} } },
        /^message\.a is \{\}; accepted: a value of type B$/,
      ],
      [
        'too many types',
        { types: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`A${i}`, []])) },
        /^the number of types is 51; accepted: up to 50$/,
      ],
      [
        'a maze of types',
        { types: layers, primaryType: 'T0', message: {} },
        /^message\.a is missing/,
      ],
    ] as const) {
      it(`reject ${what}`, async () => {
        const error = await refusal(on.rpc, 'eth_signTypedData_v4', FIRST, data);
        assert.equal(error.code, -32602);
        assert.match(error.message, pattern);
      });
    }
  });

  for (const [what, fields, type] of [
    ['as little as there is', {}, 2],
    ['a price', { gasPrice: '0x3b9aca00' }, 0],
    [
      'an access list',
      { gasPrice: '0x3b9aca00', accessList: [{ address: COUNTER, storageKeys: [] }] },
      1,
    ],
    [
      'all fields',
      {
        from: SECOND,
        nonce: '0x0',
        gas: '0x186a0',
        maxFeePerGas: '0x77359400',
        maxPriorityFeePerGas: '0x1',
      },
      2,
    ],
  ] as const) {
    it(`sign a transaction with ${what}`, async () => {
      const raw = await call(on.rpc, 'eth_signTransaction', { to: COUNTER, ...fields });
      const signed = Transaction.from(raw);
      assert.equal(signed.type, type);
      assert.equal(signed.chainId, 1n);
      assert.equal(signed.from?.toLowerCase(), 'from' in fields ? SECOND : FIRST);
      assert.equal(await on.counter(), 1);
      const hash = await call(on.rpc, 'eth_sendRawTransaction', raw);
      assert.equal((await on.receiptOf(hash)).status, '0x1');
      assert.equal(await on.counter(), 2);
    });
  }

  it('sign an authorization list, and no transaction for another chain', async () => {
    const key = HDNodeWallet.fromPhrase(TEST_MNEMONIC, '', "m/44'/60'/0'/0/1");
    const { address, nonce, chainId, signature } = await key.authorize({
      address: COUNTER,
      nonce: 0,
      chainId: 1,
    });
    const { r, s, yParity } = signature;
    const hex = (value: bigint) => `0x${value.toString(16)}`;
    const authorizationList = [
      { address, nonce: hex(nonce), chainId: hex(chainId), r, s, yParity: hex(BigInt(yParity)) },
    ];
    const raw = await call(on.rpc, 'eth_signTransaction', {
      to: SECOND,
      authorizationList,
      gas: '0x186a0',
    });
    assert.equal(Transaction.from(raw).type, 4);
    await call(on.rpc, 'eth_sendRawTransaction', raw);
    assert.equal(
      await call(on.rpc, 'eth_getCode', SECOND, 'latest'),
      `0xef0100${COUNTER.slice(2)}`,
    );
    for (const [request, pattern] of [
      [{ to: COUNTER, chainId: '0x5' }, /chainId is 5, this fork is chain 1/],
      [
        { to: COUNTER, gas: '0x186a0', authorizationList: [{ address }] },
        /^the transaction cannot be signed: /,
      ],
      [undefined, /^the transaction is null; accepted: an object$/],
      [
        { to: COUNTER, maxPriorityFeePerGas: `0x${'f'.repeat(64)}` },
        /^maxPriorityFeePerGas is .*; accepted: a quantity as hex, below 2\^128$/,
      ],
    ] as const) {
      assert.match((await refusal(on.rpc, 'eth_signTransaction', request)).message, pattern);
    }
  });
});
