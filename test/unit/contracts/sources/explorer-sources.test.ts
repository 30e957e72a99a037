import assert from 'node:assert/strict';
import { Etherscan } from '../../../../server/contracts/abi/etherscan';
import type { KnownSource } from '../../../../server/contracts/sources/code-sources';
import { BlockscoutSources } from '../../../../server/contracts/sources/verified/blockscout-sources';
import { EtherscanSources } from '../../../../server/contracts/sources/verified/etherscan-sources';
import { account, network } from '../../../support/analysis';
import { useJsonServices } from '../../../support/json-service';
import { CODE, find, finder, names, NEVER } from './find-verified';

describe('sources of explorers', () => {
  const serve = useJsonServices();

  describe('of Etherscan', () => {
    const answer = (contract: object) => ({
      status: '1',
      message: 'OK',
      result: [{ ABI: '[]', ContractName: 'Shop', ConstructorArguments: '', ...contract }],
    });
    const ask = async (contract: object) => {
      const service = await serve(() => ({ body: answer(contract) }));
      const etherscan = new Etherscan({ url: `${service.url}/api`, apiKey: 'k' });
      return find(finder(new EtherscanSources(etherscan)));
    };
    const texts = (source: KnownSource | undefined) =>
      source?.contract.compilation.files.map(({ name, content }) => [name, content]);

    it('are one text, the standard input in braces, or a map of files; without maps', async () => {
      const plain = await ask({
        SourceCode: 'contract Shop {}',
        CompilerVersion: 'v0.4.26+commit.4563c3fc',
        OptimizationUsed: '1',
        Runs: '200',
        EVMVersion: 'Default',
      });
      assert.deepEqual(texts(plain), [['Shop.sol', 'contract Shop {}']]);
      assert.equal(plain?.match, 'unchecked');
      assert.equal(plain.contract.deployed, undefined);
      const { compilation } = plain.contract;
      assert.equal(compilation.origin, 'etherscan');
      assert.equal(compilation.compilerVersion, '0.4.26+commit.4563c3fc');
      assert.deepEqual(compilation.settings, { optimizer: true, runs: 200 });

      const sources = { 'a/B.sol': { content: 'B' }, '/C.sol': { content: 'C' } };
      const standard = { language: 'Solidity', sources, settings: { viaIR: true } };
      const braced = await ask({
        SourceCode: `{${JSON.stringify(standard, null, 2)}}`,
        OptimizationUsed: '0',
        EVMVersion: 'Paris',
      });
      const listed = [
        ['a/B.sol', 'B'],
        ['C.sol', 'C'],
      ];
      assert.deepEqual(texts(braced), listed);
      assert.deepEqual(braced?.contract.compilation.settings, {
        optimizer: false,
        viaIR: true,
        evmVersion: 'paris',
      });
      assert.deepEqual(texts(await ask({ SourceCode: JSON.stringify(standard) })), listed);
      assert.deepEqual(texts(await ask({ SourceCode: JSON.stringify(sources) })), listed);
    });

    it('may be Vyper, or a text that only looks like JSON', async () => {
      const vyper = await ask({ SourceCode: '# @version 0.3.10', CompilerVersion: 'vyper:0.3.10' });
      assert.deepEqual(texts(vyper), [['Shop.vy', '# @version 0.3.10']]);
      assert.equal(vyper?.contract.compilation.language, 'Vyper');
      assert.equal(vyper.contract.compilation.compilerVersion, '0.3.10');
      assert.deepEqual(texts(await ask({ SourceCode: '{{' })), [['Shop.sol', '{{']]);
    });

    it('are unknown for an empty text and for a contract that is not verified', async () => {
      assert.equal(await ask({ SourceCode: '' }), undefined);
      const unverified = { ABI: 'Contract source code not verified', SourceCode: '' };
      assert.equal(await ask(unverified), undefined);
    });
  });

  describe('of Blockscout', () => {
    it('are asked for from the explorer of the chain', async () => {
      const service = await serve(() => ({
        body: {
          name: 'Shop',
          language: 'solidity',
          compiler_version: 'v0.8.30+commit.73712a01',
          evm_version: 'default',
          optimization_enabled: true,
          optimization_runs: 99,
          file_path: 'src/Shop.sol',
          source_code: 'contract Shop {}',
          additional_sources: [{ file_path: '../Base.sol', source_code: 'contract Base {}' }],
          compiler_settings: { viaIR: false },
        },
      }));
      const sources = finder(new BlockscoutSources({ eth: `${service.url}/` }));
      const at = { ...network(), key: 'f0rk', chain: 'eth' };
      const executed = { address: account(1), code: CODE, isCreation: false };
      const found = await sources.find(at, executed, NEVER);
      assert.deepEqual(service.asked, [`/api/v2/smart-contracts/${account(1)}`]);
      assert.deepEqual(names(found), ['src/Shop.sol', 'Base.sol']);
      assert.equal(found?.match, 'unchecked');
      const { compilation } = found.contract;
      assert.equal(compilation.origin, 'blockscout');
      assert.equal(compilation.language, 'Solidity');
      assert.deepEqual(compilation.settings, { optimizer: true, runs: 99, viaIR: false });
      assert.equal(
        await sources.find({ ...at, chain: 'other' }, { ...executed, address: account(2) }, NEVER),
        undefined,
      );
      assert.equal(service.asked.length, 1);
    });

    it('are unknown without a text, and for an unverified contract', async () => {
      for (const answer of [
        { body: { name: 'Shop', source_code: null } },
        { status: 404, body: { message: 'Not found' } },
      ]) {
        const service = await serve(() => answer);
        const executed = { address: account(1), code: CODE, isCreation: false };
        const sources = finder(new BlockscoutSources({ eth: service.url }));
        assert.equal(await sources.find({ ...network(), key: 'eth' }, executed, NEVER), undefined);
        assert.equal(service.asked.length, 1);
      }
    });
  });
});
