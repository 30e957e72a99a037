import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { TestService } from './service';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory';

/** An agent that uses the tools of the built MCP server, which works in a folder of its own. */
export class AgentClient {
  private constructor(
    readonly client: Client,
    readonly folder: string,
  ) {}

  static async start({ dataDir }: Pick<TestService, 'dataDir'>): Promise<AgentClient> {
    const folder = await realpath(await makeTemporaryDirectory());
    const client = new Client({ name: 'test', version: '1.0.0' });
    const cli = join(__dirname, '../../dist/cli.js');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--data-dir', dataDir],
        cwd: folder,
        stderr: 'inherit',
      }),
    );
    return new AgentClient(client, folder);
  }

  async use(name: string, input: object = {}): Promise<{ text: string; isError: boolean }> {
    const answer = await this.client.callTool({ name, arguments: { ...input } });
    const [content] = answer.content as { type: string; text: string }[];
    return { text: content!.text, isError: answer.isError === true };
  }

  async close(): Promise<void> {
    await this.client.close();
    await removeDirectory(this.folder);
  }
}
