import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { once } from 'node:events';
import { AGENT_TOOLS } from '../../agents/tools';
import { errorText, UNTRUSTED } from '../../agents/untrusted';
import type { ApiClient } from '../../api/client';
import { VERSION } from '../../composition/startup/version';
import type { Handler } from '../command-handlers/context';

/** Offers the service as tools for a language model, over standard input and output (Model Context Protocol). */
export const mcpCommand: Handler<'mcp'> = async (_input, { connection, signal }) => {
  const server = createMcpServer(connection.client);
  await server.connect(new StdioServerTransport());
  // Runs until the client disconnects or the user presses Ctrl-C.
  await once(process.stdin, 'end', { signal }).catch(() => undefined);
  await server.close();
};

const INSTRUCTIONS = `Analyzes EVM transactions, and creates and changes forks of chains. ${UNTRUSTED}`;

function createMcpServer(client: ApiClient): McpServer {
  const server = new McpServer(
    { name: 'forklens', version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  for (const [
    name,
    { title, description, input, confirmation, isDestructive: destructiveHint = false, run },
  ] of Object.entries(AGENT_TOOLS)) {
    const readOnlyHint = confirmation === undefined;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input.shape,
        annotations: { title, readOnlyHint, destructiveHint, openWorldHint: true },
      },
      async (given: Record<string, unknown>, { signal }) => {
        try {
          const text = await run(client, given, signal, [process.cwd()]);
          return { content: [{ type: 'text' as const, text }] };
        } catch (error) {
          return { content: [{ type: 'text' as const, text: errorText(error) }], isError: true };
        }
      },
    );
  }
  return server;
}
