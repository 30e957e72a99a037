import type { ServiceStatus } from '../api/doctor';

/** What `forklens doctor` asks a running service. */
export class StatusCommand {
  constructor(
    private readonly facts: { readonly [Name in keyof ServiceStatus]: () => ServiceStatus[Name] },
  ) {}

  /** @returns undefined for an unknown name */
  find(name: string): (() => Promise<ServiceStatus>) | undefined {
    if (name !== 'status') return undefined;
    return () => Promise.resolve({ longestStall: this.facts.longestStall() });
  }
}
