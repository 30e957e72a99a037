import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChainBlock } from '../../server/api/chain-block';
import type { PublicChain } from '../../server/api/config';
import { ApiError, type ApiErrorName } from '../../server/api/errors';
import { withoutSeparators } from '../../server/client/amounts';
import { counted, grouped, utc } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { sentence } from '../model/sentence';
import { askPick, askText, type PickItem } from '../ui/quick-input';
import { BACK, type Step } from '../ui/steps';
import { heightProblem, nameProblem, parsePosition, positionProblem } from '../ui/input-rules';
import { OTHER_POSITION, positionItems } from './position-list';
import { withProgress } from '../ui/progress';

export const FIELDS = ['chain', 'height', 'position', 'name', 'antiReplay'] as const;
type Field = (typeof FIELDS)[number];

/** The service's message about a field's value. */
export interface Refusal {
  field: Field;
  message: string;
}

/** Values that the user has entered so far. They are kept when the user goes back or the service refuses them. */
export interface ForkDraft {
  chain: PublicChain | undefined;
  /** Block reference as the user wrote it. */
  at: string;
  /** The block that `at` refers to. */
  block: ChainBlock | undefined;
  /** undefined: after the whole block. */
  position: number | undefined;
  name: string | undefined;
  antiReplay: boolean;
  refusal: Refusal | undefined;
}

export const newDraft = (): ForkDraft => ({
  chain: undefined,
  at: 'safe',
  block: undefined,
  position: undefined,
  name: undefined,
  antiReplay: false,
  refusal: undefined,
});

/** Errors that the user can correct by entering another value. */
const NOT_FOUND: readonly ApiErrorName[] = [
  'blockNotFound',
  'transactionNotFound',
  'transactionPending',
  'invalidField',
];

/** What the steps ask with. */
interface Asking {
  client: ApiClient;
  draft: ForkDraft;
  title: string;
}

/** The wizard's steps, in the order of `FIELDS`. Each stores its answer in the draft. */
export function stepsOf(client: ApiClient, draft: ForkDraft, title: string): Step[] {
  const asking = { client, draft, title };
  return [
    chainStep(asking),
    heightStep(asking),
    positionStep(asking),
    nameStep(asking),
    antiReplayStep(asking),
  ];
}

/** Returns a field's refusal once, so that it is shown only at the next input of that field. */
function takeRefusal(draft: ForkDraft, field: Field): string | undefined {
  if (draft.refusal?.field !== field) return undefined;
  const { message } = draft.refusal;
  draft.refusal = undefined;
  return message;
}

const chainStep =
  ({ client, draft, title }: Asking): Step =>
  async (frame) => {
    const picked = await askPick({
      title,
      frame,
      placeholder: l10n.t('Chain to fork: name, slug or chain id'),
      items: client.call('listChains', {}).then((chains) => chains.map(chainItem)),
      isActive: (chain) => chain.slug === draft.chain?.slug,
    });
    if (picked === BACK) return BACK;
    draft.chain = picked.value;
    return undefined;
  };

const heightStep =
  ({ client, draft, title }: Asking): Step =>
  async (frame) => {
    for (let error = takeRefusal(draft, 'height'); ;) {
      const text = await askText({
        title,
        frame,
        value: draft.at,
        prompt: l10n.t(
          'Block to fork from: safe, latest, a number, a UTC date, or a transaction hash',
        ),
        placeholder: 'safe',
        error,
        validate: heightProblem,
      });
      if (text === BACK) return BACK;
      draft.at = text;
      try {
        const block = await findBlock(client, draft.chain?.slug ?? '', text);
        const { hash, position } = block;
        if (hash !== draft.block?.hash || position !== draft.block.position) {
          draft.position = position ?? undefined;
        }
        draft.block = block;
        return undefined;
      } catch (refused) {
        if (!(refused instanceof ApiError && NOT_FOUND.includes(refused.kind))) throw refused;
        // The request's field name means nothing to the user.
        error = sentence(refused.message.replace(/^at is /, ''));
      }
    }
  };

function findBlock(client: ApiClient, chain: string, text: string): Promise<ChainBlock> {
  const query = { at: withoutSeparators(text) };
  return withProgress(l10n.t('Looking for the block…'), (signal) =>
    client.call('findBlock', { params: { chain }, query }, { signal }),
  );
}

