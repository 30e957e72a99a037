import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { KeptBreakpoints } from '../../model/debugging';
import { keptFilters } from './kept-breakpoints';

/** Filters of exceptions; those of failures have the names of the interface. */
export const FAILURE_FILTERS = ['uncaught', 'all', 'panic'] as const;
export type FailureFilter = (typeof FAILURE_FILTERS)[number];
export const EVENT_FILTER = 'events';

/** What the debugger can do, as the protocol names it. */
export const capabilities = (kept: KeptBreakpoints): DebugProtocol.Capabilities => ({
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsRestartRequest: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsSteppingGranularity: true,
  supportsStepInTargetsRequest: true,
  supportsValueFormattingOptions: true,
  supportsTerminateRequest: true,
  supportsCancelRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsInstructionBreakpoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsExceptionInfoRequest: true,
  supportsExceptionFilterOptions: true,
  supportsDelayedStackTraceLoading: true,
  supportsLoadedSourcesRequest: true,
  supportsDisassembleRequest: true,
  supportsReadMemoryRequest: true,
  supportsEvaluateForHovers: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsClipboardContext: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ['.'],
  exceptionBreakpointFilters: [
    {
      filter: 'uncaught',
      label: l10n.t('Uncaught Reverts'),
      description: l10n.t('Stops where a call fails and takes the transaction with it'),
      default: true,
    },
    {
      filter: 'all',
      label: l10n.t('All Reverts'),
      description: l10n.t('Stops wherever a call fails'),
    },
    {
      filter: 'panic',
      label: l10n.t('Panics'),
      description: l10n.t('Stops at failed assertions, overflows and the like'),
    },
    {
      filter: EVENT_FILTER,
      label: l10n.t('Events'),
      description: l10n.t('Stops where an event is emitted'),
      supportsCondition: true,
      conditionDescription: l10n.t('Names of events, separated by commas'),
    },
    ...keptFilters(kept),
  ],
});
