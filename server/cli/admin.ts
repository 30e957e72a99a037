import type { Command } from 'commander';
import type { AdminCommand, AdminResult } from '../projects/admin-commands';
import { runAdminCommand } from './admin-client';
import { formatTable } from './table';

interface GlobalOptions {
  dataDir: string;
  json?: boolean;
}

/** Registers `user`, `key` and `collaborator`. */
export function registerAdmin(program: Command): void {
  const run = async <Name extends AdminCommand>(
    name: Name,
    input: Record<string, unknown>,
    toText: (result: AdminResult[Name]) => string,
  ): Promise<void> => {
    const { dataDir, json } = program.opts<GlobalOptions>();
    const result = await runAdminCommand(dataDir, name, input);
    console.log(json ? JSON.stringify(result, null, 2) : toText(result));
  };

  const user = program.command('user').description('users of the service');
  user
    .command('add')
    .description('register a user, with the project "default"')
    .requiredOption('--nickname <name>', 'name shown to collaborators')
    .requiredOption('--email <address>', 'e-mail address, unique')
    .action(({ nickname, email }: { nickname: string; email: string }) =>
      run('addUser', { nickname, email }, (added) => `Added ${added.nickname} <${added.email}>.`),
    );
  user
    .command('list')
    .description('all users, oldest first')
    .action(() =>
      run('listUsers', {}, (users) =>
        formatTable(
          ['e-mail', 'nickname', 'since'],
          users.map(({ email, nickname, createTime }) => [email, nickname, createTime]),
        ),
      ),
    );

  const key = program.command('key').description('access keys');
  key
    .command('create')
    .description('issue a key; it is shown this once')
    .requiredOption('--user <email>', 'whose key')
    .option('--scope <scopes>', 'manage, analyze, or both by comma', 'manage,analyze')
    .option('--label <text>', 'what the key is for')
    .action(({ user: email, scope, label }: { user: string; scope: string; label?: string }) =>
      run('createKey', { user: email, scopes: toScopes(scope), label }, (issued) =>
        [
          `Access key: ${issued.key}`,
          `It is ${issued.keyId} (${issued.scopes.join(', ')}). It is not shown again.`,
        ].join('\n'),
      ),
    );
  key
    .command('list')
    .description('keys without their secret part')
    .option('--user <email>', 'of this user only')
    .action(({ user: email }: { user?: string }) =>
      run('listKeys', { user: email }, (keys) =>
        formatTable(
          ['id', 'user', 'scopes', 'since', 'label'],
          keys.map((entry) => [
            entry.keyId,
            entry.user,
            entry.scopes.join(','),
            entry.createTime,
            entry.label,
          ]),
        ),
      ),
    );
  key
    .command('revoke')
    .description('make a key useless at once')
    .argument('<id>', 'as in the list: key_…')
    .action((keyId: string) => run('revokeKey', { keyId }, () => `Revoked ${keyId}.`));

  const collaborator = program.command('collaborator').description('who else uses a project');
  collaborator
    .command('add')
    .description('let a user see and use a project')
    .requiredOption('--project <id>', 'project_…')
    .requiredOption('--email <address>', 'of a registered user')
    .action(({ project, email }: { project: string; email: string }) =>
      run('addCollaborator', { project, email }, (added) => `Added ${added.email}.`),
    );
  collaborator
    .command('remove')
    .description('take a user out of a project')
    .requiredOption('--project <id>', 'project_…')
    .requiredOption('--email <address>', 'of a collaborator')
    .action(({ project, email }: { project: string; email: string }) =>
      run('removeCollaborator', { project, email }, () => `Removed ${email}.`),
    );
}

const toScopes = (text: string): string[] => text.split(',').map((scope) => scope.trim());
