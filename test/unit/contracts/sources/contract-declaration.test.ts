import assert from 'node:assert/strict';
import {
  contractDeclaration,
  declarationIn,
} from '../../../../server/contracts/sources/contract-declaration';
import { SourceText } from '../../../../server/contracts/sources/source-text';

const BASE = new SourceText('src/Base.sol', '// ä\n\nabstract contract Base {}\n');
const VAULT = new SourceText(
  'src/Vault.sol',
  '// contract Vault\ncontract VaultFactory {}\n  contract Vault is Base {}\nlibrary $Math$ {}\n',
);
const VYPER = new SourceText('src/Pool.vy', '# @version 0.3.10\n');

const at = (name: string, texts = [BASE, VAULT, VYPER]): string | undefined => {
  const place = contractDeclaration(name, texts);
  return place && `${place.file}:${place.startLine}.${place.startColumn}-${place.endColumn}`;
};

describe('where the source of a contract begins', () => {
  it('is its declaration', () => {
    assert.equal(at('Vault'), 'src/Vault.sol:3.1-17');
    assert.equal(at('VaultFactory'), 'src/Vault.sol:2.1-22');
    assert.equal(at('Base'), 'src/Base.sol:3.1-23');
    assert.equal(at('$Math$'), 'src/Vault.sol:4.1-15');
  });

  it('is the file of its name, else the first one, without a declaration', () => {
    assert.equal(at('Pool'), 'src/Pool.vy:1.1-1');
    assert.equal(at('Other'), 'src/Base.sol:1.1-1');
    assert.equal(at(''), 'src/Base.sol:1.1-1');
    assert.equal(at('(.*)*x'), 'src/Base.sol:1.1-1');
    assert.equal(declarationIn('Pool', [BASE, VYPER]), undefined);
  });

  it('is nowhere without a text', () => {
    assert.equal(at('Vault', []), undefined);
  });
});
