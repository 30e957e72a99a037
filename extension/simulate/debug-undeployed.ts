import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addressSchema, type Hex } from '../../server/api/primitives';
import type { Fork } from '../../server/api/fork';
import { deleteFork } from '../../server/client/delete-fork';
import { forkRpc } from '../../server/client/fork-rpc';
import type { CommandContext } from '../model/command-context';
import { DEBUG_TYPE, type ThrowAwayFork } from '../model/debugging';
import { withProgress } from '../ui/progress';
import type { FunctionDraft } from './ask-function';
import { callData, creationData, weiOf } from './ask-simulation';
import type { CalledFunction } from './called-function';
import { createThrowAway } from './throw-away-fork';

/** Most gas of a transaction (EIP-7825). */
const MOST_GAS = 2 ** 24;
/** Wei that a sender has at least for fees. */
const FOR_FEES = 100n * 10n ** 18n;

/**
 * Deploys a contract on a fork of its own, calls a function of it, and debugs the call; of a constructor that fails, the creation. The fork is
 * deleted when the session ends.
 */
export async function debugUndeployed(
  context: Pick<CommandContext, 'client' | 'memento'>,
  called: CalledFunction,
  draft: FunctionDraft,
): Promise<void> {
  const { title, contract } = called;
  const { fork, project } = await createThrowAway(context, draft.chain, title);
  const throwAway: ThrowAwayFork = { projectId: project.projectId, forkId: fork.forkId };
  let isStarted = false;
  try {
    const debugged = await withProgress(
      l10n.t('Deploying {0} on "{1}"…', contract, fork.name),
      (signal) => sendBoth(fork, called, draft, signal),
    );
    isStarted = await vscode.debug.startDebugging(undefined, {
      type: DEBUG_TYPE,
      request: 'launch',
      name: l10n.t('Debug {0}', title),
      chain: fork.forkId,
      ...debugged,
      throwAway,
    });
  } finally {
    if (!isStarted) await deleteFork(context.client, throwAway);
  }
}

/** @returns what is debugged */
async function sendBoth(
  fork: Fork,
  called: CalledFunction,
  draft: FunctionDraft,
  signal: AbortSignal,
): Promise<{ hash: string; stopAt?: 'failure' }> {
  const from = addressSchema.parse(draft.sender);
  // What waits for a block on a copied fork must not come first.
  await forkRpc(fork, 'anvil_dropAllTransactions', [], signal);
  await forkRpc(fork, 'evm_setAutomine', [true], signal);
  const values = [weiOf(draft.creation.value), weiOf(draft.value)] as const;
  await fund(fork, from, values[0] + values[1] + FOR_FEES, signal);
  const gas = await mostGas(fork, signal);
  const send = async (transaction: object): Promise<string> =>
    String(await forkRpc(fork, 'eth_sendTransaction', [{ from, gas, ...transaction }], signal));
  const data = creationData(called, draft, draft.creation.arguments);
  const creation = await send({ data, value: toHex(values[0]) });
  const receipt = (await forkRpc(fork, 'eth_getTransactionReceipt', [creation], signal)) as {
    status: string;
    contractAddress: string;
  };
  if (receipt.status !== '0x1') return { hash: creation, stopAt: 'failure' };
  const to = receipt.contractAddress;
  return { hash: await send({ to, data: callData(called, draft), value: toHex(values[1]) }) };
}

/** A sender without ether gets some: the fork is of this call alone. */
async function fund(
  fork: Fork,
  account: string,
  least: bigint,
  signal: AbortSignal,
): Promise<void> {
  const balance = await forkRpc(fork, 'eth_getBalance', [account, 'latest'], signal);
  if (BigInt(String(balance)) >= least) return;
  await forkRpc(fork, 'anvil_setBalance', [account, toHex(least)], signal);
}

/** With a gas limit, a transaction that fails is sent, too. */
async function mostGas(fork: Fork, signal: AbortSignal): Promise<Hex> {
  const block = await forkRpc(fork, 'eth_getBlockByNumber', ['latest', false], signal);
  const { gasLimit } = block as { gasLimit: string };
  return toHex(BigInt(Math.min(Number(gasLimit), MOST_GAS)));
}

const toHex = (value: bigint): Hex => `0x${value.toString(16)}`;
