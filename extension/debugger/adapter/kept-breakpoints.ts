import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { PlacedBreakpoint } from '../../../server/api/case-content';
import { shortHex } from '../../../server/client/format';
import type { KeptBreakpoints } from '../../model/debugging';
import { checkKept } from './argument-checks';

/** Filters of kept breakpoints are numbered. */
const PREFIX = 'kept-';

export const NONE_KEPT: KeptBreakpoints = { build: 'executed', breakpoints: [] };

/** Breakpoints of the configuration of a session; none without any. @throws ApiError `invalidField` */
export function readKept(given: unknown): KeptBreakpoints {
  if (given === undefined) return NONE_KEPT;
  checkKept(given);
  return given as KeptBreakpoints;
}

/**
 * A client has no way to take breakpoints on data and instructions from a debugger: each is a filter, which its user can switch off.
 */
export const keptFilters = ({
  breakpoints,
}: KeptBreakpoints): DebugProtocol.ExceptionBreakpointsFilter[] =>
  breakpoints.map((breakpoint, index) => ({
    filter: `${PREFIX}${index}`,
    label: labelOf(breakpoint),
    description: l10n.t('Of the case file'),
    default: breakpoint.isDisabled !== true,
  }));

/** @returns undefined for another filter */
export const keptIndex = (filter: string): number | undefined =>
  filter.startsWith(PREFIX) ? Number(filter.slice(PREFIX.length)) : undefined;

function labelOf(breakpoint: PlacedBreakpoint): string {
  if ('pc' in breakpoint) {
    const { pc, name } = breakpoint;
    const at = `0x${pc.toString(16)}`;
    return name ? l10n.t('Instruction {0} of {1}', at, name) : l10n.t('Instruction {0}', at);
  }
  const { access, address, slot } = breakpoint;
  const name = breakpoint.name ?? `${shortHex(address)}:${shortHex(slot)}`;
  if (access === 'write') return l10n.t('Write of {0}', name);
  return access === 'read' ? l10n.t('Read of {0}', name) : l10n.t('Read or write of {0}', name);
}
