import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { PlacedBreakpoint } from '../../../server/api/case-content';
import type { Address } from '../../../server/api/primitives';
import type { FindRequest } from '../../../server/api/recording-search';
import type { KeptBreakpoints } from '../../model/debugging';
import { whyUnusable } from './check-breakpoints';
import { dataIdOf, readDataId, type Slot } from './data-id';
import { readHits } from './hit-counts';
import { placeOf, type InstructionPlace } from './instructions';
import { conditionOf, refused, type Breakpoint, type Refused } from './line-breakpoint';
import type { RecordedTransaction } from './recorded-transaction';

type SlotBreakpoint = FindRequest['slots'][number];
type InstructionBreakpoint = FindRequest['instructions'][number];
type Stops = Pick<PlacedBreakpoint, 'condition' | 'hitCondition'>;

/** A breakpoint that was set, and as a case keeps it. */
interface Placed<Found> {
  found: Found;
  kept: PlacedBreakpoint;
}
const foundOf = <Found>({ found }: Placed<Found>): Found => found;

const stopsOf = ({ condition, hitCondition }: Stops): Stops => ({ condition, hitCondition });

/** The variable of a data breakpoint. */
export interface WatchedVariable {
  /** As the user calls it. */
  name: string;
  type: string;
  slot: Slot;
}

/** Breakpoints of a session on places in storage and on instructions. */
export class PlaceBreakpoints {
  #slots: Placed<SlotBreakpoint>[] = [];
  #instructions: Placed<InstructionBreakpoint>[] = [];
  /** Those of the configuration that are on, by their index. */
  #ofCase: ReadonlyMap<number, SlotBreakpoint | InstructionBreakpoint> = new Map();
  /** Variables by the id of their place in storage, in lower case. */
  readonly #named = new Map<string, Pick<WatchedVariable, 'name' | 'type'>>();

  constructor(
    private readonly recorded: RecordedTransaction,
    /** Of the configuration. */
    private readonly kept: KeptBreakpoints,
    private readonly nextId: () => number,
  ) {}

