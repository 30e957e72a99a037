import { setTimeout as delay } from 'node:timers/promises';
import { signalAll } from '../support/processes';
import { runToItsEnd } from './command-line';
import type { Subject } from './subject';

/** A fault that happens to a service at work. */
export interface Fault {
  name: string;
  /** Changes may be refused or not be answered. */
  refuses: boolean;
  /** Transactions may be counted in another month. */
  movesClock?: boolean;
  /**
   * Called while changes are under way. The fault is over when it returns; the service may be gone then.
   * @param more begins more changes, and waits until all are over
   */
  strike(subject: Subject, more: () => Promise<void>, below: Below): Promise<void>;
}

type Below = (limit: number) => number;

/** Longest pause of a stopped process, in milliseconds. */
const STOPPED_MS = 250;
const DAY_MS = 86_400_000;
/** Number of requests whose log lines fill a pipe. */
const LOGGED = 600;

const kill = (name: string, choose: (subject: Subject) => number[], service: boolean): Fault => ({
  name: `kill -9 of ${name}`,
  refuses: true,
  strike: async (subject) => {
    signalAll(choose(subject), 'SIGKILL');
    if (service) await subject.service.kill();
  },
});

const clock = (name: string, ahead: number): Fault => ({
  name: `clock jumps ${name}`,
  refuses: false,
  movesClock: true,
  strike: async (subject, more) => {
    await subject.setClock(ahead);
    await more();
    await subject.setClock(undefined);
  },
});

const stopped = (name: string, choose: (subject: Subject) => number[]): Fault => ({
  name: `SIGSTOP and SIGCONT of ${name}`,
  refuses: false,
  strike: async (subject, more, below) => {
    const pids = choose(subject);
    signalAll(pids, 'SIGSTOP');
    const done = more();
    await delay(below(STOPPED_MS));
    signalAll(pids, 'SIGCONT');
    await done;
  },
});

/** All faults are available on Linux only. */
export const allFaults = (): readonly Fault[] => [
  kill('engines', (subject) => subject.engines(), false),
  kill('the service', () => [], true),
  kill('engines and the service', (subject) => subject.engines(), true),
  kill('other processes of the service', (subject) => subject.helpers(), false),
  {
    name: 'disk full',
    refuses: true,
    strike: async (subject, more, below) => {
      await subject.setDisk(below(4_000));
      await more();
      await subject.setDisk(undefined);
    },
  },
  {
    name: 'disk full, and kill -9 of the service',
    refuses: true,
    strike: async (subject, more, below) => {
      await subject.setDisk(below(4_000));
      const done = more();
      await delay(below(STOPPED_MS));
      await subject.service.kill();
      await done;
      await subject.setDisk(undefined);
    },
  },
  {
    name: 'descriptors exhausted',
    refuses: true,
    strike: async (subject, more, below) => {
      subject.setDescriptors(below(12));
      await more().finally(() => {
        subject.setDescriptors(undefined);
      });
    },
  },
  clock('a day ahead', DAY_MS),
  clock('a day back', -DAY_MS),
  stopped('engines', (subject) => subject.engines()),
  stopped('the service', (subject) => [subject.pid]),
  {
    name: 'log of the service not read',
    refuses: false,
    strike: async (subject, more) => {
      const { stdout, stderr } = subject.service.child;
      stdout?.pause();
      stderr?.pause();
      for (let i = 0; i < LOGGED; i += 50) {
        const { request } = subject.service;
        await Promise.all(Array.from({ length: 50 }, () => request('GET', '/v1/chains')));
      }
      await more();
      stdout?.resume();
      stderr?.resume();
    },
  },
  {
    name: 'reader of the command line gone',
    refuses: false,
    strike: async (subject, more) => {
      await Promise.all([more(), runToItsEnd(subject.dataDir)]);
    },
  },
];
