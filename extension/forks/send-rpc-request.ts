import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Fork } from '../../server/api/fork';
import { ForkRpcError, forkRpc } from '../../server/client/fork-rpc';
import type { CommandContext } from '../model/command-context';
import type { ForkNode } from '../model/tree-node';
import { forkOf } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { enterText, pick, type PickItem } from '../ui/quick-input';
import { exampleParams, forkMethods, parseParams } from './rpc-request';

type Separator = vscode.QuickPickItem & { value?: never };

/** Asks for a method and its parameters, and shows the fork's answer as a document. */
export async function sendRpcRequest(
  { client, service }: Pick<CommandContext, 'client' | 'service'>,
  node: ForkNode | undefined,
): Promise<void> {
  const title = l10n.t('Send JSON-RPC Request');
  const { fork } = await forkOf(client, node, title);
  const method = (
    await pick({
      title: l10n.t('{0} to {1}', title, fork.name),
      placeholder: l10n.t('Method'),
      items: methodItems(service),
    })
  ).value;
  const text = await enterText({
    title: `${title}: ${method}`,
    value: exampleParams(method),
    prompt: l10n.t('Parameters, as a JSON array'),
    validate: (value) => {
      const parsed = parseParams(value);
      return 'problem' in parsed ? parsed.problem : undefined;
    },
  });
  const parsed = parseParams(text);
  if ('problem' in parsed) return;
  const answer = await answerOf(fork, method, parsed.params);
  const request = { method, params: parsed.params };
  const content = `${JSON.stringify({ request, ...answer }, null, 2)}\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** The result, or the error of the fork. */
const answerOf = (fork: Fork, method: string, params: unknown): Promise<object> =>
  withProgress(l10n.t('Sending {0}…', method), (signal) =>
    forkRpc(fork, method, params, signal).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (!(error instanceof ForkRpcError)) throw error;
        const { code, message, data } = error;
        return { error: { code, message, ...(data === undefined ? {} : { data }) } };
      },
    ),
  );

async function methodItems(
  service: CommandContext['service'],
): Promise<(PickItem<string> | Separator)[]> {
  const { url } = await service.connect();
  const groups = await forkMethods(url, new AbortController().signal);
  return groups.flatMap(({ what, methods }) => [
    { label: what, kind: vscode.QuickPickItemKind.Separator },
    ...methods.map((method) => ({ label: method, value: method })),
  ]);
}
