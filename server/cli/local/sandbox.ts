import { loadSandboxContracts } from '../../chains/sandbox/parts/contracts';
import { renderStory } from '../../chains/sandbox/transaction-list';
import { planSandbox } from '../../chains/sandbox/plan';
import type { Handler } from '../command-handlers/context';

/** Lists all transactions of the built-in chain. Needs no service, because the hashes are fixed. */
export const sandboxListCommand: Handler<'sandbox list'> = (_input, { out }) => {
  const { story } = planSandbox(loadSandboxContracts());
  out.result(story, () => renderStory(story, out.colors.dim));
  return Promise.resolve();
};
