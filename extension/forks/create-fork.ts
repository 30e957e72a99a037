import * as l10n from '@vscode/l10n';
import type { ChainBlock } from '../../server/api/chain-block';
import type { Hardfork } from '../../server/api/config';
import { ApiError } from '../../server/api/errors';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { ApiClient } from '../model/api-client';
import { sentence } from '../model/sentence';
import { enterText } from '../ui/quick-input';
import { runSteps } from '../ui/steps';
import { grouped, shortHex } from '../../server/client/format';
import { FIELDS, newDraft, stepsOf, type ForkDraft, type Refusal } from './fork-steps';
import { pickRules } from './pick-rules';
import { nameProblem } from '../ui/input-rules';
import { pickProject, type ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';

const TITLE = l10n.t('Create Fork');

/** Asks for the fork's settings step by step and creates it. Asks again for a value that the service refuses. */
export async function createForkInteractively(
  client: ApiClient,
  known: Project | undefined,
): Promise<Fork> {
  const project = known ?? (await pickProject(client, TITLE));
  const draft = newDraft();
  const steps = stepsOf(client, draft, TITLE);
  for (let first = 0; ;) {
    await runSteps(steps, first);
    try {
      return await createFork(client, project, draft);
    } catch (error) {
      draft.refusal = refusalOf(error);
      if (draft.refusal === undefined) throw error;
      first = FIELDS.indexOf(draft.refusal.field);
    }
  }
}

/**
 * Forks right before a transaction. Asks only for a name.
 * @param chain slug of the chain that contains the transaction
 */
export async function createForkBefore(
  client: ApiClient,
  chain: string,
  transaction: string,
): Promise<Fork> {
  const title = l10n.t('Fork Before {0}', shortHex(transaction));
  const block = await withProgress(
    l10n.t('Looking for transaction {0}…', shortHex(transaction)),
    (signal) =>
      client.call('findBlock', { params: { chain }, query: { at: transaction } }, { signal }),
  );
  const chains = await client.call('listChains', {});
  const draft: ForkDraft = {
    ...newDraft(),
    chain: chains.find(({ slug }) => slug === chain),
    block,
    position: block.position ?? undefined,
  };
  const project = await pickProject(client, title);
  draft.name = await enterText({
    title,
    value: `before-${transaction.slice(0, 10)}`,
    prompt: l10n.t('Name of the fork, at {0} of {1}', placeInWords(block), chain),
    validate: nameProblem,
  });
  return createFork(client, project, draft);
}

/** Like `createForkBefore`, for a transaction of a fork: creates another fork that contains everything before the transaction. */
export async function branchBefore(
  client: ApiClient,
  { project, fork }: ForkChoice,
  transaction: string,
): Promise<Fork> {
  const text = await enterText({
    title: l10n.t('Fork Before {0}', shortHex(transaction)),
    value: `before-${transaction.slice(0, 10)}`,
    prompt: l10n.t(
      'Name of the fork, which has all that was done on "{0}" before the transaction',
      fork.name,
    ),
    validate: nameProblem,
  });
  const name = text.trim();
  const params = { project_id: project.projectId, fork_id: fork.forkId };
  return withProgress(l10n.t('Creating fork "{0}"…', name), (signal, onProgress) =>
    client.call('branchFork', { params, body: { name, transaction } }, { signal, onProgress }),
  );
}

const placeInWords = ({ number, position }: ChainBlock): string =>
  l10n.t('block {0}, position {1}', grouped(number), position ?? 0);

/** Offers other rules where the service executes those of the block in no fork. */
async function createFork(client: ApiClient, project: Project, draft: ForkDraft): Promise<Fork> {
  try {
    return await createByRules(client, project, draft, undefined);
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'rulesUnsupported') throw error;
    const rules = await pickRules(TITLE, sentence(error.message));
    return createByRules(client, project, draft, rules);
  }
}

async function createByRules(
  client: ApiClient,
  project: Project,
  draft: ForkDraft,
  rules: Hardfork | undefined,
): Promise<Fork> {
  const { chain, block, position, antiReplay } = draft;
  const name = draft.name?.trim() ?? '';
  if (chain === undefined || block === undefined) throw new Error('the wizard is not finished');
  return withProgress(
    l10n.t('Creating fork "{0}" of {1}…', name, chain.slug),
    (signal, onProgress) =>
      client.call(
        'createFork',
        {
          params: { project_id: project.projectId },
          body: {
            chainId: chain.chainId,
            chain: chain.slug,
            height: block.height,
            ...(position === undefined ? {} : { position }),
            name,
            antiReplay,
            ...(rules === undefined ? {} : { rules }),
          },
        },
        { signal, onProgress },
      ),
  );
}

/** The refused field and the reason; undefined if no step can correct the error. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const message = sentence(error.message);
  if (error.kind === 'blockNotFound') return { field: 'height', message };
  if (error.kind !== 'invalidField') return undefined;
  const field = FIELDS.find((name) => error.message.startsWith(name));
  return field === undefined ? undefined : { field, message };
}
