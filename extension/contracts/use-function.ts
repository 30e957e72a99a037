import * as l10n from '@vscode/l10n';
import { encodeFunctionData, type Abi } from 'viem';
import type { CommandContext } from '../model/command-context';
import type { FunctionNode } from '../model/tree-node';
import { withProgress } from '../ui/progress';
import { askCall } from './ask-call';
import type { ContractBook } from './contract-book';
import { abiOf, callFunction, isView } from './contract-functions';
import { sendCall } from './send-call';

/** Calls a function that changes nothing, and shows the answer in the tree; sends others, and shows the transaction. */
export async function useFunction(
  context: Pick<CommandContext, 'inspector' | 'memento'>,
  book: Pick<ContractBook, 'setAnswer'>,
  node: FunctionNode,
): Promise<void> {
  const { contract, parent } = node.parent;
  const { fork } = parent.parent;
  const abi = abiOf(node);
  const title = `${contract.name}.${abi.name}`;
  const isSent = !isView(abi);
  const isPayable = abi.stateMutability === 'payable';
  const key = `${contract.name}.${node.function.signature}`;
  const wanted = { title, key, inputs: abi.inputs, isPayable, isSent };
  const { args, value, from } = await askCall(wanted, fork, context.memento);
  if (!isSent) {
    const answer = await withProgress(l10n.t('Calling {0}…', title), (signal) =>
      callFunction(fork, node.parent, abi, args, signal),
    );
    book.setAnswer(node, answer);
    return;
  }
  const data = encodeFunctionData({ abi: [abi], functionName: abi.name, args });
  const call = { title, from, to: contract.address, data, value };
  const transaction = await sendCall(context, fork, contract.abi as unknown as Abi, call);
  await context.inspector.open({ chain: fork.forkId, transaction, title: abi.name });
}
