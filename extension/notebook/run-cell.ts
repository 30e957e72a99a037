import * as l10n from '@vscode/l10n';
import { withOwnLabels } from '../../media/inspector/export/own-labels';
import { report } from '../../media/inspector/export/report';
import { namesOf } from '../../server/presentation/segment';
import type { PageData } from '../../media/inspector/protocol/page-data';
import type { Source } from '../../media/inspector/protocol/protocol';
import type { Fork } from '../../server/api/fork';
import { forkRpc } from '../../server/client/fork-rpc';
import { BookError, type BookCell } from '../../server/client/book/book';
import { networkOf } from '../../server/client/book/front-matter';
import { readSimulation } from '../../server/client/book/analysis-cells';
import { readAnalyze, readRequests, type RpcRequest } from './book/read-cells';
import { boundFork } from './bound-fork';
import { readBisect, readRegress } from './book/read-history-cells';
import { loadAnalysis, type Analyses } from './load-analysis';
import type { Replay } from './replays';
import { runBisect, runRegress, type HistoryRun, type ReplayLine } from './run-history-cell';

/** What a cell shows. */
export type CellOutput =
  | { kind: 'json'; request: string; value: unknown }
  /** Replaces the text that the cell has shown before. */
  | { kind: 'text'; text: string }
  /** Replaces the lines that the cell has shown before. */
  | { kind: 'replay'; lines: readonly ReplayLine[]; replay: Replay }
  /** `report`: the analysis as Markdown. */
  | { kind: 'analysis'; page: PageData; report: string };

/** What the cells of a book share while it is open. */
export interface BookRun extends HistoryRun {
  analyses: Analyses;
  /** Front matter of the book. */
  head: string;
  /** Hash of the newest transaction that a cell sent. */
  last: string | undefined;
}

const SENDING = new Set(['eth_sendTransaction', 'eth_sendRawTransaction']);

/**
 * Runs a cell of code. Outputs are shown as they come: those before a failure stay.
 * @throws BookError if the book or the cell cannot be run, ApiError, ForkRpcError
 */
export async function runCell(
  run: BookRun,
  { kind, text }: BookCell,
  show: (output: CellOutput) => void,
  signal: AbortSignal,
): Promise<void> {
  const network = networkOf(run.head);
  switch (kind) {
    case 'markdown':
      return;
    case 'rpc': {
      const requests = readRequests(text);
      const fork = await forkOf(run, network, signal);
      if (fork === undefined) {
        throw new BookError(
          l10n.t(
            'JSON-RPC cells run on a fork, and the book is bound to the chain {0}: create a fork of it, then run "Bind to Another Fork…".',
            network,
          ),
        );
      }
      for (const request of requests) await send(run, fork, request, show, signal);
      return;
    }
    case 'simulate': {
      const request = readSimulation(text);
      await analyze(run, { kind: 'simulation', chain: network, request }, undefined, show, signal);
      return;
    }
    case 'analyze': {
      const { transaction, chain = network, view } = readAnalyze(text);
      const hash = transaction === 'last' ? run.last : transaction;
      if (hash === undefined) {
        throw new BookError(
          l10n.t(
            'No cell of this book has sent a transaction yet: run the JSON-RPC cell that does.',
          ),
        );
      }
      const source = { kind: 'transaction', chain, transaction: hash } as const;
      await analyze(run, source, view, show, signal);
      return;
    }
    case 'bisect': {
      const cell = readBisect(text);
      const showText = (shown: string): void => {
        show({ kind: 'text', text: shown });
      };
      await runBisect(run, { ...cell, chain: cell.chain ?? network }, showText, signal);
      return;
    }
    case 'regress': {
      const cell = readRegress(text);
      const showReplay = (lines: readonly ReplayLine[], replay: Replay): void => {
        show({ kind: 'replay', lines, replay });
      };
      await runRegress(run, { ...cell, chain: cell.chain ?? network }, showReplay, signal);
    }
  }
}

/**
 * The fork of an id; undefined for a chain.
 * @throws BookError if the fork does not exist
 */
async function forkOf(
  { client }: BookRun,
  network: string,
  signal: AbortSignal,
): Promise<Fork | undefined> {
  const found = await boundFork(client, network, { signal });
  if (found !== undefined || !network.startsWith('fork_')) return found;
  throw new BookError(
    l10n.t(
      'The fork {0} of the book was deleted, or is not yours: run "Bind to Another Fork…".',
      network,
    ),
  );
}

async function send(
  run: BookRun,
  fork: Fork,
  { method, params }: RpcRequest,
  show: (output: CellOutput) => void,
  signal: AbortSignal,
): Promise<void> {
  const value = await forkRpc(fork, method, params, signal);
  if (SENDING.has(method) && typeof value === 'string') run.last = value.toLowerCase();
  show({ kind: 'json', request: method, value });
}

async function analyze(
  run: BookRun,
  source: Source,
  tab: PageData['tab'],
  show: (output: CellOutput) => void,
  signal: AbortSignal,
): Promise<void> {
  const fork = await forkOf(run, source.chain, signal);
  const loaded = await loadAnalysis(run.analyses, source, signal);
  // The labels of other addresses must not leave the service with a report.
  const parts = withOwnLabels(loaded);
  const page: PageData = {
    source,
    parts,
    ...(fork && {
      fork: {
        name: fork.name,
        chain: fork.chain,
        blockNumber: Number(fork.height),
        position: fork.position,
      },
    }),
    ...(tab && { tab }),
  };
  show({ kind: 'analysis', page, report: report(parts, namesOf(parts.flow.labels)) });
}
