import type { Command } from 'commander';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { once } from 'node:events';
import { AGENT_TOOLS } from '../agents/tools';
import type { ApiClient } from '../api/client';
import { VERSION } from '../version';
import { connectionOptions, openClient, type ConnectionFlags } from './connection';

/** `mcp`: the service as tools of a language model, over standard input and output (Model Context Protocol). */
export function registerMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('serve the tools of agents over standard input and output (MCP)');
  for (const option of connectionOptions()) command.addOption(option);
  command.action(async (flags: ConnectionFlags) => {
    const client = openClient(program.opts<{ dataDir: string }>().dataDir, flags);
    const server = createMcpServer(client);
    const transport = new StdioServerTransport();
    await server.connect(transport);
    await once(process.stdin, 'end'); // the client went away
    await server.close();
  });
}

function createMcpServer(client: ApiClient): McpServer {
  const server = new McpServer({ name: 'forklens', version: VERSION });
  for (const [name, { title, description, input, confirmation, run }] of Object.entries(
    AGENT_TOOLS,
  )) {
    const readOnlyHint = confirmation === undefined;
    server.registerTool(
      name,
      {
        ...{ title, description },
        inputSchema: input.shape,
        annotations: { title, readOnlyHint, destructiveHint: false, openWorldHint: true },
      },
      async (given: Record<string, unknown>, { signal }) => {
        try {
          return { content: [{ type: 'text' as const, text: await run(client, given, signal) }] };
        } catch (error) {
          const text = error instanceof Error ? error.message : String(error);
          return { content: [{ type: 'text' as const, text }], isError: true };
        }
      },
    );
  }
  return server;
}
