import * as vscode from 'vscode';
import { AGENT_TOOLS, type AgentTool } from '../../server/agents/tools';
import type { ApiClient } from '../model/api-client';

/** Registers the tools that the manifest lists as `languageModelTools`, under the same names. */
export function registerLanguageModelTools(client: ApiClient): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(AGENT_TOOLS).map(([name, tool]) =>
      vscode.lm.registerTool(`forklens_${name}`, languageModelTool(tool, client)),
    ),
  );
}

function languageModelTool(tool: AgentTool, client: ApiClient): vscode.LanguageModelTool<unknown> {
  const { title, input, confirmation, run } = tool;
  return {
    prepareInvocation: (options) => {
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
        const text = await run(client, input.parse(options.input), controller.signal);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } finally {
        subscription.dispose();
      }
    },
  };
}
