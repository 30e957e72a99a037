import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { bisectBody } from '../api/bisect';
import { chain, json, tool, type AgentTools } from './agent-tool';

const { shape } = bisectBody;

/** Questions to the past of a chain. They change nothing. */
export const HISTORY_TOOLS: AgentTools = {
  find_change: tool({
    title: l10n.t('Find when a value changed'),
    description:
      'Finds the transaction of an EVM chain or fork after which the value of a Solidity expression over the state changed (a view call, a state variable, a balance, a storage slot, or a comparison of several), with the storage writes, the functions and the source lines that did it. Use it to find when and by what an invariant broke.',
    input: z.object({
      chain,
      expression: shape.expression,
      from: shape.from,
      to: shape.to,
      contract: shape.contract,
      names: shape.names,
      functions: shape.functions,
      plan: shape.plan,
    }),
    run: async (client, { chain: place, ...body }, signal) =>
      json(await client.call('bisect', { params: { chain: place }, body }, { signal })),
  }),
};
