import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const SERVICE = process.env['FORKLENS_URL'] ?? 'http://127.0.0.1:8787';

/** Sends a request to the service. @throws Error with the code and the message of an error answer */
async function request<T>(method: string, path: string, body?: object): Promise<T> {
  const key =
    process.env['FORKLENS_ACCESS_KEY'] ??
    readFileSync(join(homedir(), '.forklens/access-key'), 'utf8').trim();
  const response = await fetch(SERVICE + path, {
    method,
    headers: { 'Access-Key': key, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = (await response.json()) as { code: number; message: string; data: T };
  if (answer.code !== 0) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.data;
}

/** Creates a fork of the sandbox in the first project. @returns its RPC address */
export async function forkSandbox(name: string): Promise<string> {
  const [project] = await request<{ projectId: string }[]>('GET', '/v1/projects');
  if (project === undefined) throw new Error('you have no project');
  const path = `/v1/project/${project.projectId}/fork`;
  const fork = await request<{ rpc: string }>('POST', path, { chainId: 31337, name });
  return fork.rpc;
}
