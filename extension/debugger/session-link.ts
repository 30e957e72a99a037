import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import { EXTENSION_ID } from '../model/extension-id';
import type { ApiClient } from '../model/api-client';
import { DEBUG_TYPE, type PlaceInRecording } from '../model/debugging';
import { copyText } from '../ui/clipboard';
import { sessionQuery } from '../links/analysis-uri';
import { breakpointsOf } from './editor-breakpoints';

/** Copies a link that debugs the transaction of the session from its step, with the breakpoints on lines and functions. */
export async function copySessionLink(client: ApiClient): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== DEBUG_TYPE) return;
  const place = (await session.customRequest('forklens/place')) as PlaceInRecording;
  if (place.isSimulation) {
    const text = l10n.t('A link cannot hold a simulation: save the session as a case.');
    throw new ApiError('invalidField', text);
  }
  const breakpoints = await breakpointsOf(client, place, vscode.debug.breakpoints);
  const query = sessionQuery(place, breakpoints);
  const link = `${vscode.env.uriScheme}://${EXTENSION_ID}/debug?${query}`;
  await copyText(link, l10n.t('the link of the session'));
}
