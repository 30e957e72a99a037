import '../editor/translations';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BisectChange, Bisection } from '../../server/api/bisect';
import { ApiError } from '../../server/api/errors';
import { CONTRACT_LIMITS } from '../../server/api/schema-limits';
import { grouped } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import type { ChangeTarget } from '../model/targets';
import { askNetwork } from '../transactions/network-picks';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';
import { askExpression } from './ask-expression';
import { askRange, type AskedRange } from './ask-range';
import { changeText, valuesText } from './change-text';

/**
 * Asks for what the target leaves open, finds the transaction after which a value changed, and opens its analysis.
 * @throws UserCancelledError, ApiError
 */
export async function whenDidThisChange(
  context: Pick<CommandContext, 'client' | 'memento'>,
  target: ChangeTarget = {},
): Promise<void> {
  const title = l10n.t('When Did This Change');
  const { client } = context;
  const chain = target.chain ?? (await askNetwork(context, title));
  const expression = target.expression ?? (await askExpression(title, target.address));
  const range = await askRange(client, title, { chain, to: target.to });
  const contract = target.contract ?? target.address;
  const found = await find(client, chain, { expression, contract, range });
  const change = await chooseChange(title, found.changes);
  if (change) await show(chain, expression, change);
}

interface Search {
  readonly expression: string;
  readonly contract: string | undefined;
  readonly range: AskedRange;
}

/** Where both ends are the same, and the blocks are not too many, every block is read. @throws ApiError */
async function find(
  client: ApiClient,
  chain: string,
  { expression, contract, range: { from, to, length = Infinity } }: Search,
): Promise<Bisection> {
  const body = { expression, from, to, ...(contract === undefined ? {} : { contract }) };
  const bisect = (plan: 'one' | 'every'): Promise<Bisection> =>
    withProgress(l10n.t('Looking for the change of {0}…', expression), (signal, onProgress) =>
      client.call(
        'bisect',
        { params: { chain }, body: Object.assign(body, { plan }) },
        { signal, onProgress },
      ),
    );
  try {
    return await bisect('one');
  } catch (error) {
    const isSame = error instanceof ApiError && error.kind === 'unchanged';
    if (!isSame || length > CONTRACT_LIMITS.bisectEvery) throw error;
    const found = await bisect('every');
    if (found.changes.length === 0) throw error;
    return found;
  }
}

/** The newest change first. @throws UserCancelledError */
async function chooseChange(
  title: string,
  changes: readonly BisectChange[],
): Promise<BisectChange | undefined> {
  const [only, ...others] = changes;
  if (others.length === 0) return only;
  const { value } = await pick({
    title,
    placeholder: l10n.t('It changed {0} times', changes.length),
    items: Promise.resolve(
      changes.toReversed().map((change) => ({
        label: valuesText(change),
        description: l10n.t('block {0}', grouped(change.blockNumber)),
        value: change,
      })),
    ),
  });
  return value;
}

async function show(chain: string, expression: string, change: BisectChange): Promise<void> {
  const { transaction } = change;
  const text = changeText(expression, change);
  if (transaction === null) {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const target = { chain, transaction: transaction.hash };
  const { node, line, stopAt } = writerOf(change);
  const selected = node === undefined ? target : { ...target, node };
  await vscode.commands.executeCommand('forklens.openTransaction', selected);
  const debug = line ?? l10n.t('Debug');
  // The notification stays until the user has read it: the command ends before.
  void vscode.window.showInformationMessage(text, debug).then((chosen) => {
    if (chosen !== debug) return;
    const stop = stopAt === undefined ? {} : { stopAt };
    void vscode.commands.executeCommand('forklens.debugTransaction', { ...target, ...stop });
  });
}

/** Where a change was made: its last write or payment, which left the value that was found. */
function writerOf({ writes, payments }: BisectChange): {
  node?: number | undefined;
  /** `Vault.sol:21`. */
  line?: string | undefined;
  stopAt?: number | { step: number } | undefined;
} {
  const write = writes.at(-1);
  if (write) return { node: write.nodeId, line: lineOf(write), stopAt: { step: write.step } };
  const payment = payments.at(-1);
  if (!payment) return {};
  return { node: payment.nodeId, line: lineOf(payment), stopAt: payment.nodeId };
}

const lineOf = ({ file, line }: { file?: string | undefined; line?: number | undefined }) =>
  file === undefined ? undefined : `${file}:${line ?? 1}`;
