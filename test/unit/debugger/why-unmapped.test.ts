import assert from 'node:assert/strict';
import {
  languageOf,
  whyNoLines,
  whyNoVariables,
} from '../../../server/debugger/session/why-unmapped';
import type { ExecutedCode } from '../../../server/debugger/session/executed-codes';

const ADDRESS = `0x${'ab'.repeat(20)}` as const;
const executed = (known: Partial<ExecutedCode>): ExecutedCode => ({
  address: ADDRESS,
  code: Buffer.from('6001', 'hex'),
  isCreation: false,
  program: undefined,
  unmapped: undefined,
  identity: '',
  ...known,
});
const about = (known: Partial<ExecutedCode>): unknown[] => {
  const code = executed(known);
  return [languageOf(code), whyNoLines(code), whyNoVariables(code)];
};
const unmapped = (language: string, compilerVersion: string): ExecutedCode['unmapped'] => ({
  contractName: 'Shop',
  language,
  compilerVersion,
  origin: 'sourcify',
  files: [],
});

describe('code that has no source map', () => {
  const unknown = `no source with a source map is known for the code of ${ADDRESS}: compile it in the workspace, or verify it on Sourcify`;

  it('is of Vyper by its source', () => {
    assert.deepEqual(about({ unmapped: unmapped('Vyper', '0.4.0+commit.e9db8d9f') }), [
      'Vyper',
      `the code of ${ADDRESS} was compiled by Vyper 0.4.0, whose source maps are not read: its instructions are shown`,
      'it was compiled by Vyper 0.4.0, whose variables are not read',
    ]);
  });

  it('is of Vyper by its metadata', () => {
    const code = Buffer.from('6001a165767970657283000309000b', 'hex');
    assert.deepEqual(about({ code }), [
      'Vyper',
      `the code of ${ADDRESS} was compiled by Vyper 0.3.9, whose source maps are not read: its instructions are shown`,
      'it was compiled by Vyper 0.3.9, whose variables are not read',
    ]);
  });

  it('is of Vyper of an unknown version', () => {
    assert.equal(
      whyNoVariables(executed({ unmapped: unmapped('Vyper', '') })),
      'it was compiled by Vyper, whose variables are not read',
    );
  });

  it('is a clone of another contract', () => {
    const target = `0x${'cd'.repeat(20)}`;
    const code = Buffer.from(
      `363d3d373d3d3d363d73${'cd'.repeat(20)}5af43d82803e903d91602b57fd5bf3`,
      'hex',
    );
    assert.deepEqual(about({ code }), [
      '',
      `the code of ${ADDRESS} is a clone (EIP-1167), which delegates each call to ${target}: it has no source`,
      'it is a clone (EIP-1167), which has no source',
    ]);
  });

  it('is of another compiler, or of an unknown one', () => {
    assert.deepEqual(about({ unmapped: unmapped('Solidity', '0.8.30') }), [
      'Solidity',
      `the source of the code of ${ADDRESS}, from sourcify, has no source map, so that its lines are not known: compile it in the workspace, or verify it on Sourcify`,
      'its source has no source map',
    ]);
    assert.deepEqual(about({}), ['', unknown, 'its source is not known']);
  });
});
