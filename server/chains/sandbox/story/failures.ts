import { parseEther, parseUnits } from 'ethers';
import type { SandboxDirectory } from '../parts/directory';
import type { StoryStep } from '../parts/steps';

/** Failures, and failures that a caller catches. */
export function failureSteps(directory: SandboxDirectory): StoryStep[] {
  const { address } = directory;
  return [
    {
      id: 'error-string',
      title: 'Bob sends a million HBR that he does not have',
      shows: 'A require() with a text: Error(string).',
      fails: true,
      from: 'bob',
      ...directory.call('hbr', 'transfer', [address('alice'), parseUnits('1000000', 18)]),
    },
    {
      id: 'custom-error-three-deep',
      title: 'Alice orders three items of two in stock',
      shows:
        'The checkout calls the warehouse, which calls the shelf; the custom error of the shelf propagates to the top.',
      fails: true,
      from: 'alice',
      ...directory.call('checkout', 'buy', [7n, 3n]),
      value: parseEther('0.03'),
    },
    {
      id: 'panic-overflow',
      title: 'Bob subtracts 2 from 1',
      shows: 'Panic 0x11: arithmetic overflow or underflow.',
      fails: true,
      from: 'bob',
      ...directory.call('calculator', 'subtract', [1n, 2n]),
    },
    {
      id: 'panic-division-by-zero',
      title: 'Bob divides by zero',
      shows: 'Panic 0x12: division by zero.',
      fails: true,
      from: 'bob',
      ...directory.call('calculator', 'divide', [1n, 0n]),
    },
    {
      id: 'panic-array-index',
      title: 'Bob picks the fourth of three numbers',
      shows: 'Panic 0x32: array index out of bounds.',
      fails: true,
      from: 'bob',
      ...directory.call('calculator', 'pick', [3n]),
    },
    {
      id: 'caught-revert',
      title: 'The payroll pays two of three',
      shows:
        'One payment reverts and is caught: its events and its transfer are rolled back, the others remain.',
      from: 'carol',
      ...directory.call('payroll', 'run', [
        [address('alice'), address('mallory'), address('bob')],
        [parseUnits('900', 6), parseUnits('1500', 6), parseUnits('1000', 6)],
      ]),
    },
    {
      id: 'out-of-gas',
      title: 'Alice runs out of gas',
      shows: 'An endless loop uses the whole limit of 100000 gas.',
      fails: true,
      from: 'alice',
      ...directory.call('guzzler', 'spin'),
      gasLimit: 100_000,
    },
    {
      id: 'out-of-gas-caught',
      title: 'Alice lends the loop 30000 gas',
      shows: 'An inner call runs out of gas; its caller continues and emits an event.',
      from: 'alice',
      ...directory.call('guzzler', 'spinBriefly', [30_000n]),
      gasLimit: 200_000,
    },
  ];
}
