import * as vscode from 'vscode';
import type { ChainBlock } from '../../server/api/chain-block';
import type { PublicChain } from '../../server/api/config';
import { ApiError, type ApiErrorName } from '../../server/api/errors';
import type { ApiClient } from '../client/api-client';
import { sentence } from '../errors';
import { askPick, askText, type PickItem } from '../quick-input/quick-input';
import { BACK, type Step } from '../quick-input/steps';
import { counted, grouped, utc } from '../views/format';
import {
  heightProblem,
  nameProblem,
  parsePosition,
  positionProblem,
  withoutSeparators,
} from './input-rules';
import { withProgress } from './progress';

export const FIELDS = ['chain', 'height', 'position', 'name', 'antiReplay'] as const;
type Field = (typeof FIELDS)[number];

/** What the service said of a field's value. */
export interface Refusal {
  field: Field;
  message: string;
}

/** What the user has entered so far: it stays when they go back, or when the service refuses it. */
export interface ForkDraft {
  chain: PublicChain | undefined;
  /** As written. */
  at: string;
  /** What it stands for. */
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

/** What the user can mend by another value. */
const NOT_FOUND: readonly ApiErrorName[] = [
  'blockNotFound',
  'transactionNotFound',
  'transactionPending',
  'invalidField',
];

/** The wizard's questions, in the order of `FIELDS`; each keeps its answer in the draft. */
export function stepsOf(client: ApiClient, draft: ForkDraft, title: string): Step[] {
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
        title,
        frame,
        placeholder: 'Chain to fork: name, slug or chain id',
        items: client.call('listChains', {}).then((chains) => chains.map(chainItem)),
        isActive: (chain) => chain.slug === draft.chain?.slug,
      });
      if (picked === BACK) return BACK;
      draft.chain = picked.value;
      return undefined;
    },

    async (frame) => {
      for (let error = takeRefusal('height'); ;) {
        const text = await askText({
          title,
          frame,
          value: draft.at,
          prompt: 'Block to fork from: safe, latest, a number, a UTC date, or a transaction hash',
          placeholder: 'safe',
          error,
          validate: heightProblem,
        });
        if (text === BACK) return BACK;
        draft.at = text;
        try {
          const block = await findBlock(text);
          const { hash, position } = block;
          if (hash !== draft.block?.hash || position !== draft.block.position) {
            draft.position = position ?? undefined;
          }
          draft.block = block;
          return undefined;
        } catch (refused) {
          if (!(refused instanceof ApiError && NOT_FOUND.includes(refused.kind))) throw refused;
          // The name of the request's field means nothing here.
          error = sentence(refused.message.replace(/^at is /, ''));
        }
      }
    },

    async (frame) => {
      const { block } = draft;
      if (block?.position !== null && block !== undefined) {
        const picked = await askPick({
          title,
          frame,
          placeholder: `Where in ${blockInWords(block)}`,
          items: Promise.resolve(sidesOf(block, block.position)),
          isActive: (position) => position === draft.position,
        });
        if (picked === BACK) return BACK;
        draft.position = picked.value;
        return undefined;
      }
      const count = block?.transactionCount ?? 0;
      const text = await askText({
        title,
        frame,
        value: draft.position === undefined ? '' : String(draft.position),
        prompt: `Transactions of ${block === undefined ? 'the block' : blockInWords(block)} to apply first. Empty: all; 0: start in front of the block`,
        placeholder: 'all',
        error: takeRefusal('position'),
        validate: (value) => positionProblem(value, count),
      });
      if (text === BACK) return BACK;
      draft.position = parsePosition(text) ?? undefined;
      return undefined;
    },

    async (frame) => {
      const text = await askText({
        title,
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
        title,
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

  function findBlock(text: string): Promise<ChainBlock> {
    const chain = draft.chain?.slug ?? '';
    const query = { at: withoutSeparators(text) };
    return withProgress('Looking for the block…', (signal) =>
      client.call('findBlock', { params: { chain }, query }, { signal }),
    );
  }
}

const blockInWords = ({ number, timestamp, transactionCount }: ChainBlock): string =>
  `block ${grouped(number)} (${utc(timestamp)} UTC, ${counted(transactionCount, 'transaction')})`;

function sidesOf(block: ChainBlock, position: number): PickItem<number | undefined>[] {
  return [
    {
      label: 'Right before the transaction',
      description: `position ${position}`,
      detail: 'Everything in front of it in its block is applied; it can be sent again.',
      value: position,
    },
    {
      label: 'Right after the transaction',
      description: `position ${position + 1}`,
      detail: 'It is the last one that is applied.',
      value: position + 1,
    },
    {
      label: 'After the whole block',
      description: counted(block.transactionCount, 'transaction'),
      value: undefined,
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

const suggestedName = ({ chain, block }: ForkDraft): string =>
  `${chain?.slug ?? 'fork'}-${block?.number ?? 'safe'}`;
