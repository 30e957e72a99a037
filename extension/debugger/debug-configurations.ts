import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortHex } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { DEBUG_TYPE, type DebugTarget } from '../model/debugging';
import { reportOf } from '../model/errors';
import { askTransaction } from '../transactions/transaction-targets';

/** A configuration that debugs a target. */
export function configurationOf(
  target: DebugTarget & { chain: string },
): vscode.DebugConfiguration {
  const subject = 'request' in target ? { simulate: target.request } : { hash: target.transaction };
  return {
    type: DEBUG_TYPE,
    request: 'launch',
    name: nameOf(target),
    chain: target.chain,
    ...subject,
    ...stopOf(target),
    ...(target.kept && { kept: target.kept }),
  };
}

/** A step is one of a build. */
function stopOf({ stopAt }: DebugTarget): object {
  if (stopAt === undefined) return {};
  if (typeof stopAt !== 'object' || !('step' in stopAt)) return { stopAt };
  const { step, build = 'executed' } = stopAt;
  return { stopAt: { step }, build };
}

function nameOf(target: DebugTarget): string {
  if (!('request' in target)) return l10n.t('Debug {0}', shortHex(target.transaction));
  return l10n.t('Debug {0}', target.title ?? l10n.t('a simulation'));
}

/** Completes configurations without a transaction: asks for it, as the command does. */
export class DebugConfigurations implements vscode.DebugConfigurationProvider {
  constructor(private readonly client: ApiClient) {}

  async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const { hash, simulate } = configuration as { hash?: unknown; simulate?: unknown };
    if (hash !== undefined || simulate !== undefined) return withBuild(configuration);
    try {
      const title = l10n.t('Debug Transaction');
      const target = await askTransaction(this.client, undefined, title);
      return withBuild({ ...configurationOf(target), ...configuration, ...withoutName(target) });
    } catch (error) {
      const report = reportOf(error);
      if (report !== undefined) void vscode.window.showErrorMessage(report.message);
      return undefined;
    }
  }
}

/** Calls inside contracts have the numbers of the executed build. */
const withBuild = (configuration: vscode.DebugConfiguration): vscode.DebugConfiguration => {
  const { build, stopAt } = configuration as { build?: unknown; stopAt?: unknown };
  if (build !== undefined || typeof stopAt === 'object') return configuration;
  return { ...configuration, build: 'unoptimized' };
};

const withoutName = ({ chain, transaction }: { chain: string; transaction: string }) => ({
  type: DEBUG_TYPE,
  request: 'launch',
  chain,
  hash: transaction,
});
