import type { ProjectRole } from '../api/project';
import type { ProjectRecord } from './ports';

/** @returns undefined for a user who does not see the project */
export function roleOf(project: ProjectRecord, userId: string): ProjectRole | undefined {
  if (project.ownerId === userId) return 'owner';
  if (project.collaboratorIds.includes(userId)) return 'editor';
  return project.viewerIds?.includes(userId) === true ? 'viewer' : undefined;
}
