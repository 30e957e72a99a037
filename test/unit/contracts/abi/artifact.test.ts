import assert from 'node:assert/strict';
import { readArtifact } from '../../../../server/contracts/abi/artifact';

const abi = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }];
const F = '0x26121ff0';
const link = `__$${'1'.repeat(34)}$__`;
const references = { 'a.sol': { Lib: [{ start: 1, length: 20 }] } };

describe('readArtifact', () => {
  it('reads an artifact of Foundry', () => {
    const artifact = readArtifact(
      {
        abi,
        bytecode: { object: '0x6001', sourceMap: '', linkReferences: {} },
        deployedBytecode: {
          object: `0x73${link}60AA${'0'.repeat(64)}`,
          linkReferences: references,
          immutableReferences: { '7': [{ start: 23, length: 32 }] },
        },
        methodIdentifiers: { 'f()': '26121ff0' },
      },
      'Vault',
    );
    assert.equal(artifact?.name, 'Vault');
    assert.equal(artifact.interface.functions(F).length, 1);
    assert.equal(artifact.creation?.begins('0x6001ff'), true);
    assert.equal(artifact.deployed?.matches(`0x73${'ab'.repeat(20)}60aa${'cd'.repeat(32)}`), true);
  });

  it('reads an artifact of Hardhat', () => {
    const artifact = readArtifact(
      {
        _format: 'hh-sol-artifact-1',
        contractName: 'Vault',
        sourceName: 'contracts/Vault.sol',
        abi,
        bytecode: '0x6001',
        deployedBytecode: `0x73${link}60aa`,
        linkReferences: {},
        deployedLinkReferences: references,
      },
      'other',
    );
    assert.equal(artifact?.name, 'Vault');
    assert.equal(artifact.deployed?.matches(`0x73${'ab'.repeat(20)}60aa`), true);
  });

  it('has no code for an interface', () => {
    const artifact = readArtifact(
      { contractName: 'IVault', abi, bytecode: '0x', deployedBytecode: '0x' },
      'x',
    );
    assert.equal(artifact?.deployed, undefined);
    assert.equal(artifact?.creation, undefined);
  });

  it('omits fragments that cannot be read, and keeps the others', () => {
    const odd = { type: 'function', name: 'g', inputs: [{ type: 'Lib.Set storage', name: 's' }] };
    const artifact = readArtifact(
      { contractName: 'Lib', abi: [odd, ...abi], bytecode: '0x', deployedBytecode: '0x' },
      'x',
    );
    assert.equal(artifact?.interface.functions(F).length, 1);
  });

  it('returns undefined for other JSON', () => {
    for (const json of [null, 1, [], {}, { abi }, { abi, bytecode: 'xyz', contractName: 'A' }]) {
      assert.equal(readArtifact(json, 'x'), undefined);
    }
  });
});
