import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../extension/api';
import type { ServiceState } from '../../extension/model/service';
import type { ForkNode, ProjectNode, TreeNode } from '../../extension/model/tree-node';

const EXTENSION_ID = 'forklens.forklens';

export function extensionUnderTest(): vscode.Extension<TestApi | undefined> {
  const extension = vscode.extensions.getExtension<TestApi | undefined>(EXTENSION_ID);
  assert.ok(extension, `${EXTENSION_ID} is not loaded`);
  return extension;
}

/** Activates the extension, or returns the result of the earlier activation. */
export async function activate(): Promise<TestApi> {
  const api = await extensionUnderTest().activate();
  assert.ok(api, 'the extension does not know that it is under test');
  return api;
}

export async function defaultProject(api: TestApi): Promise<ProjectNode> {
  const roots = await api.children();
  const node = roots.find((root) => root.kind === 'project' && root.project.name === 'default');
  assert.ok(node?.kind === 'project', `no default project among ${describeNodes(api, roots)}`);
  return node;
}

/** Creates a fork of the built-in chain in the default project. @returns its node in the tree */
export async function createSandboxFork(api: TestApi, name: string): Promise<ForkNode> {
  const project = await defaultProject(api);
  const params = { project_id: project.project.projectId };
  const body = { chainId: 31337, chain: 'sandbox', height: '0x8', name, antiReplay: false };
  const { forkId } = await api.client.call('createFork', { params, body });
  const nodes = await api.children(project);
  const node = nodes.find((child) => child.kind === 'fork' && child.fork.forkId === forkId);
  assert.ok(node?.kind === 'fork', `no fork ${name} among ${describeNodes(api, nodes)}`);
  return node;
}

/** Labels of nodes, as the user sees them. */
function describeNodes(api: TestApi, nodes: readonly TreeNode[]): string {
  return nodes.map((node) => api.view(node).label).join(', ');
}

/** Resolves with the next service state of this kind; the test's own timeout is the limit. */
export function nextServiceState(api: TestApi, kind: ServiceState['kind']): Promise<ServiceState> {
  return new Promise((resolve) => {
    const subscription = api.onDidChangeServiceState((state) => {
      if (state.kind !== kind) return;
      subscription.dispose();
      resolve(state);
    });
  });
}

/** Data directory of the bundled service. */
export function dataDirectory(): string {
  const setting = vscode.workspace
    .getConfiguration('forklens')
    .get<string>('service.dataDirectory', '');
  return setting || path.join(os.homedir(), '.forklens');
}

/** Process id of the running bundled service, from its record. */
export function servicePid(): number {
  const text = fs.readFileSync(path.join(dataDirectory(), 'service.json'), 'utf8');
  return (JSON.parse(text) as { pid: number }).pid;
}
