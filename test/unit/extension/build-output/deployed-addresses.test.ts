import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deployedAddresses } from '../../../../extension/build-output/deployed-addresses';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

const address = (digit: string): string => `0x${digit.repeat(40)}`;

describe('addresses at which a contract was deployed', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(folder));

  /** @param time in seconds since 1970 */
  const write = async (file: string, content: unknown, time: number): Promise<void> => {
    const whole = path.join(folder, file);
    await mkdir(path.dirname(whole), { recursive: true });
    await writeFile(whole, typeof content === 'string' ? content : JSON.stringify(content));
    await utimes(whole, time, time);
  };
  const creation = (contractName: string, contractAddress: string, transactionType = 'CREATE') => ({
    transactionType,
    contractName,
    contractAddress,
  });

  it('are those of scripts of Foundry and of Hardhat Ignition, newest first', async () => {
    const first = [creation('Till', address('A')), creation('Other', address('b'))];
    await write('broadcast/First.s.sol/1/run-latest.json', { transactions: first }, 1_000);
    const second = [
      creation('Till', address('c')),
      creation('Till', address('d'), 'CREATE2'),
      creation('Till', address('e'), 'CALL'),
    ];
    await write('broadcast/Second.s.sol/1/run-latest.json', { transactions: second }, 3_000);
    const other = [creation('Till', address('f'))];
    await write('broadcast/Second.s.sol/5/run-latest.json', { transactions: other }, 4_000);
    const deployed = { 'Shop#Till': address('9'), 'Shop#Stall': address('8') };
    await write('ignition/deployments/chain-1/deployed_addresses.json', deployed, 2_000);
    assert.deepEqual(await deployedAddresses([folder], 'Till', [1]), [
      address('d'),
      address('c'),
      address('9'),
      address('a'),
    ]);
    assert.deepEqual(await deployedAddresses([folder], 'Till', [7, 5]), [address('f')]);
  });

  it('are none where files are missing, damaged, or of another form', async () => {
    await write('broadcast/A.s.sol/1/run-latest.json', '{ "transactions": [', 1_000);
    await write('broadcast/B.s.sol/1/run-latest.json', { transactions: [{}] }, 1_000);
    const strange = { transactions: [creation('Till', '0x12'), creation('Till', 'vault')] };
    await write('broadcast/C.s.sol/1/run-latest.json', strange, 1_000);
    await write('ignition/deployments/chain-1/deployed_addresses.json', [1], 1_000);
    const missing = path.join(folder, 'missing');
    assert.deepEqual(await deployedAddresses([folder, missing], 'Till', [1]), []);
  });
});
