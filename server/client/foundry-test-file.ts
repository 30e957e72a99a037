import type { FoundryTest } from '../api/foundry-test';
import type { Analysis } from '../api/views';
import { checksumAddress } from './checksum-address';
import { foundryTest, testName } from './foundry-test';
import { testedTransaction } from './tested-transaction';

/** The Foundry test of an analyzed transaction, with its file name. */
export function foundryTestOf(analysis: Analysis): FoundryTest {
  const transaction = testedTransaction(analysis);
  return {
    name: `${testName(transaction)}.t.sol`,
    text: foundryTest(transaction, checksumAddress),
  };
}
