import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CaseShown, PlacedBreakpoint } from '../../server/api/case-content';
import type { RouteRequest } from '../../server/api/routes';
import { shortHex } from '../../server/client/format';
import type { Simulation, Source } from '../../media/inspector/protocol/protocol';
import { isObject } from '../../server/client/is-object';
import { BOOK_TYPE } from '../model/book-type';
import { DEBUG_TYPE, sameSubject, type PlaceInRecording } from '../model/debugging';
import type { TransactionTarget } from '../model/targets';
import type { TransactionNode } from '../model/tree-node';
import { askTransaction } from '../transactions/transaction-targets';
import { breakpointsOf } from '../debugger/editor-breakpoints';
import type { CaseContext } from './cases-bundle';
import { notebookContent } from './notebook-case';

export type WrittenAnalyses = RouteRequest<'writeCase'>['body']['analyses'];

/** What is saved as a case. */
export interface CaseTarget {
  analyses: WrittenAnalyses;
  shown?: CaseShown;
  /** For messages. */
  title: string;
  /** Of the file, without its ending. */
  name: string;
}

type Subject = TransactionTarget | Simulation;

/**
 * What a command was given; else what the user sees: the active inspector, comparison or notebook, or a debugger session. Asks for a
 * transaction if there is none.
 * @throws UserCancelledError, ApiError, BookError
 */
export async function caseTarget(
  context: CaseContext,
  given: unknown,
  title: string,
): Promise<CaseTarget> {
  const { client, inspector, comparisons } = context;
  if (isSimulation(given)) return ofSubject(context, given);
  if (isTransaction(given)) return ofSubject(context, await askTransaction(client, given, title));
  const source = inspector.activeSource();
  if (source) return ofSubject(context, subjectOf(source));
  const sides = comparisons.active();
  if (sides) {
    const analyses = [analysisOf(subjectOf(sides.left)), analysisOf(subjectOf(sides.right))];
    const shown = { kind: 'comparison' } as const;
    return { analyses, shown, title: l10n.t('a comparison'), name: 'comparison' };
  }
  const book = vscode.window.activeNotebookEditor?.notebook;
  if (book?.notebookType === BOOK_TYPE) return notebookContent(book);
  const place = await activeSession();
  if (place) return ofSession(context, place.session, place.at);
  return ofSubject(context, await askTransaction(client, undefined, title));
}

/** Menus give what they belong to, such as a notebook. */
const isSimulation = (given: unknown): given is Simulation =>
  isObject(given) && isObject(given['request']) && typeof given['chain'] === 'string';
const isTransaction = (given: unknown): given is TransactionNode | TransactionTarget =>
  isObject(given) && 'transaction' in given;

const subjectOf = (source: Source): Subject => {
  if (source.kind === 'transaction') {
    return { chain: source.chain, transaction: source.transaction };
  }
  const { chain, request, title } = source;
  return { chain, request, ...(title !== undefined && { title }) };
};

/** An analysis, with the session that debugs it. */
async function ofSubject(context: CaseContext, subject: Subject): Promise<CaseTarget> {
  const place = await activeSession();
  if (place && sameSubject(place.subject, subject)) {
    return ofSession(context, place.session, place.at);
  }
  return { analyses: [analysisOf(subject)], ...namesOf(subject) };
}

function analysisOf(subject: Subject): WrittenAnalyses[number] {
  if ('transaction' in subject) {
    return { chain: subject.chain, transaction: subject.transaction };
  }
  const { chain, request, title } = subject;
  return { chain, simulation: request, ...(title !== undefined && { title }) };
}

const namesOf = (subject: Subject): Pick<CaseTarget, 'title' | 'name'> =>
  'transaction' in subject
    ? {
        title: shortHex(subject.transaction),
        name: `transaction-${subject.transaction.slice(0, 10)}`,
      }
    : { title: subject.title ?? l10n.t('a simulation'), name: 'simulation' };

interface Session {
  session: vscode.DebugSession;
  subject: Subject;
  at: PlaceInRecording;
}

/** The session that the editor shows, if it is one of ours and stopped. */
async function activeSession(): Promise<Session | undefined> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== DEBUG_TYPE) return undefined;
  try {
    const at = (await session.customRequest('forklens/place')) as PlaceInRecording;
    return { session, subject: subjectOfSession(session, at), at };
  } catch {
    return undefined;
  }
}

function subjectOfSession(
  { configuration }: vscode.DebugSession,
  { chain, transaction, isSimulation }: PlaceInRecording,
): Subject {
  const { simulate } = configuration as { simulate?: Simulation['request'] };
  return isSimulation && simulate ? { chain, request: simulate } : { chain, transaction };
}

async function ofSession(
  { client }: CaseContext,
  session: vscode.DebugSession,
  at: PlaceInRecording,
): Promise<CaseTarget> {
  const subject = subjectOfSession(session, at);
  const breakpoints = await breakpointsOf(client, at, vscode.debug.breakpoints);
  const placed = (await session.customRequest('forklens/breakpoints')) as {
    breakpoints: PlacedBreakpoint[];
  };
  const { step, build } = at;
  const shown: CaseShown = {
    kind: 'debugger',
    step,
    build,
    breakpoints: [...breakpoints, ...placed.breakpoints],
  };
  return { analyses: [analysisOf(subject)], shown, ...namesOf(subject) };
}
