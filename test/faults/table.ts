interface Row {
  rounds: number;
  failures: number;
}

/** Counts the rounds and failures of each fault. */
export class FaultTable {
  readonly #rows = new Map<string, Row>();

  constructor(private readonly title: string) {}

  /** Runs a round. An error that it throws counts as a failure. */
  async count(fault: string, round: () => Promise<void>): Promise<void> {
    const row = this.#rows.get(fault) ?? { rounds: 0, failures: 0 };
    this.#rows.set(fault, row);
    row.rounds++;
    row.failures++;
    await round();
    row.failures--;
  }

  print(): void {
    console.log(`\n| ${this.title} | rounds | failures |\n| --- | --: | --: |`);
    for (const [fault, { rounds, failures }] of this.#rows) {
      console.log(`| ${fault} | ${rounds} | ${failures} |`);
    }
    console.log();
  }
}
