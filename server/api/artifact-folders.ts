import * as z from 'zod';
import { CONTRACT_LIMITS } from './schema-limits';

const { artifactFolders: MAX_FOLDERS, pathLength: MAX_PATH } = CONTRACT_LIMITS;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\)/;
const FOLDER = 'the absolute path of a folder';

const artifactFoldersSchema = z.object({
  folders: z.array(z.string()).meta({ description: 'Absolute paths' }),
});

const none = z.object({});

/** The routes of `ROUTES` for artifact folders. */
export const ARTIFACT_FOLDER_ROUTES = {
  addArtifactFolders: {
    method: 'put',
    paths: ['/v1/artifact-folders'],
    summary:
      "Add folders of build output until the service ends, and read known ones again (ours). Only for the machine's own user",
    scope: 'analyze',
    params: none,
    query: none,
    body: z.object({
      folders: z
        .array(
          z
            .string({ error: FOLDER })
            .max(MAX_PATH, { error: FOLDER })
            .refine((path) => ABSOLUTE.test(path) && !path.includes('\0'), { error: FOLDER }),
          { error: 'a list of absolute paths' },
        )
        .max(MAX_FOLDERS, { error: `at most ${MAX_FOLDERS} folders` })
        .meta({ description: 'Such as `out` of Foundry or `artifacts` of Hardhat' }),
    }),
    data: artifactFoldersSchema.meta({ description: 'All folders that it looks into' }),
    errors: ['localUserOnly'],
  },
} as const;
