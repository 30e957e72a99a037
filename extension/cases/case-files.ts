import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';

export const CASE_EXTENSION = '.forklens';

/** File types of the dialogs. */
export const caseFilters = (): Record<string, string[]> => ({
  [l10n.t('Forklens case')]: [CASE_EXTENSION.slice(1)],
});

/**
 * Path of a case file for the service, which reads and writes files of this machine.
 * @throws ApiError `invalidField` for a file of another file system
 */
export function pathOnDisk(place: vscode.Uri): string {
  if (place.scheme === 'file') return place.fsPath;
  throw new ApiError(
    'invalidField',
    l10n.t(
      'the case file is at {0}; accepted: a file on the disk of this machine',
      place.toString(true),
    ),
  );
}

export const nameOf = (place: vscode.Uri): string => path.posix.basename(place.path);
