import * as vscode from 'vscode';
import type { PublicChain } from '../../server/api/config';
import { ApiError } from '../../server/api/errors';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { ApiClient } from '../client/api-client';
import { sentence } from '../errors';
import { askPick, askText, type PickItem } from '../quick-input/quick-input';
import { BACK, runSteps, type Step } from '../quick-input/steps';
import {
  heightProblem,
  nameProblem,
  parseHeight,
  parsePosition,
  positionProblem,
} from './input-rules';
import { pickProject } from './pickers';
import { withProgress } from './progress';

const TITLE = 'Create Fork';

/** What the user has entered so far, as text: it stays when they go back, or when the service refuses it. */
interface Draft {
  chain: PublicChain | undefined;
  height: string;
  position: string;
  name: string | undefined;
  antiReplay: boolean;
  refusal: Refusal | undefined;
}

interface Refusal {
  field: Field;
  message: string;
}

const FIELDS = ['chain', 'height', 'position', 'name', 'antiReplay'] as const;
type Field = (typeof FIELDS)[number];

/** Asks for a fork step by step and creates it; a value that the service refuses is asked for again. */
export async function createForkInteractively(
  client: ApiClient,
  known: Project | undefined,
): Promise<Fork> {
  const project = known ?? (await pickProject(client, TITLE));
  const draft: Draft = {
    chain: undefined,
    height: 'safe',
    position: '',
    name: undefined,
    antiReplay: false,
    refusal: undefined,
  };
  const steps = stepsOf(client, draft);
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

async function createFork(client: ApiClient, project: Project, draft: Draft): Promise<Fork> {
  const { chain, antiReplay } = draft;
  const name = draft.name?.trim() ?? '';
  const height = parseHeight(draft.height);
  const position = parsePosition(draft.position);
  if (chain === undefined || height === undefined) throw new Error('the wizard is not finished');
  return withProgress(`Creating fork "${name}" of ${chain.slug}…`, (signal, onProgress) =>
    client.call(
      'createFork',
      {
        params: { project_id: project.projectId },
        body: {
          chainId: chain.chainId,
          chain: chain.slug,
          height,
          ...(position === undefined || position === null ? {} : { position }),
          name,
          antiReplay,
        },
      },
      { signal, onProgress },
    ),
  );
}

/** In the order of `FIELDS`. */
function stepsOf(client: ApiClient, draft: Draft): Step[] {
  /** The refusal of a field's value is shown once, where the field is asked for. */
  const takeRefusal = (field: Field): string | undefined => {
    if (draft.refusal?.field !== field) return undefined;
    const { message } = draft.refusal;
    draft.refusal = undefined;
    return message;
  };

  return [
    async (frame) => {
      const picked = await askPick({
        title: TITLE,
        frame,
        placeholder: 'Chain to fork',
        items: client.call('listChains', {}).then((chains) => chains.map(chainItem)),
        isActive: (chain) => chain.slug === draft.chain?.slug,
      });
      if (picked === BACK) return BACK;
      draft.chain = picked.value;
      return undefined;
    },

    async (frame) => {
      const text = await askText({
        title: TITLE,
        frame,
        value: draft.height,
        prompt: 'Block to fork from: safe for the latest safe block, or a number, decimal or hex',
        placeholder: 'safe',
        error: takeRefusal('height'),
        validate: heightProblem,
      });
      if (text === BACK) return BACK;
      draft.height = text;
      return undefined;
    },

    async (frame) => {
      const text = await askText({
        title: TITLE,
        frame,
        value: draft.position,
        prompt:
          'Transactions of that block to apply first. Empty: the whole block; 0: start in front of the block',
        placeholder: 'all',
        error: takeRefusal('position'),
        validate: positionProblem,
      });
      if (text === BACK) return BACK;
      draft.position = text;
      return undefined;
    },

    async (frame) => {
      const text = await askText({
        title: TITLE,
        frame,
        value: draft.name ?? suggestedName(draft),
        prompt: 'Name of the fork, 1-64 characters',
        error: takeRefusal('name'),
        validate: nameProblem,
      });
      if (text === BACK) return BACK;
      draft.name = text;
      return undefined;
    },

    async (frame) => {
      const picked = await askPick({
        title: TITLE,
        frame,
        placeholder: 'Anti-replay: may a transaction signed for the fork run on the real chain?',
        items: Promise.resolve(antiReplayItems(draft.chain?.chainId ?? 0)),
        isActive: (antiReplay) => antiReplay === draft.antiReplay,
      });
      if (picked === BACK) return BACK;
      draft.antiReplay = picked.value;
      return undefined;
    },
  ];
}

function chainItem(chain: PublicChain): PickItem<PublicChain> {
  return {
    label: chain.slug,
    description: `${chain.name} · chain id ${chain.chainId}`,
    iconPath: new vscode.ThemeIcon('link'),
    value: chain,
  };
}

function antiReplayItems(chainId: number): PickItem<boolean>[] {
  return [
    {
      label: 'Off',
      description: `chain id ${chainId}`,
      detail: 'Wallets and scripts work unchanged; what they sign is valid on the real chain, too.',
      value: false,
    },
    {
      label: 'On',
      description: `chain id 999${chainId}`,
      detail: 'What is signed for the fork is refused by the real chain, and the other way round.',
      value: true,
    },
  ];
}

function suggestedName({ chain, height }: Draft): string {
  const parsed = parseHeight(height);
  const at = parsed === undefined || parsed === 'safe' ? 'safe' : BigInt(parsed).toString();
  return `${chain?.slug ?? 'fork'}-${at}`;
}

/** The step that can mend what the service refused; undefined where none can. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const message = sentence(error.message);
  if (error.kind === 'blockNotFound') return { field: 'height', message };
  if (error.kind !== 'invalidField') return undefined;
  const field = FIELDS.find((name) => error.message.startsWith(name));
  return field === undefined ? undefined : { field, message };
}
