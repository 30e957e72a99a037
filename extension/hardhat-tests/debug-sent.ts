import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { forkRpc } from '../../server/client/fork-rpc';
import { DEBUG_TYPE } from '../model/debugging';
import type { TestFork } from '../project-tests/test-fork';
import type { TestReport } from '../project-tests/test-report';
import type { SentByTest } from './sent-failures';

interface Debugged {
  /** Of the session. */
  readonly name: string;
  readonly report: TestReport;
  readonly item: vscode.TestItem;
  readonly signal: AbortSignal;
}

const NOBODY = '0x0000000000000000000000000000000000000000';

/** Opens what failed of a test in the debugger; where nothing failed, the transaction that the user picks. */
export async function openSent(
  { choice: { fork } }: TestFork,
  sent: SentByTest,
  { name, report, item, signal }: Debugged,
): Promise<void> {
  const { failure, transactions } = sent;
  const common = { type: DEBUG_TYPE, request: 'launch', name, chain: fork.forkId };
  if (failure) {
    const subject =
      'hash' in failure ? { hash: failure.hash } : { simulate: await simulation(failure) };
    await vscode.debug.startDebugging(undefined, { ...common, ...subject, stopAt: 'failure' });
    return;
  }
  report.write(nothingFailed(sent), item);
  const hash = await pickTransaction(transactions, nothingFailed(sent));
  if (hash === undefined) return;
  await vscode.debug.startDebugging(undefined, { ...common, hash, stopAt: 'entry' });

  /** Values that are set between blocks are there after the newest block alone. */
  async function simulation({
    call: { from = NOBODY, to, value, data, input },
    block,
  }: Exclude<NonNullable<SentByTest['failure']>, { hash: string }>): Promise<object> {
    const newest = Number(await forkRpc(fork, 'eth_blockNumber', [], signal));
    return {
      from,
      to: to ?? null,
      data: data ?? input ?? '0x',
      ...(value !== undefined && { value }),
      ...(newest !== block && { height: `0x${block.toString(16)}` }),
    };
  }
}

function nothingFailed({ total, gone }: SentByTest): string {
  if (gone > 0) {
    return l10n.t(
      'No transaction of this test that failed is on the fork: the test went back before {0} of its transactions.',
      gone,
    );
  }
  return total === 0
    ? l10n.t(
        'This test sent no transaction to the fork: what it does is in its own code, or on a network that it chooses itself.',
      )
    : l10n.t('No transaction of this test failed on the fork.');
}

async function pickTransaction(
  transactions: SentByTest['transactions'],
  message: string,
): Promise<string | undefined> {
  if (transactions.length === 0) {
    void vscode.window.showInformationMessage(message);
    return undefined;
  }
  const items = transactions.map(({ hash }, index) => ({
    label: l10n.t('Transaction {0}', index + 1),
    description: hash,
    hash,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Debug a Transaction of the Test'),
    placeHolder: message,
  });
  return picked?.hash;
}
