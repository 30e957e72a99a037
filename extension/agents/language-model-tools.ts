import * as vscode from 'vscode';
import type { AgentTool } from '../../server/agents/tools';
import type { ApiClient } from '../model/api-client';

const PREFIX = 'forklens_';

/** Registers the tools that the manifest lists as `languageModelTools`. */
export function registerLanguageModelTools(
  { packageJSON }: vscode.Extension<unknown>,
  client: ApiClient,
): vscode.Disposable {
  const { languageModelTools } = (packageJSON as Manifest).contributes;
  return vscode.Disposable.from(
    ...languageModelTools.map(({ name }) =>
      vscode.lm.registerTool(name, languageModelTool(name.slice(PREFIX.length), client)),
    ),
  );
}

interface Manifest {
  contributes: { languageModelTools: readonly { name: string }[] };
}

async function toolOf(name: string): Promise<AgentTool> {
  const { AGENT_TOOLS } = await import('./tools-bundle');
  const tool = AGENT_TOOLS[name];
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** Paths of the workspace's folders on this machine; none in restricted mode. */
function trustedFolders(): string[] {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  if (!isTrusted) return [];
  return workspaceFolders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

function languageModelTool(name: string, client: ApiClient): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: async (options) => {
      const { title, input, confirmation } = await toolOf(name);
      const invocationMessage = `${title} (Forklens)`;
      const given = input.safeParse(options.input);
      if (confirmation === undefined || !given.success) return { invocationMessage };
      // A model wrote this text: it must not become a link.
      const message = new vscode.MarkdownString().appendText(confirmation(given.data));
      return { invocationMessage, confirmationMessages: { title, message } };
    },
    invoke: async (options, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => {
        controller.abort();
      });
      try {
        const { input, run } = await toolOf(name);
        const given = input.parse(options.input);
        const text = await run(client, given, controller.signal, trustedFolders());
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } finally {
        subscription.dispose();
      }
    },
  };
}
