import type { Analysis } from '../../api/views';
import { checksumAddress } from '../../client/checksum-address';
import { foundryTest, testName } from '../../client/foundry-test';
import { testedTransaction } from '../../client/tested-transaction';

/** A Foundry test of a transaction, and the name of its file. */
export function foundryTestOf(analysis: Analysis): { name: string; text: string } {
  const transaction = testedTransaction(analysis);
  return {
    name: `${testName(transaction)}.t.sol`,
    text: foundryTest(transaction, checksumAddress),
  };
}
