import * as l10n from '@vscode/l10n';
import type { Recording } from '../../server/api/recording';
import { shortHex } from '../../server/client/format';
import type { Simulation } from '../../media/inspector/protocol/protocol';
import type { ApiCallOptions, ApiClient } from '../model/api-client';
import type { CommandContext } from '../model/command-context';
import { sameSubject, type DebuggedCall, type Debugging } from '../model/debugging';

/** A transaction that is debugged or shown, or one that was not sent. */
export type Subject = DebuggedCall['subject'];

/** What is debugged and what open inspectors show, each once; what is debugged comes first. */
export function openSubjects(
  debugging: Debugging,
  inspector: CommandContext['inspector'],
): Subject[] {
  const debugged = debugging.calls.map(({ subject }) => subject);
  const shown = inspector
    .shown()
    .map(({ source }): Subject =>
      source.kind === 'transaction'
        ? { chain: source.chain, transaction: source.transaction }
        : { chain: source.chain, request: source.request },
    );
  const all: Subject[] = [];
  for (const subject of [...debugged, ...shown]) {
    if (!all.some((known) => sameSubject(known, subject))) all.push(subject);
  }
  return all;
}

export const subjectName = (subject: Subject): string =>
  'transaction' in subject ? shortHex(subject.transaction) : l10n.t('the simulation');

/** The recording, which names the codes that the subject executes. */
export function recordingOf(
  client: ApiClient,
  subject: Subject,
  options: ApiCallOptions,
): Promise<Recording> {
  const { chain } = subject;
  if ('transaction' in subject) {
    const params = { chain, transaction: subject.transaction };
    return client.call('getRecording', { params }, options);
  }
  return client.call('recordSimulation', { params: { chain }, body: subject.request }, options);
}

/** The body of `simulate` that executes the subject again, where it was executed. @throws Error if the service is too old to know it */
export function requestOf(subject: Subject, { again }: Recording): Simulation['request'] {
  if ('request' in subject) return subject.request;
  if (again === undefined) {
    throw new Error(
      l10n.t('The service cannot execute {0} again: update it.', shortHex(subject.transaction)),
    );
  }
  return again as Simulation['request'];
}