/** A list where the block is known, and a number where the user wants another position, or a number was refused. */
const positionStep =
  (asking: Asking): Step =>
  async (frame) => {
    const { client, draft } = asking;
    const { block } = draft;
    const refused =
      block === undefined || block.position === null ? takeRefusal(draft, 'position') : undefined;
    if (block !== undefined && refused === undefined) {
      const picked = await askPick<number | typeof OTHER_POSITION | undefined>({
        title: asking.title,
        frame,
        placeholder: l10n.t('Where in {0}', blockInWords(block)),
        items:
          block.position === null
            ? positionItems(client, draft.chain?.slug ?? '', block)
            : Promise.resolve(sidesOf(block, block.position)),
        isActive: (position) => position === draft.position,
      });
      if (picked === BACK) return BACK;
      if (picked.value !== OTHER_POSITION) {
        draft.position = picked.value;
        return undefined;
      }
    }
    return askPosition(asking, frame, refused);
  };

async function askPosition(
  { draft, title }: Asking,
  frame: Parameters<Step>[0],
  error: string | undefined,
): ReturnType<Step> {
  const { block } = draft;
  const count = block?.transactionCount ?? 0;
  const text = await askText({
    title,
    frame,
    value: draft.position === undefined ? '' : String(draft.position),
    prompt: l10n.t(
      'How many transactions of {0} to apply: empty for all, 0 to start before the block',
      block === undefined ? l10n.t('the block') : blockInWords(block),
    ),
    placeholder: l10n.t('all'),
    error,
    validate: (value: string) => positionProblem(value, count),
  });
  if (text === BACK) return BACK;
  draft.position = parsePosition(text) ?? undefined;
  return undefined;
}

const nameStep =
  ({ draft, title }: Asking): Step =>
  async (frame) => {
    const text = await askText({
      title,
      frame,
      value: draft.name ?? suggestedName(draft),
      prompt: l10n.t('Name of the fork, 1-64 characters'),
      error: takeRefusal(draft, 'name'),
      validate: nameProblem,
    });
    if (text === BACK) return BACK;
    draft.name = text;
    return undefined;
  };

const antiReplayStep =
  ({ draft, title }: Asking): Step =>
  async (frame) => {
    const picked = await askPick({
      title,
      frame,
      placeholder: l10n.t('Use a separate chain id?'),
      items: Promise.resolve(antiReplayItems(draft.chain?.chainId ?? 0)),
      isActive: (antiReplay) => antiReplay === draft.antiReplay,
    });
    if (picked === BACK) return BACK;
    draft.antiReplay = picked.value;
    return undefined;
  };

const blockInWords = ({ number, timestamp, transactionCount }: ChainBlock): string =>
  l10n.t(
    'block {0} ({1} UTC, {2})',
    grouped(number),
    utc(timestamp),
    counted(transactionCount, 'transaction'),
  );

function sidesOf(block: ChainBlock, position: number): PickItem<number | undefined>[] {
  return [
    {
      label: l10n.t('Right before the transaction'),
      description: l10n.t('position {0}', position),
      detail: l10n.t('All earlier transactions of its block are applied. It can be sent again.'),
      value: position,
    },
    {
      label: l10n.t('Right after the transaction'),
      description: l10n.t('position {0}', position + 1),
      detail: l10n.t('It is the last applied transaction.'),
      value: position + 1,
    },
    {
      label: l10n.t('After the whole block'),
      description: counted(block.transactionCount, 'transaction'),
      value: undefined,
    },
  ];
}

function chainItem(chain: PublicChain): PickItem<PublicChain> {
  return {
    label: chain.slug,
    description: l10n.t('{0} · chain id {1}', chain.name, chain.chainId),
    iconPath: new vscode.ThemeIcon('link'),
    value: chain,
  };
}

function antiReplayItems(chainId: number): PickItem<boolean>[] {
  return [
    {
      label: l10n.t('Off'),
      description: l10n.t('chain id {0}', chainId),
      detail: l10n.t(
        'Wallets and scripts work unchanged. Their signatures are valid on the real chain, too.',
      ),
      value: false,
    },
    {
      label: l10n.t('On'),
      description: l10n.t('chain id 999{0}', chainId),
      detail: l10n.t('Signatures for the fork are invalid on the real chain, and vice versa.'),
      value: true,
    },
  ];
}

const suggestedName = ({ chain, block }: ForkDraft): string =>
  `${chain?.slug ?? 'fork'}-${block?.number ?? 'safe'}`;