  get conditions(): Pick<FindRequest, 'slots' | 'instructions'> {
    const ofCase = [...this.#ofCase.values()];
    return {
      slots: [...this.#slots.map(foundOf), ...ofCase.filter((one) => 'slot' in one)],
      instructions: [...this.#instructions.map(foundOf), ...ofCase.filter((one) => 'pc' in one)],
    };
  }

  /** Notes the name that a user gives to a place in storage, and its type. */
  nameSlot(dataId: string, name: string, type: string): void {
    this.#named.set(dataId.toLowerCase(), { name, type });
  }

  /** The variable of a data breakpoint, as the user calls it; undefined for other breakpoints. */
  variableOf(ids: readonly number[]): WatchedVariable | undefined {
    const slot = this.conditions.slots.find(({ id }) => ids.includes(id));
    const named = slot && this.#nameOf(slot);
    return named && { ...named, slot };
  }

  /** Those of the client that concern the recording, and those of the configuration, for a case. */
  async placed(): Promise<PlacedBreakpoint[]> {
    const accounts = new Set<string>();
    for await (const { calls } of this.recorded.calls()) {
      for (const { address } of calls) accounts.add(address);
    }
    const slots = this.#slots.filter(({ found }) => accounts.has(found.address.toLowerCase()));
    const ofCase = this.kept.breakpoints.map((one, index) => {
      const breakpoint = { ...one };
      if (this.#ofCase.has(index)) delete breakpoint.isDisabled;
      else breakpoint.isDisabled = true;
      return breakpoint;
    });
    const ofClient = [...slots, ...this.#instructions];
    return ofClient.map(({ kept }) => kept).concat(ofCase);
  }

  async setInstructions({
    breakpoints,
  }: DebugProtocol.SetInstructionBreakpointsArguments): Promise<Breakpoint[]> {
    const set: Placed<InstructionBreakpoint>[] = [];
    const answers = breakpoints.map(async ({ instructionReference, offset, ...given }) => {
      const stops = stopsOf(given);
      const id = this.nextId();
      const found = await this.#instruction(id, placeOf(instructionReference, offset), stops);
      if ('verified' in found) return found;
      const { contract, pc } = found;
      const { name } = this.recorded.recording.contracts[contract] ?? {};
      set.push({ found, kept: { contract, pc, name, ...stops } });
      return { id, verified: true, instructionReference, ...(offset !== undefined && { offset }) };
    });
    const all = await Promise.all(answers);
    this.#instructions = set;
    return all;
  }

  async setData({ breakpoints }: DebugProtocol.SetDataBreakpointsArguments): Promise<Breakpoint[]> {
    const set: Placed<SlotBreakpoint>[] = [];
    const answers = breakpoints.map(async ({ dataId, accessType: access = 'write', ...given }) => {
      const stops = stopsOf(given);
      const place = readDataId(dataId);
      const id = this.nextId();
      if (place === undefined) {
        return refused(id, l10n.t('The variable is not in the storage of a contract.'));
      }
      const found = await this.#slot(id, { ...place, access }, stops);
      if ('verified' in found) return found;
      const address = place.address.toLowerCase();
      const kept = { ...place, address, access, ...this.#nameOf(place), ...stops };
      set.push({ found, kept });
      return { id, verified: true };
    });
    const all = await Promise.all(answers);
    this.#slots = set;
    return all;
  }

  /** Sets those of the configuration with these indices, and no others. @returns their answers, by index */
  async setOfCase(indices: readonly number[]): Promise<ReadonlyMap<number, Breakpoint>> {
    const set = new Map<number, SlotBreakpoint | InstructionBreakpoint>();
    const answers = new Map<number, Breakpoint>();
    for (const index of indices) {
      const wanted = this.kept.breakpoints[index];
      if (!wanted) continue;
      const id = this.nextId();
      const found = await this.#breakpointOfCase(id, wanted);
      if ('verified' in found) answers.set(index, found);
      else {
        set.set(index, found);
        answers.set(index, { id, verified: true });
      }
    }
    this.#ofCase = set;
    return answers;
  }

  #breakpointOfCase(
    id: number,
    wanted: PlacedBreakpoint,
  ): Promise<SlotBreakpoint | InstructionBreakpoint | Refused> {
    if ('pc' in wanted) {
      const { contract, pc, name = '' } = wanted;
      const { build, contracts } = this.recorded.recording;
      // In another build, or in another execution, the place may be in other code.
      const isSame = build === this.kept.build && contracts[contract]?.name === name;
      return this.#instruction(id, isSame ? { contract, pc } : undefined, wanted);
    }
    const { slot, offset, length, slots, isBytes, transient, access } = wanted;
    const address = wanted.address as Address;
    const place = { address, slot, offset, length, slots, isBytes, transient };
    const { name, type = '' } = wanted;
    if (name !== undefined) this.nameSlot(dataIdOf(place), name, type);
    return this.#slot(id, { ...place, access }, wanted);
  }

  /** @returns a breakpoint that a client wants, or why there is none */
  async #slot(
    id: number,
    place: Omit<SlotBreakpoint, 'id' | 'condition' | 'hits'>,
    { condition, hitCondition }: Stops,
  ): Promise<SlotBreakpoint | Refused> {
    const { hits, refusal } = readHits(hitCondition);
    if (refusal !== undefined) return refused(id, refusal);
    const more = { ...conditionOf(condition), ...(hits !== undefined && { hits }) };
    const breakpoint = { id, ...place, ...more };
    const reason = await whyUnusable(this.recorded, { slots: [breakpoint] });
    return reason === undefined ? breakpoint : refused(id, reason);
  }

  /** @param place undefined: an address of no code @returns a breakpoint that a client wants, or why there is none */
  async #instruction(
    id: number,
    place: InstructionPlace | undefined,
    { condition, hitCondition }: Stops,
  ): Promise<InstructionBreakpoint | Refused> {
    const { hits, refusal } = readHits(hitCondition);
    if (refusal !== undefined) return refused(id, refusal);
    if (place === undefined || !this.recorded.recording.contracts[place.contract]) {
      return refused(id, l10n.t('There is no instruction at this address.'));
    }
    const more = { ...conditionOf(condition), ...(hits !== undefined && { hits }) };
    const breakpoint = { id, ...place, ...more };
    const reason = await whyUnusable(this.recorded, { instructions: [breakpoint] });
    return reason === undefined ? breakpoint : refused(id, reason);
  }

  #nameOf(place: Slot): Pick<WatchedVariable, 'name' | 'type'> | undefined {
    return this.#named.get(dataIdOf(place).toLowerCase());
  }
}
