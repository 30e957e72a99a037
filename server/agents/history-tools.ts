import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { bisectBody } from '../api/bisect';
import { ApiError } from '../api/errors';
import { addressSchema } from '../api/primitives';
import { regressBody } from '../api/regress';
import { reorderBody } from '../api/reorder';
import type { RouteRequest } from '../api/routes';
import { CONTRACT_LIMITS } from '../api/schema-limits';
import { ArtifactError, readArtifactText } from '../client/read-artifact';
import { chain, json, tool, type AgentTools } from './agent-tool';

const { shape } = bisectBody;

const artifact = z.string().min(1).meta({
  description:
    'Artifact of Foundry or Hardhat with the new code, as JSON text. abi and deployedBytecode are enough; with storageLayout, the layouts are compared as well',
});

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

  check_upgrade: tool({
    title: l10n.t('Check upgrade'),
    description:
      'Compares the live proxy of an EVM chain or fork with the artifact of its next implementation: storage layout with live values, initializers, functions, events, code size, immutables, and who may upgrade. Use it before an upgrade; an item of level error breaks something, one of level unknown could not be checked.',
    input: z.object({
      chain,
      proxy: addressSchema.meta({ description: 'Address of the proxy' }),
      artifact,
    }),
    run: async (client, { chain: place, proxy: address, artifact: text }, signal) => {
      const params = { chain: place, address };
      return json(
        await client.call(
          'checkUpgrade',
          { params, body: { newCode: newCodeOf(text) } },
          { signal },
        ),
      );
    },
  }),

  replay_with_new_code: tool({
    title: l10n.t('Replay with new code'),
    description:
      'Executes real transactions of a contract of an EVM chain or fork again, each on its own state, with its old and with new code, and gives a verdict for each: nowFails, otherEffects, nowSucceeds, unknown, otherGas, same, created. Use it to learn whether a fix stops an attack (nowFails) and changes nothing else (same, otherGas).',
    input: z.object({
      chain,
      contract: addressSchema.meta({ description: 'Address; of a proxy, its code is replaced' }),
      artifact,
      transactions: regressBody.shape.transactions
        .optional()
        .meta({ description: 'Hashes; left out: the newest that touched the contract' }),
      last: z
        .int()
        .min(1)
        .max(CONTRACT_LIMITS.regressTransactions)
        .default(20)
        .meta({ description: 'How many of the newest, where transactions is left out' }),
    }),
    run: async (client, { chain: place, contract, artifact: text, ...wanted }, signal) => {
      const params = { chain: place, address: contract };
      const newCode = newCodeOf(text);
      const found = wanted.transactions
        ? { transactions: wanted.transactions, by: 'transactions' }
        : await client.call('findTouching', { params, body: { last: wanted.last } }, { signal });
      const { transactions, by } = found;
      if (transactions.length === 0) return json({ by, results: [] });
      const body = { newCode, transactions };
      const answer = await client.call('regress', { params, body }, { signal });
      return json({ by, ...answer });
    },
  }),

  reorder_block: tool({
    title: l10n.t('Reorder block'),
    description:
      'Executes a past block of an EVM chain or fork with transactions dropped, moved, changed or inserted, and says for each transaction and account what happened and what would have happened. Amounts are net gains in the smallest unit. Use it for front-running and sandwiches (what if they were not there), and for rescues (what if this was first). check says whether the block as it was is reproduced; if not, nothing is proved.',
    input: z.object({
      chain,
      block: reorderBody.shape.block,
      changes: reorderBody.shape.changes,
    }),
    run: async (client, { chain: place, ...body }, signal) =>
      json(await client.call('reorder', { params: { chain: place }, body }, { signal })),
  }),
};

/** @throws ApiError `invalidField` */
function newCodeOf(text: string): RouteRequest<'checkUpgrade'>['body']['newCode'] {
  try {
    return readArtifactText(text, '') as RouteRequest<'checkUpgrade'>['body']['newCode'];
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    throw new ApiError('invalidField', `artifact: ${error.message}`, { cause: error });
  }
}
