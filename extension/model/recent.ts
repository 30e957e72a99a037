import type { Simulation, Target } from '../../media/inspector/protocol/protocol';

/** What an entry opens again. */
export type RecentSubject =
  | ({ kind: 'transaction' } & Target)
  | ({ kind: 'simulation' } & Simulation)
  | { kind: 'comparison'; left: Target | Simulation; right: Target | Simulation }
  | { kind: 'debugging'; target: Target | Simulation };

export interface RecentEntry {
  subject: RecentSubject;
  title: string;
  /** When it was last opened, Unix milliseconds. */
  time: number;
  pinned?: true;
}
