import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary directory for one test. */
export const makeTemporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'forklens-'));

/** Removes a directory. Engines of a killed service may write to it until they notice that it has gone. */
export const removeDirectory = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5 });
