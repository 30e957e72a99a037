import { command } from './command';
import { choice, filledText, project } from './kinds';
import { many, required, withDefault } from './parameter';
import { LIST_OPTIONS } from './list-options';

const projectOption = required(project, 'project', 'id or name of the project');
const email = required(filledText, 'address', 'e-mail address of a registered user');

export const PROJECT_COMMANDS = {
  'project list': command({
    summary: 'list the projects, oldest first',
    options: LIST_OPTIONS,
    examples: [['forklens project list --format csv', 'as comma-separated values']],
  }),
  'project create': command({
    summary: 'create a project',
    arguments: { name: required(filledText, 'name', '1-64 characters') },
    examples: [['forklens project create audits', 'creates the project "audits"']],
  }),
  'project show': command({
    summary: 'show a project with its forks, collaborators and usage',
    arguments: { project: required(project, 'project', 'id or name') },
  }),
  'project rename': command({
    summary: 'give a project another name',
    arguments: {
      project: required(project, 'project', 'id or name'),
      name: required(filledText, 'name', '1-64 characters'),
    },
    examples: [['forklens project rename default audits', 'names the first project "audits"']],
  }),
  'project delete': command({
    summary: 'delete projects and their forks',
    arguments: { projects: many(project, 'projects', 'ids or names', { isRequired: true }) },
    examples: [
      ['forklens project list -q | xargs forklens project delete', 'deletes all projects'],
    ],
  }),
  'collaborator list': command({
    summary: 'list the collaborators of a project',
    options: { project: projectOption, ...LIST_OPTIONS },
  }),
  'collaborator add': command({
    summary: 'let a user see and use a project',
    details:
      'An editor changes forks. A viewer reads and analyzes them, and does not get their RPC URLs.',
    options: {
      project: projectOption,
      email,
      role: withDefault(choice('editor', 'viewer'), 'role', 'editor or viewer', 'editor'),
    },
    examples: [
      ['forklens collaborator add --project audits --email bob@example.org', 'shares "audits"'],
    ],
  }),
  'collaborator role': command({
    summary: 'change the role of a collaborator',
    details: 'The RPC URLs of the forks are renewed if the user becomes a viewer.',
    options: {
      project: projectOption,
      email,
      role: required(choice('editor', 'viewer'), 'role', 'editor or viewer'),
    },
    examples: [
      ['forklens collaborator role --project audits --email bob@example.org --role viewer', ''],
    ],
  }),
  'collaborator remove': command({
    summary: 'take a project from a collaborator; the RPC URLs of its forks are renewed',
    options: { project: projectOption, email },
  }),
} as const;
