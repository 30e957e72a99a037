import * as vscode from 'vscode';
import type { Service } from '../model/service';
import type { Session } from '../account/session';
import { readSettings } from '../editor/settings';

/** Must equal the provider's id in the manifest. */
const PROVIDER = 'forklens.service';

/**
 * Offers the service to the editor's agents over the Model Context Protocol. The service starts when an agent first needs it.
 * The access key reaches the MCP server's process only through its environment.
 */
export function registerMcpProvider(
  extension: vscode.Extension<unknown>,
  service: Service,
  session: Session,
): vscode.Disposable {
  const { version } = extension.packageJSON as { version: string };
  const cli = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'cli.js').fsPath;
  const changes = new vscode.EventEmitter<void>();
  const offer = (): vscode.McpStdioServerDefinition => {
    const args = [cli, 'mcp', '--data-dir', readSettings().dataDirectory];
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    return new vscode.McpStdioServerDefinition('Forklens', process.execPath, args, env, version);
  };
  return vscode.Disposable.from(
    changes,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('forklens.service')) changes.fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changes.event,
      provideMcpServerDefinitions: () => [offer()],
      resolveMcpServerDefinition: async () => {
        const connection = await service.connect();
        const resolved = offer();
        resolved.env = {
          ...resolved.env,
          FORKLENS_ACCESS_KEY: await session.accessKey(connection),
          // The bundled service may change its address: the command finds it through the data directory.
          ...(readSettings().serviceMode === 'remote' ? { FORKLENS_URL: connection.url } : {}),
        };
        return resolved;
      },
    }),
  );
}
