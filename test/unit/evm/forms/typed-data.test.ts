import assert from 'node:assert/strict';
import { TypedDataEncoder } from 'ethers';
import { typedDataHash } from '../../../../server/evm/forms/typed-data';

/** The example of EIP-712, with its own hash. */
const EXAMPLE = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};
const EXAMPLE_HASH = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

describe('typed data', () => {
  it('has the hash of EIP-712’s example, as an object and as text', () => {
    assert.equal(typedDataHash(EXAMPLE), EXAMPLE_HASH);
    assert.equal(typedDataHash(JSON.stringify(EXAMPLE)), EXAMPLE_HASH);
  });

  it('uses the fields of a domain without a type in the standard’s order', () => {
    const { EIP712Domain, ...types } = EXAMPLE.types;
    assert.equal(EIP712Domain.length, 4);
    const domain = Object.fromEntries(Object.entries(EXAMPLE.domain).reverse());
    assert.equal(typedDataHash({ ...EXAMPLE, types, domain }), EXAMPLE_HASH);
  });

  it('hashes arrays of arrays, words and numbers like another implementation', () => {
    const types = {
      Z: [{ name: 'flags', type: 'bool[2][]' }],
      B: [
        { name: 'z', type: 'Z[]' },
        { name: 'id', type: 'bytes3' },
      ],
      A: [
        { name: 'b', type: 'B[1]' },
        { name: 'z', type: 'Z' },
        { name: 'n', type: 'int64' },
        { name: 'u', type: 'uint256' },
        { name: 'texts', type: 'string[]' },
        { name: 'raw', type: 'bytes' },
      ],
    };
    const z = { flags: [[true, false]] };
    const message = {
      b: [{ z: [z, { flags: [] }], id: '0x010203' }],
      z,
      n: -3,
      u: `0x${'f'.repeat(64)}`,
      texts: ['', 'é'],
      raw: '0x',
    };
    const domain = { name: 'x', salt: `0x${'12'.repeat(32)}` };
    assert.equal(
      typedDataHash({ types, primaryType: 'A', domain, message }),
      TypedDataEncoder.hash(domain, types, message),
    );
  });

  it('hashes recursive types, and a domain alone', () => {
    const types = {
      Node: [
        { name: 'children', type: 'Node[]' },
        { name: 'value', type: 'uint8' },
      ],
    };
    const leaf = { children: [], value: 1 };
    const message = { children: [leaf, leaf], value: '2' };
    const hash = typedDataHash({ types, primaryType: 'Node', domain: {}, message });
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    const other = { children: [leaf], value: 2 };
    assert.notEqual(
      typedDataHash({ types, primaryType: 'Node', domain: {}, message: other }),
      hash,
    );
    const alone = { types: {}, primaryType: 'EIP712Domain', domain: { name: 'x' } };
    assert.match(typedDataHash(alone), /^0x[0-9a-f]{64}$/);
  });

  it('hashes types quickly that have countless combinations', () => {
    const types = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [
        `T${i}`,
        i >= 48
          ? [{ name: 'x'.repeat(1_000), type: 'bool' }]
          : ['a', 'b'].map((name, j) => ({ name, type: `T${i - (i % 2) + 2 + j}[]` })),
      ]),
    );
    const data = { types, primaryType: 'T0', domain: {}, message: { a: [], b: [] } };
    assert.match(typedDataHash(data), /^0x[0-9a-f]{64}$/);
  });
});
