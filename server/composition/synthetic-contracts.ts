import { ContractInterface } from '../analysis/contract-interface';
import type { AbiSource, Contract } from '../analysis/ports';
import { OWN_FUNCTION } from './synthetic-calls';

const NAME = 'Synthetic';
const IMPLEMENTATION = `0x${'77'.repeat(20)}` as const;

/** What may be known of a contract: each combination of fields is an object of another hidden class for V8. */
function variants(): readonly Contract[] {
  const own = ContractInterface.fromAbi(
    [
      `function ${OWN_FUNCTION}`,
      'function balanceOf(address account) view returns (uint256)',
      'event Transfer(address indexed from, address indexed to, uint256 value)',
    ],
    'sourcify',
  );
  return [
    {},
    { name: NAME },
    { name: NAME, interface: own },
    { implementation: IMPLEMENTATION },
    { name: NAME, interface: own, constructorArguments: '', implementation: IMPLEMENTATION },
    { given: own },
  ];
}

/** Adds facts to the contracts that a source identifies, in turns. */
export function withSyntheticContracts(abis: AbiSource): AbiSource {
  const facts = variants();
  return {
    identify: async (network, request, signal) => {
      const known = await abis.identify(network, request, signal);
      const contracts = [...known.contracts].map(
        ([address, contract], index) =>
          [address, { ...contract, ...facts[index % facts.length] }] as const,
      );
      return { ...known, contracts: new Map(contracts) };
    },
  };
}
