import * as l10n from '@vscode/l10n';
import type { Quota } from '../../server/api/quota';
import { grouped } from '../../server/client/format';
import type { AccountNode } from '../model/tree-node';

/** Roles of the user in the projects, and the quotas of the account, for the account's tooltip. */
export const accountFacts = ({ roles, quota }: AccountNode): string[] => [
  l10n.t(
    'owner of {0}, editor of {1}, viewer of {2}',
    roles.owner,
    roles.collaborator,
    roles.viewer,
  ),
  ...(quota === undefined ? [] : quotaFacts(quota)),
];

/** One line for each quota there is. */
function quotaFacts(quota: Quota): string[] {
  const { forks, runningEngines, diskMegabytes, requestsPerMinute, analyses } = quota;
  const lines: [Quota[keyof Quota], (used: string, limit: string) => string][] = [
    [forks, (used, limit) => l10n.t('forks: {0} of {1}', used, limit)],
    [runningEngines, (used, limit) => l10n.t('running forks: {0} of {1}', used, limit)],
    [diskMegabytes, (used, limit) => l10n.t('disk space: {0} of {1} MiB', used, limit)],
    [requestsPerMinute, (used, limit) => l10n.t('requests this minute: {0} of {1}', used, limit)],
    [analyses, (used, limit) => l10n.t('analyses at a time: {0} of {1}', used, limit)],
  ];
  return lines.flatMap(([{ used, limit }, text]) =>
    limit === null ? [] : [text(grouped(used), grouped(limit))],
  );
}
