import { ContractInterface } from '../analysis/contract-interface';
import type { AbiSource, Contract } from '../analysis/ports';
import { OWN_FUNCTION } from './synthetic-calls';

const NAME = 'Synthetic';
const OWN = ContractInterface.fromAbi(
  [
    `function ${OWN_FUNCTION}`,
    'function balanceOf(address account) view returns (uint256)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
  ],
  'sourcify',
);
const IMPLEMENTATION = `0x${'77'.repeat(20)}` as const;

/** What may be known of a contract: each combination of fields is an object of another hidden class for V8. */
const FACTS: readonly Contract[] = [
  {},
  { name: NAME },
  { name: NAME, interface: OWN },
  { implementation: IMPLEMENTATION },
  { name: NAME, interface: OWN, constructorArguments: '', implementation: IMPLEMENTATION },
  { given: OWN },
];

/** Adds facts to the contracts that a source identifies, in turns. */
export const withSyntheticContracts = (abis: AbiSource): AbiSource => ({
  identify: async (network, request, signal) => {
    const known = await abis.identify(network, request, signal);
    const contracts = [...known.contracts].map(
      ([address, contract], index) =>
        [address, { ...contract, ...FACTS[index % FACTS.length] }] as const,
    );
    return { ...known, contracts: new Map(contracts) };
  },
});
