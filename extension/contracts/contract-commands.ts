import { shortHex } from '../../server/client/format';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import type { ForkNode } from '../model/tree-node';
import { copyText } from '../ui/clipboard';
import type { ContractBook } from './contract-book';

/** Commands on the contracts of forks. What they do is in a bundle of its own, which encodes calls. */
export function contractCommands(
  context: CommandContext,
  book: ContractBook,
): Pick<
  Commands,
  | 'forklens.deployContract'
  | 'forklens.addContract'
  | 'forklens.removeContract'
  | 'forklens.copyContractAddress'
  | 'forklens.useContractFunction'
> {
  return {
    'forklens.deployContract': async (given) => {
      const { deployContract } = await import('./contracts-bundle');
      await deployContract(context, book, given);
    },

    'forklens.addContract': async (given) => {
      const { addContract } = await import('./contracts-bundle');
      const node: ForkNode | undefined = given?.kind === 'contracts' ? given.parent : given;
      await addContract(context, book, node);
    },

    'forklens.removeContract': async ({ contract, parent }) => {
      await book.remove(parent.parent.fork.forkId, contract.address);
    },

    'forklens.copyContractAddress': async ({ contract: { address } }) => {
      await copyText(address, shortHex(address));
    },

    'forklens.useContractFunction': async (node) => {
      const { useFunction } = await import('./contracts-bundle');
      await useFunction(context, book, node);
    },
  };
}
